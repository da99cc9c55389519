import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { FoldedEvent } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import { claudeStreamJson } from './stream-json.ts'

const utf8 = new TextEncoder()

function read(...records: readonly JsonObject[]): { events: FoldedEvent[]; issues: string[] } {
  const events: FoldedEvent[] = []
  const issues: string[] = []
  const reader = new LogReader(claudeStreamJson, {
    line(line) {
      events.push(...line.events)
      issues.push(...line.issues.map((issue) => `${issue.code} ${issue.path}`))
    },
    end: (ended) => events.push(...ended)
  })
  for (const record of records) reader.push(utf8.encode(`${JSON.stringify(record)}\n`))
  reader.end()
  return { events, issues }
}

const record = (type: string, rest: JsonObject): JsonObject => ({
  type,
  session_id: 's',
  parent_tool_use_id: null,
  ...rest
})
const says = (content: JsonValue, rest: JsonObject = {}, id = 'm'): JsonObject =>
  record('assistant', { message: { id, role: 'assistant', content }, ...rest })
const answers = (block: JsonObject, rest: JsonObject = {}): JsonObject =>
  record('user', { message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', ...block }] }, ...rest })
const text = (words: string): JsonObject => ({ type: 'text', text: words })

test('of millions of unknown blocks the first hundred are reported, and that there are more', () => {
  const { issues, events } = read(says([...Array<JsonValue>(1_000_000).fill(0), text('last')]))
  expect(issues.length).toBe(101)
  expect(issues.at(-1)).toBe('UnknownBlock $.message.content[100]')
  expect(events.map(({ draft }) => draft)).toMatchObject([{ text: 'last' }])
})

describe('tool results', () => {
  test('count in assistant messages, too', () => {
    const { events, issues } = read(says([{ type: 'tool_result', tool_use_id: 't', content: [text('ok')] }]))
    expect(events.map(({ draft }) => draft)).toEqual([{ type: 'tool.completed', toolId: 't', output: 'ok' }])
    expect(issues).toEqual([])
  })

  test('error if and only if is_error is true, and then no output', () => {
    const drafts = [{ is_error: true }, { is_error: false }, { is_error: 'true' }, {}].map(
      (flag) => read(answers({ content: 'out', ...flag })).events[0]?.draft
    )
    expect(drafts).toEqual([
      { type: 'tool.completed', toolId: 't', error: 'out' },
      ...Array(3).fill({ type: 'tool.completed', toolId: 't', output: 'out' })
    ])
  })

  test('two results for one call both stay', () => {
    expect(read(answers({ content: 'a' }), answers({ content: 'b' })).events).toHaveLength(2)
  })
})

describe('errors of the API', () => {
  test.each([
    ['error', { error: 'rate_limit' }, { type: 'error', error: 'Too much', code: 'rate_limit' }],
    [
      'status',
      { is_api_error_message: true, api_error_status: 529 },
      { type: 'error', error: 'Too much', code: 'api_error_529' }
    ]
  ])('by %s', (_, flags, draft) => {
    expect(read(says([text('Too much')], flags)).events[0]?.draft).toEqual(draft)
  })
})

describe('sessions and turns', () => {
  const init = (session: string): JsonObject => record('system', { subtype: 'init', session_id: session })
  const result = (rest: JsonObject): JsonObject => record('result', { subtype: 'success', ...rest })

  test('each turn has an init; a session starts once', () => {
    const { events } = read(init('a'), init('a'), init('b'))
    expect(events.map((event) => [event.at.line, event.sessionId])).toEqual([
      [1, 'a'],
      [3, 'b']
    ])
  })

  test('a result carries usage, cost and duration as they are', () => {
    const usage = { input_tokens: 1, nested: { deep: [2] } }
    const { events } = read(result({ usage, total_cost_usd: 0.5, duration_ms: 7 }))
    expect(events[0]?.draft).toEqual({
      type: 'turn.completed',
      finishReason: 'done',
      usage,
      costUsd: 0.5,
      durationMs: 7
    })
  })

  const saysAs = (model: string): JsonObject =>
    record('assistant', { message: { id: model, role: 'assistant', model, content: [text('x')] } })
  const modelsOf = (...records: JsonObject[]) =>
    read(...records).events.flatMap(({ draft }) =>
      draft.type === 'turn.completed' ? [[draft.finishReason, draft.model]] : []
    )

  test('the model of a turn is the one that answered last; the results of several turns may all come at the end', () => {
    expect(modelsOf(init('a'), saysAs('m1'), init('a'), saysAs('m2'), result({}), result({}))).toEqual([
      ['done', 'm2'],
      ['done', 'm2']
    ])
    expect(modelsOf(init('a'), saysAs('m1'), result({}), init('a'), result({}))).toEqual([
      ['done', 'm1'],
      ['done', undefined]
    ])
  })

  test('an interrupted turn ends at its result, else at the next prompt', () => {
    const typed = (words: string): JsonObject => record('user', { message: { role: 'user', content: words } })
    const interrupt = typed('[Request interrupted by user]')
    expect(modelsOf(saysAs('m1'), interrupt, typed('go on'), result({}))).toEqual([
      ['cancelled', 'm1'],
      ['done', undefined]
    ])
    expect(modelsOf(saysAs('m1'), interrupt, result({ subtype: 'error_during_execution' }))).toEqual([['error', 'm1']])
    expect(modelsOf(saysAs('m1'), interrupt)).toEqual([['cancelled', 'm1']])
  })

  test('what the contract refuses is reported and read all the same', () => {
    const { events, issues } = read(result({ subtype: 'error_max_turns', is_error: false, errors: ['Reached 3'] }))
    expect(issues).toEqual(['TypedParse $.subtype'])
    expect(events.map((event) => event.draft)).toEqual([
      { type: 'error', error: 'Reached 3', code: 'error_max_turns' },
      { type: 'turn.completed', finishReason: 'error' }
    ])
  })
})

describe('partial messages', () => {
  const event = (body: JsonObject, parent: string | null = null): JsonObject =>
    record('stream_event', { event: body, parent_tool_use_id: parent })
  const start = (id: string): JsonObject => event({ type: 'message_start', message: { id } })
  const delta = (words: string, index = 0): JsonObject =>
    event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } })

  test('deltas are records, the whole line is the event', () => {
    const { events } = read(
      start('m'),
      delta('Hel'),
      delta('lo'),
      says([text('Hello')]),
      event({ type: 'message_stop' })
    )
    expect(events.map((found) => [found.at.line, found.body])).toEqual([[4, 0]])
  })

  test('an abandoned message is one event, before the next message', () => {
    const { events } = read(
      start('m'),
      delta('Lost '),
      delta('words'),
      start('n'),
      delta('New'),
      says([text('New')], {}, 'n')
    )
    expect(events.map((found) => found.draft)).toMatchObject([{ text: 'Lost words' }, { text: 'New' }])
    expect(events[0]).toMatchObject({ at: { line: 4 }, body: -1 })
  })

  test('blocks of one message are settled one by one', () => {
    const { events } = read(start('m'), delta('one', 0), says([text('one')]), delta('two', 1))
    expect(events.map((found) => found.draft)).toMatchObject([{ text: 'one' }, { text: 'two' }])
  })

  test('a result ends what the main agent was saying', () => {
    const { events } = read(start('m'), delta('Cut'), record('result', { subtype: 'success' }))
    expect(events.map((found) => found.draft.type)).toEqual(['text', 'turn.completed'])
  })
})

test('a subagent is a track; a background command that ends is not', () => {
  const call = (id: string, name: string): JsonObject => says([{ type: 'tool_use', id, name, input: {} }])
  const ended = (id: string): JsonObject =>
    record('system', { subtype: 'task_notification', tool_use_id: id, summary: 'done', parent_tool_use_id: null })
  const { events } = read(call('t1', 'Agent'), call('t2', 'Bash'), ended('t1'), ended('t2'))
  expect(events.map((event) => event.trackId)).toEqual([undefined, undefined, 't1', undefined])
})
