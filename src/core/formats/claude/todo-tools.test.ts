import { describe, expect, test } from 'vitest'
import { taskResult, taskCall, todoItems } from './todo-tools.ts'

describe('TodoWrite items', () => {
  const pending = { text: 'A', status: 'pending' }

  test('of every version', () => {
    expect(todoItems([{ content: 'A', status: 'pending', priority: 'high', id: '1' }])).toEqual([pending])
    expect(todoItems([{ content: 'A', status: 'pending', id: '1' }])).toEqual([pending])
    expect(todoItems([{ content: 'A', status: 'pending', activeForm: 'Doing A' }])).toEqual([pending])
  })

  test('a list as JSON text, elements as JSON text; plain text has no status and is no item', () => {
    expect(todoItems('[{"content":"A","status":"pending"}]')).toEqual([pending])
    expect(todoItems(['{"content":"A","status":"completed"}', 'A', '{broken'])).toEqual([
      { text: 'A', status: 'completed' }
    ])
  })

  test('invalid items are skipped, an empty list is a list, anything else is none', () => {
    expect(
      todoItems([null, 7, [], {}, { content: ' ', status: 'pending' }, { content: 'A', status: 'blocked' }])
    ).toEqual([])
    expect(todoItems([])).toEqual([])
    for (const none of [undefined, null, {}, 7, 'no list', '[', '{}']) expect(todoItems(none)).toBeNull()
  })
})

describe('tasks in a result', () => {
  test('the structured answer', () => {
    expect(taskResult('', { task: { id: '1', subject: 'A' } })).toMatchObject({
      kind: 'created',
      id: '1',
      subject: 'A'
    })
    expect(taskResult('', { task: { id: 2, subject: 'A', status: 'pending' } })).toMatchObject({ kind: 'got' })
    expect(taskResult('', { task: null })).toBeNull()
    const moved = {
      success: true,
      taskId: '3',
      updatedFields: ['status'],
      statusChange: { from: 'pending', to: 'completed' }
    }
    expect(taskResult('', moved)).toMatchObject({ kind: 'updated', id: '3', changed: true, to: 'completed' })
    expect(taskResult('', { success: true, taskId: '3', updatedFields: ['deleted'] })).toMatchObject({ to: 'deleted' })
    expect(taskResult('', { success: true, taskId: '3', updatedFields: [] })).toMatchObject({ changed: false })
    expect(taskResult('', { tasks: [] })).toMatchObject({ kind: 'listed', tasks: [] })
    expect(taskResult('', { tasks: [{ id: '1', subject: 'A', status: 'nonsense' }] })).toBeNull()
  })

  test('the text, where there is no structure', () => {
    expect(taskResult('Task #12 created successfully: Draw: the chart\n\n<system-reminder>', undefined)).toMatchObject({
      kind: 'created',
      id: '12',
      subject: 'Draw: the chart'
    })
    expect(taskResult('Updated task #3 deleted', undefined)).toMatchObject({ kind: 'updated', id: '3', to: 'deleted' })
    expect(taskResult('Updated task #1 ', undefined)).toMatchObject({ changed: false })
    expect(taskResult('Updated task #2 owner, status', undefined)).toMatchObject({ changed: true, to: undefined })
    expect(taskResult('Task #2: Draw\nStatus: completed', undefined)).toMatchObject({
      kind: 'got',
      task: { subject: 'Draw' }
    })
    expect(taskResult('No tasks found', undefined)).toMatchObject({ kind: 'listed', tasks: [] })
    expect(taskResult('#1 [completed] A\n#2 [pending] B (me) [blocked by #1, #3]\n\n<x>', undefined)).toMatchObject({
      tasks: [
        { id: '1', subject: 'A', status: 'completed' },
        { id: '2', subject: 'B', status: 'pending' }
      ]
    })
  })

  test('other texts say nothing', () => {
    for (const text of [
      '',
      'Task not found',
      '# Heading',
      '#1 no status',
      'Task #',
      '<tool_use_error>x</tool_use_error>'
    ]) {
      expect(taskResult(text, 'Error: x')).toBeNull()
    }
  })

  test('TaskStop and TaskOutput are about background tasks', () => {
    expect(taskCall('TaskStop', { task_id: '1' })).toBeNull()
    expect(taskCall('TaskOutput', { task_id: '1' })).toBeNull()
    expect(taskCall('TaskUpdate', { taskId: '#4', status: 'deleted' })).toMatchObject({
      taskId: '4',
      status: 'deleted'
    })
  })
})
