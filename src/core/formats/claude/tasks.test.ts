import { describe, expect, test } from 'vitest'
import type { TodoItem } from '../../events/todo.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import type { JsonObject } from '../../json.ts'
import { saveState } from '../../state/saved-state.ts'
import type { ResultStep } from './decoded.ts'
import { todoListClasses, type TodoOutcome, TodoLists } from './tasks.ts'
import { taskResult } from './todo-tools.ts'

const pending = (...texts: string[]): TodoItem[] => texts.map((text) => ({ text, status: 'pending' }))
const texts = (outcome: TodoOutcome): string[] | undefined =>
  outcome.list?.items.map((item) => `${item.text}: ${item.status}`)

/** A result as a message states it. */
function answer(id: string, said: Partial<ResultStep> & { text?: string } = {}): ResultStep {
  const tasks = said.text === undefined ? null : taskResult(said.text, undefined)
  const none = { rejected: false, newTodos: null, aboutTodos: true, agentId: undefined }
  return { kind: 'result', body: 0, id, tasks, ...none, ...said }
}

describe('TodoWrite', () => {
  test('an accepted call is the list, a rejected one restores the list before', () => {
    const lists = new TodoLists()
    lists.write('', 'a', pending('A'))
    expect(lists.result('', 's', answer('a'))).toEqual({ toolName: 'TodoWrite', list: null })
    lists.write('', 'b', pending('B'))
    expect(lists.result('', 's', answer('b', { rejected: true }))).toEqual({
      toolName: 'TodoWrite',
      list: { items: pending('A'), body: -1, ofSession: false }
    })
  })

  test('a call without a list: its result may state one, a rejected one restores none', () => {
    const lists = new TodoLists()
    lists.write('', 'a', null)
    expect(lists.result('', 's', answer('a', { rejected: true }))).toEqual({ toolName: 'TodoWrite', list: null })
    lists.write('', 'b', null)
    expect(lists.result('', 's', answer('b', { newTodos: { items: pending('B'), body: 1 } }))).toEqual({
      toolName: 'TodoWrite',
      list: { items: pending('B'), body: 1, ofSession: false }
    })
  })

  test('the first call rejected: the list before was empty', () => {
    const lists = new TodoLists()
    lists.write('', 'a', pending('A'))
    expect(lists.result('', 's', answer('a', { rejected: true })).list?.items).toEqual([])
  })

  test('two calls at once: rejecting the earlier one changes nothing that is shown', () => {
    const lists = new TodoLists()
    lists.write('', 'a', pending('A'))
    lists.write('', 'b', pending('B'))
    expect(lists.result('', 's', answer('a', { rejected: true })).list).toBeNull()
    expect(lists.result('', 's', answer('b', { rejected: true })).list?.items).toEqual([])
  })

  test('lists that are never answered do not pile up', () => {
    const lists = new TodoLists()
    for (let call = 0; call < 2000; call++) lists.write('', `c${call}`, pending(`List ${call}`))
    const kept = JSON.stringify(saveState(lists, [...todoListClasses, HashNumbers]).structure)
    expect(kept).toContain('List 1999')
    expect(kept.match(/List \d/g)?.length).toBeLessThan(200)
    expect(lists.result('', 's', answer('c1999', { rejected: true })).list?.items).toEqual(pending('List 1998'))
    expect(lists.result('', 's', answer('c5', { rejected: true })).list).toBeNull()
  })

  test('each track has its own list; the result belongs to the track of its call', () => {
    const lists = new TodoLists()
    lists.write('', 'a', pending('A'))
    lists.write('sub', 'b', pending('B'))
    lists.result('', 's', answer('a'))
    expect(lists.result('sub', 's', answer('b', { rejected: true })).list?.items).toEqual([])
  })

  test('newTodos win where they differ', () => {
    const lists = new TodoLists()
    lists.write('', 'a', pending('A'))
    lists.write('', 'b', pending('A'))
    expect(lists.result('', 's', answer('a', { newTodos: { items: pending('A'), body: 1 } })).list).toBeNull()
    expect(lists.result('', 's', answer('b', { newTodos: { items: pending('A', 'C'), body: 1 } })).list).toMatchObject({
      items: pending('A', 'C'),
      body: 1
    })
  })

  test('a result without its call: the log starts late', () => {
    const lists = new TodoLists()
    const late = answer('gone', { newTodos: { items: pending('A'), body: 1 } })
    expect(lists.result('', 's', late)).toEqual({
      toolName: 'TodoWrite',
      list: { items: pending('A'), body: 1, ofSession: false }
    })
    expect(lists.result('', 's', answer('other', { aboutTodos: false }))).toEqual({ toolName: undefined, list: null })
  })

  test('the list of a user line counts only where it is news', () => {
    const lists = new TodoLists()
    expect(lists.resync('', [])).toBe(false)
    expect(lists.resync('', pending('A'))).toBe(true)
    expect(lists.resync('', pending('A'))).toBe(false)
    expect(lists.resync('', [])).toBe(true)
  })
})

test('what answers a call may be thousands of lines away, under an id that all calls share', () => {
  const lists = new TodoLists()
  for (let call = 0; call < 200_000; call += 1) lists.call('REDACTED', { tool: 'TaskGet' })
  const names = Array.from({ length: 200_000 }, () => lists.result('', 's', answer('REDACTED')).toolName)
  expect(names.every((name) => name === undefined)).toBe(true)
})

describe('Task tools', () => {
  function create(lists: TodoLists, callId: string, id: number, subject: string, session = 's'): TodoOutcome {
    lists.call(callId, { tool: 'TaskCreate', subject })
    return lists.result('', session, answer(callId, { text: `Task #${id} created successfully: ${subject}` }))
  }

  test('ids come from results and order the list', () => {
    const lists = new TodoLists()
    create(lists, 'x', 10, 'ten')
    expect(texts(create(lists, 'y', 9, 'nine'))).toEqual(['nine: pending', 'ten: pending'])
  })

  test('a reused id means that the list was reset; a repeated result does not', () => {
    const lists = new TodoLists()
    create(lists, 'x', 1, 'one')
    create(lists, 'y', 2, 'two')
    const twice = answer('y', { text: 'Task #2 created successfully: two' })
    expect(lists.result('', 's', twice).list).toBeNull()
    expect(texts(create(lists, 'z', 1, 'new one'))).toEqual(['new one: pending'])
  })

  test('results name the tool that has no call of its own, also where they refuse or say nothing of tasks', () => {
    const lists = new TodoLists()
    expect(create(lists, 'x', 1, 'one').toolName).toBe('TaskCreate')
    lists.call('u', { tool: 'TaskUpdate', taskId: '1', subject: undefined, status: 'completed' })
    expect(lists.result('', 's', answer('u', { text: 'Updated task #1 status' })).toolName).toBe('TaskUpdate')
    lists.call('y', { tool: 'TaskCreate', subject: 'two' })
    expect(lists.result('', 's', answer('y', { rejected: true }))).toEqual({ toolName: 'TaskCreate', list: null })
    lists.call('v', { tool: 'TaskUpdate', taskId: '9', subject: undefined, status: 'completed' })
    expect(lists.result('', 's', answer('v', { text: 'Task not found' }))).toEqual({
      toolName: 'TaskUpdate',
      list: null
    })
  })

  test('the shape of a result without its call tells the tool', () => {
    const lists = new TodoLists()
    const late = (id: string, result: JsonObject): TodoOutcome =>
      lists.result('', 's', answer(id, { tasks: taskResult('', result) }))
    expect(late('a', { task: { id: '1', subject: 'one' } }).toolName).toBe('TaskCreate')
    const changed = { taskId: '1', updatedFields: ['status'], statusChange: { from: 'pending', to: 'completed' } }
    expect(late('b', changed)).toMatchObject({ toolName: 'TaskUpdate', list: { items: [{ status: 'completed' }] } })
    expect(late('c', { tasks: [{ id: '1', subject: 'one', status: 'completed' }] }).toolName).toBeUndefined()
  })

  test('an update emits a list if a text, a status or the order changed, not for dependencies', () => {
    const lists = new TodoLists()
    create(lists, 'x', 1, 'one')
    create(lists, 'y', 2, 'two')
    const update = (
      id: string,
      subject: string | undefined,
      status: 'pending' | 'completed' | 'deleted' | undefined
    ) => {
      lists.call(id, { tool: 'TaskUpdate', taskId: '1', subject, status })
      const text = `Updated task #1 ${status === 'deleted' ? 'deleted' : 'blockedBy'}`
      const outcome = lists.result('', 's', answer(id, { text }))
      expect(outcome.toolName).toBe('TaskUpdate')
      return texts(outcome)
    }
    expect(update('a', undefined, undefined)).toBeUndefined()
    expect(update('b', 'one', 'pending')).toBeUndefined()
    expect(update('c', undefined, 'completed')).toEqual(['one: completed', 'two: pending'])
    expect(update('d', undefined, 'completed')).toBeUndefined()
    expect(update('e', 'first', undefined)).toEqual(['first: completed', 'two: pending'])
    expect(update('f', undefined, 'deleted')).toEqual(['two: pending'])
  })

  test('each session has a list of its own', () => {
    const lists = new TodoLists()
    create(lists, 'x', 1, 'one', 's1')
    expect(texts(create(lists, 'y', 1, 'other', 's2'))).toEqual(['other: pending'])
    expect(texts(create(lists, 'z', 2, 'two', 's1'))).toEqual(['one: pending', 'two: pending'])
  })

  test('a task first seen in an update gets its subject when it is stated', () => {
    const lists = new TodoLists()
    lists.call('u', { tool: 'TaskUpdate', taskId: '7', subject: undefined, status: 'in_progress' })
    expect(texts(lists.result('', 's', answer('u', { text: 'Updated task #7 status' })))).toEqual([
      'Task #7: in_progress'
    ])
    lists.call('g', { tool: 'TaskGet' })
    expect(lists.result('', 's', answer('g', { text: 'Task #7: Lay buoys' }))).toEqual({
      toolName: undefined,
      list: null
    })
    lists.call('v', { tool: 'TaskUpdate', taskId: '7', subject: undefined, status: 'completed' })
    expect(texts(lists.result('', 's', answer('v', { text: 'Updated task #7 status' })))).toEqual([
      'Lay buoys: completed'
    ])
  })

  test('an update of a task whose creation is not in the log is worth a notice, once', () => {
    const lists = new TodoLists()
    const update = (id: string): TodoOutcome => {
      lists.call(id, { tool: 'TaskUpdate', taskId: '7', subject: undefined, status: 'in_progress' })
      return lists.result('', 's', answer(id, { text: 'Updated task #7 status' }))
    }
    expect([update('u').issue?.code, update('v').issue?.code]).toEqual(['UnknownTask', undefined])
  })

  test('tasks above the limit are not shown, with an issue', () => {
    const lists = new TodoLists()
    for (let id = 1; id <= 500; id += 1) create(lists, `c${id}`, id, 'task')
    const tooMany = create(lists, 'c501', 501, 'task')
    expect([tooMany.list, tooMany.issue?.code]).toEqual([null, 'UnknownTask'])
    expect(create(lists, 'again', 1, 'new').list?.items).toHaveLength(1)
  })

  test('an unchanged or rejected list is an ordinary result', () => {
    const lists = new TodoLists()
    create(lists, 'x', 1, 'one')
    lists.call('l', { tool: 'TaskList' })
    expect(lists.result('', 's', answer('l', { text: '#1 [pending] one' }))).toEqual({
      toolName: undefined,
      list: null
    })
    lists.call('m', { tool: 'TaskList' })
    expect(lists.result('', 's', answer('m', { rejected: true }))).toEqual({ toolName: undefined, list: null })
    lists.call('n', { tool: 'TaskList' })
    const news = lists.result('', 's', answer('n', { text: '#1 [completed] one' }))
    expect(texts(news)).toEqual(['one: completed'])
    expect(news.toolName).toBeUndefined()
  })

  test('where ids are redacted and shared, results answer the calls in order', () => {
    const lists = new TodoLists()
    lists.call('REDACTED', { tool: 'TaskCreate', subject: 'one' })
    lists.call('REDACTED', { tool: 'TaskCreate', subject: 'two' })
    lists.result('', 's', answer('REDACTED', { text: 'Task #1 created successfully: one' }))
    const second = lists.result('', 's', answer('REDACTED', { text: 'Task #2 created successfully: two' }))
    expect(texts(second)).toEqual(['one: pending', 'two: pending'])
    expect(lists.result('', 's', answer('REDACTED', { aboutTodos: false })).toolName).toBeUndefined()
  })
})
