import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../events/agent-event.ts'
import { normalizedLine } from '../export/normalized-jsonl.ts'
import type { JsonValue } from '../json.ts'
import type { LinePosition } from './log-format.ts'
import type { ReadLine } from './folded-lines.ts'
import { LogReader } from './log-reader.ts'
import { normalized } from './normalized.ts'
import { headBytes, headOf } from './head.ts'
import { detectFormat } from './registry.ts'

const text = {
  type: 'text',
  eventId: 's:7:0',
  sessionId: 's',
  agentId: 'gemini',
  agentType: 'google-gemini',
  timestamp: 5000,
  text: 'hello',
  role: 'assistant',
  teamMetadata: { teamName: 'solo', memberName: 'gemini', memberDisplayName: 'Gemini', memberRole: 'agent' },
  source: { line: 7, offset: 70, length: 7, ordinal: 0 }
}
const at: LinePosition = { line: 1, offset: 0, length: 1 }

/** The record as read from the file. */
function json(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

function read(lines: readonly string[], now?: () => number): ReadLine[] {
  const read: ReadLine[] = []
  const reader = new LogReader(normalized, { line: (line) => read.push(line) }, now === undefined ? {} : { now })
  reader.push(new TextEncoder().encode(lines.join('\n')))
  reader.end()
  return read
}

function sniffs(...records: unknown[]): boolean {
  const head = { name: 'log.jsonl', framing: 'lines', text: '', cut: '', records: records.map(json) } as const
  return detectFormat(head).format === normalized
}

describe('a log is normalized', () => {
  test('when a record has an event id, a known agent type and one of the seven types', () => {
    expect(sniffs(text)).toBe(true)
    expect(sniffs(null, [1], { some: 'other record' }, text)).toBe(true)
  })

  test('also when its first line is longer than what is looked at', () => {
    const input = { log: [{ parentUuid: 'p', sessionId: 's', text: 'x'.repeat(headBytes) }] }
    const event = { ...text, type: 'tool.started', toolName: 'Read', toolId: 't', input } as AgentEvent
    const head = headOf('log.jsonl', new TextEncoder().encode(normalizedLine(event)))
    expect(detectFormat(head)).toEqual({ format: normalized, note: null })
  })

  test('unless it states otherwise', () => {
    expect(sniffs()).toBe(false)
    expect(sniffs({ ...text, eventId: 7 })).toBe(false)
    expect(sniffs({ ...text, agentType: 7 })).toBe(false)
    expect(sniffs({ ...text, type: 'assistant' })).toBe(false)
    // Codex writes records of this type, too.
    expect(sniffs({ type: 'turn.completed', usage: {} })).toBe(false)
  })
})

describe('a record', () => {
  test('is the event itself, the foreign key raw apart', () => {
    expect(normalized.decode(json({ ...text, raw: '{"the":"line"}' }), at)).toEqual({ drafts: [text], issues: [] })
  })

  const started = { ...text, type: 'tool.started', toolName: 'Bash', toolId: 't', input: {} }
  const todos = { ...text, type: 'todo_list', todoId: 't' }
  test.each([
    [null, '$', 'expected an object, found null'],
    [42, '$', 'expected an object, found a number'],
    [[1], '$', 'expected an object, found an array'],
    [{ ...text, type: undefined }, '$.type', 'expected one of the known types, found nothing'],
    [{ ...text, eventId: undefined }, '$.eventId', 'expected a string, found nothing'],
    [{ ...text, sessionId: null }, '$.sessionId', 'expected a string, found null'],
    [{ ...text, agentType: 7 }, '$.agentType', 'expected a string, found a number'],
    [{ ...text, timestamp: 'now' }, '$.timestamp', 'expected a finite number, found a string'],
    [{ ...text, teamMetadata: {} }, '$.teamMetadata.teamName', 'expected a string, found nothing'],
    [{ ...text, source: { ...text.source, line: 1.5 } }, '$.source.line', 'expected a whole number, found a number'],
    [{ ...started, input: [] }, '$.input', 'must be an object, found an array'],
    [{ ...todos, items: [{ text: 'a', status: 'pending' }, null] }, '$.items[1]', 'expected an object, found null'],
    [
      { ...todos, items: [{ text: 'a', status: 'done' }] },
      '$.items[0].status',
      'expected one of the 4 known values, found a string'
    ],
    [{ ...todos, items: [{ text: ' ', status: 'pending' }] }, '$.items[0].text', 'must not be empty, found a string']
  ])('%j is no event: %s %s', (record, path, message) => {
    expect(normalized.decode(json(record), at)).toEqual({
      drafts: [],
      issues: [{ code: 'TypedParse', path, message }]
    })
  })

  test('of a type that a later version may have is a notice', () => {
    expect(normalized.decode(json({ ...text, type: 'another' }), at)).toEqual({
      drafts: [],
      issues: [{ code: 'UnknownType', path: '$.type', message: 'unknown event type' }]
    })
  })

  test('with a cost or a length below 0 is not read', () => {
    const { text: _text, role: _role, ...base } = text
    const turn = { ...base, type: 'turn.completed', finishReason: 'done' }
    for (const more of [{ costUsd: -1 }, { durationMs: -1 }]) {
      const { drafts, issues } = normalized.decode(json({ ...turn, ...more }), at)
      expect([drafts, issues.map(({ path }) => path)]).toEqual([[], [`$.${Object.keys(more)[0]}`]])
    }
    expect(normalized.decode(json({ ...turn, costUsd: 0, durationMs: 0 }), at).issues).toEqual([])
  })

  test('nested deeper than events may be is not read', () => {
    const deep = JSON.parse('{"a":'.repeat(2000) + '1' + '}'.repeat(2000)) as JsonValue
    expect(normalized.decode({ ...(json(started) as object), input: deep }, at)).toEqual({
      drafts: [],
      issues: [{ code: 'TooDeep', path: '$.input', message: 'nested deeper than 1000 levels; the event is not read' }]
    })
  })
})

describe('a log', () => {
  const lines = [JSON.stringify(text), '{"type":"text"}', '{"cut', JSON.stringify({ ...text, timestamp: 4000 })]

  test('keeps its order, its times and its row for every line', () => {
    const events = read(lines).map((line) => line.events.map(({ timestamp }) => timestamp))
    expect(events).toEqual([[5000], [], [5000], [4000]])
  })

  test('has an error where a line is not JSON, and nothing of the line in it', () => {
    const [, , line] = read(lines)
    const message = 'column 6: the line ends inside a string'
    expect(line?.issues).toEqual([{ code: 'JsonParse', path: null, message }])
    expect(line?.events).toEqual([
      {
        at: line?.at,
        ordinal: 0,
        body: 0,
        draft: { type: 'error', error: message, code: 'JSONL_PARSE_ERROR' },
        timestamp: 5000,
        timestampFrom: 'previous'
      }
    ])
  })

  test('has the time at which it was read for such an error where it is read live', () => {
    const [, , line] = read(lines, () => 9000)
    expect(line?.events).toMatchObject([{ timestamp: 9000, timestampFrom: 'observed' }])
  })

  test('passes the event’s own facts to the fold', () => {
    const event = { ...text, trackId: 'toolu_1', timestampFrom: 'previous' }
    expect(read([JSON.stringify(event)])[0]?.events).toMatchObject([
      { sessionId: 's', trackId: 'toolu_1', timestamp: 5000, timestampFrom: 'previous', draft: event }
    ])
  })
})
