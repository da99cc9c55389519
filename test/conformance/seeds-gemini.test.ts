import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValidTodoItem } from '../../src/core/events/todo.ts'
import { LogReader } from '../../src/core/formats/log-reader.ts'
import { geminiStreamJson } from '../../src/core/formats/gemini/stream-json.ts'
import { corpusBytes, corpusIsHere } from './corpus.ts'
import { bodiesOf, eventsOf, eventsOfText, fed, geminiParser, listsOf, team } from './fed-parsers.ts'

/** Clause by clause: docs/seeds.md#gemini-parser-write-todos. */

const timestamp = '2025-01-01T00:00:00.000Z'
const call = (tool_name: string, parameters: unknown, tool_id = 'call_123'): object => ({
  type: 'tool_use',
  timestamp,
  tool_name,
  tool_id,
  parameters
})
const write = (todos: unknown, id?: string): object => call('write_todos', { todos }, id)
const answer = (more: object): object => ({
  type: 'tool_result',
  timestamp,
  tool_id: 'call_123',
  status: 'success',
  ...more
})
const message = (role: unknown, content: unknown): object => ({ type: 'message', timestamp, role, content })
const todos = [
  { description: 'Research existing metrics', status: 'pending' },
  { description: 'Design the system', status: 'in_progress' },
  { description: 'Write the tests', status: 'completed' },
  { description: 'Ship it', status: 'cancelled' }
]
const items = todos.map(({ description, status }) => ({ text: description, status }))
const read = (...records: unknown[]): Record<string, unknown>[] => bodiesOf(eventsOf(geminiParser(), ...records))
const readText = (text: string): Record<string, unknown>[] => bodiesOf(eventsOfText(geminiParser(), text))
const list = { type: 'todo_list', todoId: 'call_123', items }
const started = { type: 'tool.started', toolName: 'glob', toolId: 'call_123', input: { pattern: '*' } }

test('G-1 a write_todos call gives a todo_list', () => {
  expect(read(write(todos))).toEqual([list])
})
test('G-2 a write_todos call gives no tool.started', () => {
  expect(read(write(todos), call('write_todos', {})).map((event) => event['type'])).toEqual(['todo_list'])
})
test('G-3 a call of another tool gives tool.started', () => {
  expect(read(call('glob', { pattern: '*' }))).toEqual([started])
  expect(read(call('Write_Todos', { todos }))).toMatchObject([{ type: 'tool.started' }])
})
test('G-4 the native records: the call has the list, its result only ends the call', () => {
  const output = 'Successfully updated the todo list...'
  expect(read(write(todos), answer({ output }))).toEqual([
    list,
    { type: 'tool.completed', toolId: 'call_123', toolName: 'write_todos', output }
  ])
})
test('G-5 description becomes text', () => {
  expect(listsOf(eventsOf(geminiParser(), write(todos)))[0]).toMatchObject(
    todos.map(({ description }) => ({ text: description }))
  )
})
test('G-6 statuses are not converted', () => {
  expect(listsOf(eventsOf(geminiParser(), write(todos)))[0]).toMatchObject(todos.map(({ status }) => ({ status })))
})
test('G-7 todoId is tool_id, or id', () => {
  expect(read(write([], 'a'), { type: 'tool_use', name: 'write_todos', id: 'b', input: { todos: [] } })).toMatchObject([
    { todoId: 'a' },
    { todoId: 'b' }
  ])
})
test('G-8 every item of any call passes isValidTodoItem', () => {
  const todo = fc.record({ description: fc.jsonValue(), status: fc.jsonValue() }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(fc.oneof(todo, fc.constantFrom(...todos), fc.jsonValue())), (value) => {
      const [given] = listsOf(eventsOf(geminiParser(), write(value)))
      for (const item of given as unknown[]) expect(isValidTodoItem(item)).toBe(true)
    })
  )
})
test('G-9 name and id are accepted for tool_name and tool_id', () => {
  expect(read({ type: 'tool_use', name: 'glob', id: 'call_123', parameters: { pattern: '*' } })).toEqual([started])
})
test('G-10 input is accepted for parameters, for todos and other calls', () => {
  const called = (name: string, input: object): object => ({ type: 'tool_use', name, id: 'call_123', input })
  expect(read(called('write_todos', { todos }), called('glob', { pattern: '*' }))).toEqual([list, started])
})
test('G-11 a call without a list gives no event', () => {
  for (const parameters of [undefined, null, 'x', {}, { todos: 7 }, { todos: 'x' }, { todos: { 0: todos[0] } }]) {
    expect(read(call('write_todos', parameters))).toEqual([])
  }
})
test('G-12 invalid items are skipped, others stay', () => {
  const odd = [
    { description: '', status: 'pending' },
    { description: ' ' },
    todos[1],
    { description: 'x', status: 'later' }
  ]
  expect(read(write(odd))).toMatchObject([{ items: [items[1]] }])
  const blocked = [{ description: 'Wait', status: 'blocked' }, todos[1]]
  expect(read(write(blocked))).toMatchObject([{ items: [{ text: 'Wait', status: 'pending' }, items[1]] }])
})
test('G-13 a call without an id gets one', () => {
  expect(read({ type: 'tool_use', name: 'write_todos', input: { todos } })[0]?.['todoId']).toMatch(/./)
})
test('G-14 bytes may be in any chunks; an event comes with the end of its line', () => {
  const bytes = Buffer.from(`${JSON.stringify(write([{ description: '文档 🧭', status: 'pending' }]))}\n`)
  const parser = geminiParser()
  expect(parser.parseChunk(bytes.subarray(0, -1))).toEqual([])
  expect(parser.parseChunk(bytes.subarray(-1))).toHaveLength(1)
  const each = Array.from(bytes.keys()).slice(1)
  expect(fed(geminiParser(), bytes, each)).toEqual(fed(geminiParser(), bytes))
})
test('G-15 blank lines give nothing', () => {
  expect(readText('\n \n\t\r\n\u00A0\n')).toEqual([])
})
test('G-16 a line that is not JSON gives an error and no text', () => {
  const events = readText('{"secret": hunter2}\n')
  expect(events).toMatchObject([{ type: 'error', code: 'JSONL_PARSE_ERROR' }])
  expect(events[0]?.['error']).toMatch(/^Failed to parse JSONL: (?!.*hunter)/)
})
test('G-17 flush reads a complete last line without a line feed', () => {
  expect(readText(JSON.stringify(write(todos)))).toEqual([list])
})
test('G-18 flush gives an incomplete last line as text without a role, and no error', () => {
  const [text, ...rest] = readText('{"type":"mess')
  expect([text, rest]).toMatchObject([{ type: 'text', text: '{"type":"mess' }, []])
  expect(text).not.toHaveProperty('role')
})
test('G-19 flush gives nothing for a complete last record without events', () => {
  expect(readText('{"type":"invented"}')).toEqual([])
})
test('G-20 flush and reset clear the state', () => {
  const parser = geminiParser()
  parser.parseChunk(Buffer.from('{"type":"mess'))
  expect([parser.flush().length, parser.flush().length]).toEqual([1, 0])
  parser.parseChunk(Buffer.from('{"type":"mess'))
  parser.reset()
  expect(parser.flush()).toEqual([])
})
test('G-21 every event has an agent, an id and a time', () => {
  const events = eventsOf(geminiParser(), call('glob', {}), call('glob', {}, 'b'))
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2)
  for (const event of events) {
    expect(event).toMatchObject({ agentId: 'agent-1', agentType: 'google-gemini', teamMetadata: team })
    expect(event.timestamp).toBe(Date.parse(timestamp))
  }
})
test('G-22 init gives session.started, once per session in sequence', () => {
  const init = { type: 'init', timestamp, session_id: 's' }
  expect(read(init, init, { ...init, session_id: 't' })).toEqual([
    { type: 'session.started' },
    { type: 'session.started' }
  ])
})
test('G-23 a message of the user gives no text of the assistant', () => {
  expect(read(message('user', 'hi'))).toEqual([{ type: 'text', text: 'hi', role: 'user', category: 'user-message' }])
})
test('G-24 a message of the assistant has category message; in a log it has assistant-message', () => {
  expect(read(message('assistant', 'a'))).toEqual([{ type: 'text', text: 'a', role: 'assistant', category: 'message' }])
  const categories: unknown[] = []
  const log = new LogReader(geminiStreamJson, {
    line: ({ events }) => categories.push(...events.map(({ draft }) => draft.type === 'text' && draft.category))
  })
  log.push(Buffer.from(`${JSON.stringify(message('assistant', 'a'))}\n`))
  log.end()
  expect(categories).toEqual(['assistant-message'])
})
test('G-25 each part of a message is a text of its own', () => {
  const piece = (text: string): object => ({ ...message('assistant', text), delta: true })
  expect(read(piece('Hel'), piece('lo')).map((event) => event['text'])).toEqual(['Hel', 'lo'])
})
test('G-26 a message of the system keeps its role, one of another role has none', () => {
  expect(read(message('system', 'a'))).toMatchObject([{ type: 'text', text: 'a', role: 'system' }])
  expect(read(message('tool', 'a'), message(undefined, 'a'))).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'a' }
  ])
})
test('G-27 a call without parameters has an empty input', () => {
  expect(read(call('glob', undefined), call('glob', null))).toMatchObject([{ input: {} }, { input: {} }])
})
test('G-28 a result gives tool.completed by tool_id or tool_use_id, with its output as text or in an object', () => {
  const completed = { type: 'tool.completed', toolId: 'call_123' }
  expect(read(answer({ output: 'a' }), answer({ output: { text: 'b' } }), answer({}))).toEqual([
    { ...completed, output: 'a' },
    { ...completed, output: 'b' },
    completed
  ])
  expect(read({ type: 'tool_result', tool_use_id: 'call_123', status: 'success' })).toEqual([completed])
})
test('G-29 a result with another status than success has an error', () => {
  expect(read(answer({ status: 'error' }))).toEqual([{ type: 'tool.completed', toolId: 'call_123', error: 'error' }])
  expect(read(answer({ status: 'error', error: { message: 'no such file' } }))).toMatchObject([
    { error: 'no such file' }
  ])
})
test('G-30 the result of a write_todos call gives tool.completed, also if it is an error', () => {
  const refused = { type: 'tool.completed', toolId: 'call_123', toolName: 'write_todos', error: 'error' }
  expect(read(call('write_todos', {}), answer({ status: 'error' }))).toEqual([refused])
  expect(read(write(todos), answer({ status: 'error' }))).toEqual([list, refused, { ...list, items: [] }])
})
test.skipIf(!corpusIsHere)(
  'G-31 every call of the recorded log with refused lists has a result, four of them errors',
  () => {
    const events = fed(geminiParser(), corpusBytes('gemini-stream-json/generated/v061-todos-invalid.jsonl'))
    const results = events.filter((event) => event.type === 'tool.completed')
    expect(results).toHaveLength(5)
    expect(results.filter(({ error }) => error !== undefined)).toHaveLength(4)
  }
)
test('G-32 a result record ends the turn: done, or error', () => {
  const end = (more: object): unknown => read({ type: 'result', timestamp, ...more }).at(-1)
  expect(end({ status: 'success' })).toEqual({ type: 'turn.completed', finishReason: 'done' })
  expect(end({ status: 'error' })).toEqual({ type: 'turn.completed', finishReason: 'error' })
  expect(end({ status: 'error', error: { type: 'FatalCancellationError', message: 'x' } })).toMatchObject({
    finishReason: 'cancelled'
  })
})
test('G-33 unknown types give nothing', () => {
  expect(read({ type: 'invented' }, {})).toEqual([])
})
test('G-34 beyond the seed: tracker tools are todo tools, and each of their results gives tool.completed', () => {
  const create = call('tracker_create_task', { title: 'One' })
  expect(read(create, answer({}))).toMatchObject([
    { type: 'todo_list', items: [{ text: 'One', status: 'pending' }] },
    { type: 'tool.completed', toolName: 'tracker_create_task' }
  ])
  expect(read(create, answer({ status: 'error' }))).toMatchObject([{ type: 'tool.completed', error: 'error' }])
})
