import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValidTodoItem } from '../../src/core/events/todo.ts'
import { bodiesOf, bodyOf, claudeParser, eventsOf, eventsOfText, fed, listsOf, team } from './fed-parsers.ts'

/** Clause by clause: docs/seeds.md#claude-parser-todowrite. */

const session = { session_id: 's', parent_tool_use_id: null }
const assistant = (...content: unknown[]): object => ({ type: 'assistant', message: { content }, ...session })
const user = (...content: unknown[]): object => ({ type: 'user', message: { content }, ...session })
const call = (name: string, input: unknown, id = 'toolu_01ABC'): object => ({ type: 'tool_use', id, name, input })
const write = (todos: unknown, id = 'toolu_01ABC'): object => call('TodoWrite', { todos }, id)
const answer = (content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: 'toolu_01ABC',
  content,
  ...more
})
const todos = [
  { content: 'Research existing metrics', status: 'in_progress', activeForm: 'Researching...' },
  { content: 'Design the system', status: 'pending', activeForm: 'Designing...' },
  { content: 'Ship it', status: 'completed', activeForm: 'Shipping...' }
]
const items = todos.map(({ content, status }) => ({ text: content, status }))
const read = (...records: unknown[]): Record<string, unknown>[] => bodiesOf(eventsOf(claudeParser(), ...records))
const readText = (text: string): Record<string, unknown>[] => bodiesOf(eventsOfText(claudeParser(), text))
const list = { type: 'todo_list', todoId: 'toolu_01ABC', items }
const started = { type: 'tool.started', toolName: 'Bash', toolId: 'toolu_01ABC', input: { command: 'ls' } }

test('C-1 a TodoWrite call in an assistant message gives a todo_list', () => {
  expect(read(assistant(write(todos)))).toEqual([list])
})
test('C-2 a TodoWrite call gives no tool.started', () => {
  const types = read(assistant(write(todos)), write(todos, 'other'), assistant(call('TodoWrite', {}))).map(
    (e) => e['type']
  )
  expect(types).toEqual(['todo_list', 'todo_list'])
})
test('C-3 a call of another tool gives tool.started', () => {
  expect(read(assistant(call('Bash', { command: 'ls' })))).toEqual([started])
  expect(read(assistant(call('todowrite', { todos })))).toMatchObject([{ type: 'tool.started', toolName: 'todowrite' }])
})
test('C-4 the minimal native record is read', () => {
  expect(read({ type: 'assistant', message: { content: [write(todos)] } })).toEqual([list])
})
test('C-5 statuses are not converted', () => {
  expect(listsOf(eventsOf(claudeParser(), assistant(write(todos))))[0]).toMatchObject([
    { status: 'in_progress' },
    { status: 'pending' },
    { status: 'completed' }
  ])
})
test('C-6 content becomes text', () => {
  expect(listsOf(eventsOf(claudeParser(), assistant(write(todos))))[0]).toMatchObject([
    { text: todos[0]?.content },
    {},
    {}
  ])
})
test('C-7 no event contains activeForm', () => {
  const [event] = eventsOf(claudeParser(), assistant(write(todos)))
  expect(JSON.stringify(event)).not.toMatch(/activeForm|Researching/)
})
test('C-8 todoId is the id of the call', () => {
  expect(read(assistant(write([], 'toolu_77')))).toEqual([{ type: 'todo_list', todoId: 'toolu_77', items: [] }])
})
test('C-9 every item of any call passes isValidTodoItem', () => {
  const todo = fc.record({ content: fc.jsonValue(), status: fc.jsonValue() }, { requiredKeys: [] })
  const any = fc.array(fc.oneof(todo, fc.constantFrom(...todos), fc.jsonValue()))
  fc.assert(
    fc.property(any, (value) => {
      const [given] = listsOf(eventsOf(claudeParser(), assistant(write(value))))
      for (const item of given as unknown[]) expect(isValidTodoItem(item)).toBe(true)
    })
  )
})
test('C-10 texts and calls of a message keep their order', () => {
  const blocks = [{ type: 'text', text: 'a' }, write(todos), { type: 'text', text: 'b' }, call('Bash', {})]
  expect(read(assistant(...blocks)).map((event) => event['type'])).toEqual([
    'text',
    'todo_list',
    'text',
    'tool.started'
  ])
})
test('C-11 a TodoWrite call at the top level gives a todo_list and no tool.started', () => {
  expect(read(write(todos))).toEqual([list])
  expect(read(call('TodoWrite', {}))).toEqual([])
})
test('C-12 a call of another tool at the top level gives tool.started', () => {
  expect(read(call('Bash', { command: 'ls' }))).toEqual([started])
})
test('C-13 a call without a list gives no event', () => {
  for (const input of [undefined, null, 'x', 7, {}, { todos: 7 }, { todos: { 0: todos[0] } }, { todos: null }]) {
    expect(read(assistant(call('TodoWrite', input)))).toEqual([])
  }
})
test('C-14 invalid items are skipped, others stay', () => {
  const odd = [
    { content: '', status: 'pending' },
    { content: ' \n' },
    todos[1],
    { content: 'x', status: 'blocked' },
    {}
  ]
  expect(read(assistant(write(odd)))).toMatchObject([{ items: [items[1]] }])
})
test('C-15 a call without an id gets one', () => {
  const [event] = read(assistant({ type: 'tool_use', name: 'TodoWrite', input: { todos } }))
  expect(event?.['todoId']).toMatch(/./)
})
test('C-16 bytes may be in any chunks; an event comes with the end of its line', () => {
  const bytes = Buffer.from(`${JSON.stringify(assistant(write([{ content: '文档 🧭', status: 'pending' }])))}\n`)
  const parser = claudeParser()
  expect(parser.parseChunk(bytes.subarray(0, -1))).toEqual([])
  expect(parser.parseChunk(bytes.subarray(-1))).toHaveLength(1)
  const each = Array.from(bytes.keys()).slice(1)
  expect(fed(claudeParser(), bytes, each)).toEqual(fed(claudeParser(), bytes))
})
test('C-17 blank lines give nothing', () => {
  expect(readText('\n \n\t\r\n\u00A0\n')).toEqual([])
})
test('C-18 a line that is not JSON gives an error, then the line as text of category result without a role', () => {
  const [error, text, ...rest] = readText('{"secret": hunter2}\n')
  expect(error).toMatchObject({ type: 'error', code: 'JSONL_PARSE_ERROR' })
  expect(error?.['error']).toMatch(/^Failed to parse JSONL: (?!.*hunter)/)
  expect([text, rest]).toEqual([{ type: 'text', text: '{"secret": hunter2}', category: 'result' }, []])
})
test('C-19 flush reads a complete last line without a line feed', () => {
  expect(readText(JSON.stringify(assistant(write(todos))))).toEqual([list])
})
test('C-20 flush gives an incomplete last line as text of category result, without an error', () => {
  expect(readText('{"type":"assi')).toEqual([{ type: 'text', text: '{"type":"assi', category: 'result' }])
})
test('C-21 flush gives nothing for a complete last record without events', () => {
  expect(readText('{"type":"message_stop"}')).toEqual([])
})
test('C-22 flush and reset clear the state', () => {
  const parser = claudeParser()
  parser.parseChunk(Buffer.from('{"type":"assi'))
  expect([parser.flush().length, parser.flush().length]).toEqual([1, 0])
  parser.parseChunk(Buffer.from('{"type":"assi'))
  parser.reset()
  expect(parser.flush()).toEqual([])
})
test('C-23 every event has an agent, an id and a time', () => {
  const timestamp = '2026-11-20T10:00:00.000Z'
  const events = eventsOf(claudeParser(), { ...assistant(call('Bash', {}), call('Read', {}, 'b')), timestamp })
  expect(events.map(({ eventId }) => eventId)).toEqual(['s:1:0', 's:1:1'])
  for (const event of events) {
    expect(event).toMatchObject({ agentId: 'agent-1', agentType: 'claude-code', teamMetadata: team })
    expect(event.timestamp).toBe(Date.parse(timestamp))
  }
})
test('C-24 init gives session.started, once per session in sequence', () => {
  const init = { type: 'system', subtype: 'init', ...session }
  expect(read(init, init, { ...init, session_id: 't' })).toEqual([
    { type: 'session.started' },
    { type: 'session.started' }
  ])
})
test('C-25 other system records give no session.started', () => {
  for (const subtype of ['status', 'hook_started', 'invented', undefined]) {
    expect(read({ type: 'system', subtype, ...session })).toEqual([])
  }
})
test('C-26 a text delta at the top level gives a text at once, other deltas nothing', () => {
  const delta = (one: object): object => ({ type: 'content_block_delta', delta: one })
  expect(
    read(delta({ type: 'text_delta', text: 'Hel' }), delta({ type: 'input_json_delta', partial_json: '{' }))
  ).toEqual([{ type: 'text', text: 'Hel', role: 'assistant', category: 'assistant-message' }])
})
test('C-27 a text block is a text of the assistant, of category assistant-message', () => {
  expect(read(assistant({ type: 'text', text: ' a ' }))).toEqual([
    { type: 'text', text: ' a ', role: 'assistant', category: 'assistant-message' }
  ])
})
test('C-28 a call without an input has an empty one', () => {
  for (const input of [undefined, null]) {
    expect(read(assistant(call('Bash', input)), call('Bash', input))).toMatchObject([{ input: {} }, { input: {} }])
  }
})
test('C-29 a result in a user message gives tool.completed with its output', () => {
  expect(read(user(answer('a.txt'), answer('')))).toEqual([
    { type: 'tool.completed', toolId: 'toolu_01ABC', output: 'a.txt' },
    { type: 'tool.completed', toolId: 'toolu_01ABC', output: '' }
  ])
})
test('C-30 a failed result has its content as error', () => {
  expect(read(user(answer('no', { is_error: true })))).toEqual([
    { type: 'tool.completed', toolId: 'toolu_01ABC', error: 'no' }
  ])
})
test('C-31 the result of a TodoWrite call gives tool.completed, also if it is an error', () => {
  const completed = { type: 'tool.completed', toolId: 'toolu_01ABC', toolName: 'TodoWrite' }
  expect(read(assistant(write(todos)), user(answer('ok')))).toEqual([list, { ...completed, output: 'ok' }])
  expect(read(assistant(call('TodoWrite', {})), user(answer('no', { is_error: true })))).toEqual([
    { ...completed, error: 'no' }
  ])
  const [, refused, restored] = read(assistant(write(todos)), user(answer('no', { is_error: true })))
  expect(refused).toEqual({ ...completed, error: 'no' })
  expect(restored).toEqual({ ...list, items: [] })
})
test('C-32 a result at the top level gives tool.completed', () => {
  expect(read(answer('done'), answer('no', { is_error: true }))).toEqual([
    { type: 'tool.completed', toolId: 'toolu_01ABC', output: 'done' },
    { type: 'tool.completed', toolId: 'toolu_01ABC', error: 'no' }
  ])
})
test('C-33 the text of a result record has category result, unless it is empty', () => {
  const result = { type: 'result', subtype: 'success', is_error: false, ...session }
  expect(read({ ...result, result: 'Bye' })[0]).toEqual({
    type: 'text',
    text: 'Bye',
    role: 'assistant',
    category: 'result'
  })
  for (const none of ['', undefined, 7]) expect(read({ ...result, result: none })).toHaveLength(1)
})
test('C-34 a result record ends the turn: done, or error by is_error', () => {
  const end = (more: object): unknown => read({ type: 'result', ...session, ...more }).at(-1)
  expect(end({ subtype: 'success', is_error: false })).toEqual({ type: 'turn.completed', finishReason: 'done' })
  expect(end({})).toEqual({ type: 'turn.completed', finishReason: 'done' })
  expect(end({ subtype: 'success', is_error: true })).toEqual({ type: 'turn.completed', finishReason: 'error' })
})
test('C-35 message_stop and unknown types give nothing', () => {
  expect(read({ type: 'message_stop' }, { type: 'invented' }, {})).toEqual([])
})
test('C-36 beyond the seed: Task tools are todo tools, and each of their results gives tool.completed', () => {
  const create = call('TaskCreate', { subject: 'One' })
  expect(read(assistant(create), user(answer('Task #1 created successfully: One')))).toMatchObject([
    { type: 'todo_list', items: [{ text: 'One', status: 'pending' }] },
    { type: 'tool.completed', toolName: 'TaskCreate' }
  ])
  expect(read(assistant(create), user(answer('disabled', { is_error: true })))).toMatchObject([
    { type: 'tool.completed', error: 'disabled' }
  ])
})
test('C-37 beyond the seed: thoughts, prompts and notices are texts with their own categories', () => {
  const texts = eventsOf(
    claudeParser(),
    assistant({ type: 'thinking', thinking: 'hm' }),
    user({ type: 'text', text: 'go' }),
    { type: 'system', subtype: 'notification', text: 'slow', ...session }
  )
  expect(texts.map(bodyOf)).toEqual([
    { type: 'text', text: 'hm', role: 'assistant', category: 'reasoning' },
    { type: 'text', text: 'go', role: 'user', category: 'user-message' },
    { type: 'text', text: 'slow', role: 'system', category: 'status' }
  ])
})
