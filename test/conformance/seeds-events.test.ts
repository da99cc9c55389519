import { expect, test } from 'vitest'
import {
  AgentEvent,
  agentEventTypes,
  agentTypes,
  isValidTodoItem,
  normalizedLine,
  TodoItem,
  TodoStatus,
  todoStatuses
} from '../../src/core/index.ts'
import { bodiesOf, claudeParser, codexParser, eventsOf, geminiParser, listsOf, team } from './fed-parsers.ts'

/** Clause by clause: docs/seeds.md#agent-event-todo-types. */

const base = { eventId: 'e', agentId: 'a', agentType: 'claude-code', timestamp: 1, teamMetadata: team }
const list = { ...base, type: 'todo_list', todoId: 't', items: [{ text: 'One', status: 'pending' }] }
const accepted = (event: object): boolean => AgentEvent.safeParse(event).success

const claudeCall = (id: string, ...contents: string[]): object => ({
  type: 'tool_use',
  id,
  name: 'TodoWrite',
  input: { todos: contents.map((content) => ({ content, status: 'pending', activeForm: 'Doing' })) }
})
const geminiCall = (description: string): object => ({
  type: 'tool_use',
  tool_name: 'write_todos',
  tool_id: 'call_1',
  parameters: { todos: [{ description, status: 'pending' }] }
})
const codexItem = (type: string, ...done: boolean[]): object => ({
  type,
  item: { id: 'item_1', type: 'todo_list', items: done.map((completed) => ({ text: 'One', completed })) }
})

/** What the three parsers give for one todo each. */
const lists = (): AgentEvent[] => [
  ...eventsOf(claudeParser(), claudeCall('toolu_1', 'One')),
  ...eventsOf(codexParser(), codexItem('item.started', false)),
  ...eventsOf(geminiParser(), geminiCall('One'))
]

test('E-1 Claude, Codex and Gemini give their todo lists as the same event', () => {
  expect(bodiesOf(lists())).toMatchObject([{ type: 'todo_list' }, { type: 'todo_list' }, { type: 'todo_list' }])
  expect(listsOf(lists())).toEqual(Array.from({ length: 3 }, () => [{ text: 'One', status: 'pending' }]))
})
test('E-2 a status has one of four values', () => {
  expect(todoStatuses).toEqual(['pending', 'in_progress', 'completed', 'cancelled'])
  for (const status of todoStatuses) expect(TodoStatus.parse(status)).toBe(status)
  for (const other of ['Pending', 'blocked', '', null, 7]) expect(TodoStatus.safeParse(other).success).toBe(false)
})
test('E-3 an item has a non-empty text and a status', () => {
  expect(TodoItem.parse({ text: 'a', status: 'pending' })).toEqual({ text: 'a', status: 'pending' })
  for (const wrong of [
    { text: '', status: 'pending' },
    { text: ' \n', status: 'pending' },
    { text: 'a' },
    { status: 'pending' }
  ]) {
    expect(TodoItem.safeParse(wrong).success).toBe(false)
  }
})
test('E-4 the text of an item is named text for all agents', () => {
  for (const [item] of listsOf(lists()) as object[][]) expect(item).toHaveProperty('text', 'One')
})
test('E-5 an item has only text and status, and no key', () => {
  for (const [item] of listsOf(lists()) as object[][]) expect(Object.keys(item ?? {})).toEqual(['text', 'status'])
})
test('E-6 a todo_list has a todoId and items beside the base fields', () => {
  expect(accepted(list)).toBe(true)
  for (const lacking of [{ todoId: undefined }, { items: undefined }, { items: {} }, { items: [{ text: '' }] }]) {
    expect(accepted({ ...list, ...lacking })).toBe(false)
  }
})
test('E-7 lists have one type, without variants for begin, change or end', () => {
  expect(agentEventTypes.filter((type) => type.includes('todo'))).toEqual(['todo_list'])
  const codex = eventsOf(codexParser(), codexItem('item.started', false), codexItem('item.completed', true))
  expect(new Set(codex.map(({ type }) => type))).toEqual(new Set(['todo_list']))
})
test('E-8 each list is complete and replaces the previous one', () => {
  const events = eventsOf(claudeParser(), claudeCall('a', 'One', 'Two'), claudeCall('b', 'Three'))
  expect(listsOf(events)).toMatchObject([[{ text: 'One' }, { text: 'Two' }], [{ text: 'Three' }]])
})
test('E-9 todoId is the id of the call, or of the list if an agent changes one list', () => {
  const idsOf = (events: readonly AgentEvent[]): unknown[] =>
    events.map((event) => event.type === 'todo_list' && event.todoId)
  expect(idsOf(eventsOf(claudeParser(), claudeCall('a', 'One'), claudeCall('b', 'One')))).toEqual(['a', 'b'])
  const codex = eventsOf(codexParser(), codexItem('item.started', false), codexItem('item.updated', true))
  expect(new Set(idsOf(codex)).size).toBe(1)
})
test('E-10 the union has the seed’s seven types', () => {
  expect([...agentEventTypes].sort()).toEqual(
    ['session.started', 'text', 'tool.started', 'tool.completed', 'turn.completed', 'error', 'todo_list'].sort()
  )
})
test('E-11 isValidTodoItem accepts items only', () => {
  expect(isValidTodoItem({ text: 'a', status: 'cancelled', more: 1 })).toBe(true)
  const wrong = [
    null,
    undefined,
    'a',
    7,
    [],
    {},
    { text: 'a' },
    { text: '', status: 'pending' },
    { text: 7, status: 'pending' }
  ]
  for (const value of [...wrong, { text: ' \t\n', status: 'pending' }, { text: 'a', status: 'blocked' }]) {
    expect(isValidTodoItem(value)).toBe(false)
  }
})
test('E-12 an invalid item is skipped, and nothing throws', () => {
  const odd = {
    type: 'tool_use',
    id: 'a',
    name: 'TodoWrite',
    input: { todos: [null, 7, {}, { content: 'One', status: 'pending' }] }
  }
  expect(listsOf(eventsOf(claudeParser(), odd))).toEqual([[{ text: 'One', status: 'pending' }]])
})
test('E-13 the agents’ types begin with the seed’s three, and each is there once', () => {
  expect(agentTypes.slice(0, 3)).toEqual(['claude-code', 'openai-codex', 'google-gemini'])
  expect(new Set(agentTypes).size).toBe(agentTypes.length)
})
test('E-14 every event has the five base fields', () => {
  for (const field of Object.keys(base)) expect(accepted({ ...list, [field]: undefined })).toBe(false)
  for (const event of lists()) expect(event).toMatchObject({ agentId: 'agent-1', teamMetadata: team })
})
test('E-15 session.started requires no fields of its own', () => {
  expect(accepted({ ...base, type: 'session.started' })).toBe(true)
})
test('E-16 a text has a text; role and category are optional', () => {
  const text = { ...base, type: 'text', text: 'a' }
  expect([text, { ...text, role: 'assistant' }, { ...text, role: 'system', category: 'x' }].every(accepted)).toBe(true)
  expect(
    [
      { ...text, text: undefined },
      { ...text, role: 'tool' }
    ].some(accepted)
  ).toBe(false)
  expect(accepted({ ...text, role: 'user' })).toBe(true)
})
test('E-17 tool.started has a name, an id and an input', () => {
  const started = { ...base, type: 'tool.started', toolName: 'Bash', toolId: 't', input: { a: { b: [1] } } }
  expect(accepted(started)).toBe(true)
  for (const field of ['toolName', 'toolId', 'input']) expect(accepted({ ...started, [field]: undefined })).toBe(false)
})
test('E-18 tool.completed has an id; output and error are optional texts', () => {
  const completed = { ...base, type: 'tool.completed', toolId: 't' }
  expect([completed, { ...completed, output: '' }, { ...completed, error: 'no' }].every(accepted)).toBe(true)
  expect(
    [
      { ...completed, toolId: undefined },
      { ...completed, output: [] }
    ].some(accepted)
  ).toBe(false)
})
test('E-19 a turn ends with one of four reasons', () => {
  const end = (finishReason: unknown): boolean => accepted({ ...base, type: 'turn.completed', finishReason })
  expect(['done', 'error', 'cancelled', 'timeout'].every(end)).toBe(true)
  expect(['success', undefined].some(end)).toBe(false)
})
test('E-20 an error has a text; code and stack are optional', () => {
  const error = { ...base, type: 'error', error: 'no' }
  expect([error, { ...error, code: 'c', stack: 's' }].every(accepted)).toBe(true)
  expect(accepted({ ...error, error: undefined })).toBe(false)
})
test('E-21 every event that is written as a line is read back unchanged', () => {
  const events = [...lists(), ...eventsOf(claudeParser(), claudeCall('a'))]
  for (const event of events) expect(AgentEvent.parse(JSON.parse(normalizedLine(event)))).toEqual(event)
})
test('E-22 an empty list is a cleared list', () => {
  expect(accepted({ ...list, items: [] })).toBe(true)
  expect(bodiesOf(eventsOf(claudeParser(), claudeCall('a')))).toEqual([{ type: 'todo_list', todoId: 'a', items: [] }])
})
test('E-23 a log without todos gives the same events as without todo lists', () => {
  const bash = { type: 'tool_use', id: 'b', name: 'Bash', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'b', content: 'x' }
  const alone = bodiesOf(eventsOf(claudeParser(), bash, result))
  expect(alone.map((event) => event['type'])).toEqual(['tool.started', 'tool.completed'])
  const mixed = bodiesOf(eventsOf(claudeParser(), bash, claudeCall('a', 'One'), result))
  expect(mixed.filter((event) => event['type'] !== 'todo_list')).toEqual(alone)
})
