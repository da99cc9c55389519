import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import type { FoldedEvent } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import { cursorStreamJson } from './stream-json.ts'

/** The events of records, one a line and one a second. */
function read(...records: readonly JsonObject[]): FoldedEvent[] {
  const events: FoldedEvent[] = []
  const reader = new LogReader(cursorStreamJson, { line: (line) => events.push(...line.events) })
  for (const [index, record] of records.entries()) {
    const whole = { session_id: 's', timestamp_ms: (index + 1) * 1000, ...record }
    reader.push(new TextEncoder().encode(`${JSON.stringify(whole)}\n`))
  }
  reader.end()
  return events
}

function words({ draft, toolName, tookMs }: FoldedEvent): string {
  if (draft.type === 'todo_list') return `list ${draft.items.map((item) => item.text).join(', ')}`
  if (draft.type !== 'tool.completed') return draft.type
  return `${draft.error === undefined ? 'done' : 'failed'} ${draft.toolId} ${toolName} ${tookMs}`
}

describe('updateTodos', () => {
  const entries = (...contents: string[]): JsonObject[] =>
    contents.map((content) => ({ id: content, content, status: 'TODO_STATUS_PENDING' }))
  const toolCall = (subtype: string, id: string, rest: JsonObject): JsonObject => ({
    type: 'tool_call',
    subtype,
    call_id: id,
    tool_call: { updateTodosToolCall: rest }
  })
  const calls = (id: string, merge: boolean, ...contents: string[]): JsonObject =>
    toolCall('started', id, { args: { todos: entries(...contents), merge } })
  const answers = (id: string, result: JsonObject): JsonObject => toolCall('completed', id, { result })

  test('the call is a list, and its result names the tool', () => {
    const events = read(calls('a', false, 'one'), answers('a', { success: {} }))
    expect(events.map(words)).toEqual(['list one', 'done a updateTodos 1000'])
    expect(events[1]).toMatchObject({ body: 0, draft: { toolId: 'a' } })
  })

  test('a different list of the result precedes it', () => {
    const stated = answers('a', { success: { todos: entries('one', 'two') } })
    const events = read(calls('a', false, 'one'), stated, calls('b', true, 'one'), { ...stated, call_id: 'b' })
    expect(events.map(words)).toEqual([
      ...['list one', 'list one, two', 'done a updateTodos 1000'],
      ...['list one, two', 'done b updateTodos 1000']
    ])
    expect(events.slice(1, 3).map(({ body }) => body)).toEqual([1, 0])
  })

  test('the former list follows the result of a refused call', () => {
    const refused = answers('b', { error: { message: 'no' } })
    expect(read(calls('a', false, 'one'), calls('b', true, 'two'), refused).map(words)).toEqual([
      'list one',
      'list one, two',
      'failed b updateTodos 1000',
      'list one'
    ])
  })
})

describe('what a record of Cursor states (reifying/cursor-hack; the vendor’s page "Output format")', () => {
  const said = (text: string, rest: JsonObject = {}): JsonObject => ({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    model_call_id: 'm',
    ...rest
  })
  const ended = (result: string): JsonObject => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result,
    request_id: 'r'
  })
  const texts = (...records: JsonObject[]): string[] =>
    read(...records).flatMap(({ draft }) => (draft.type === 'text' ? [`${draft.category}: ${draft.text}`] : []))

  test('the answer at the end is no text if it only repeats', () => {
    expect(texts(said('One.'), said('Two.'), ended('One.Two.'))).toEqual([
      'assistant-message: One.',
      'assistant-message: Two.'
    ])
    expect(texts(said('One.'), said('Two.'), ended('Two.'))).toHaveLength(2)
    expect(texts(said('One.'), ended('Other.'))).toEqual(['assistant-message: One.', 'result: Other.'])
    expect(texts(said('One.'), ended('One.'), ended('One.'))).toEqual(['assistant-message: One.', 'result: One.'])
  })

  const call = (subtype: string, rest: JsonObject, record: JsonObject = {}): JsonObject => ({
    type: 'tool_call',
    subtype,
    call_id: 'c',
    tool_call: rest,
    ...record
  })
  const shell = (result?: JsonObject): JsonObject => ({
    shellToolCall: { args: { command: 'sleep 5' }, ...(result && { result }) }
  })

  test('a command states how long it took, a call when it began and ended', () => {
    const [, stated] = read(call('started', shell()), call('completed', shell({ success: { executionTime: 5399 } })))
    expect(stated?.draft).toMatchObject({ durationMs: 5399, durationFrom: 'stated' })
    const times = { startedAtMs: '1774272397615', completedAtMs: '1774272397722' }
    const [own] = read(call('completed', { ...shell({ success: {} }), ...times }, { timestamp_ms: null }))
    expect(own?.draft).toMatchObject({ durationMs: 107, durationFrom: 'stated' })
    expect(own?.timestamp).toBe(1774272397722)
  })
})
