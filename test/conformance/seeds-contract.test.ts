import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as core from '../../src/core/index.ts'
import {
  type ClaudeStreamJsonErrorCode,
  type ClaudeStreamJsonEvent,
  type ClaudeStreamJsonParseError,
  ClaudeStreamJsonParser,
  type ClaudeStreamJsonResult
} from '../../src/core/index.ts'
import { seedsAreHere, seedText } from './seed-parsers.ts'
import { openLog, readLog } from './read-log.ts'

/** Clause by clause: docs/seeds.md#claude-stream-json-contract. */

const parser = new ClaudeStreamJsonParser()
const parse = (value: unknown): ClaudeStreamJsonResult => parser.parseJson(value)
const codeOf = (result: ClaudeStreamJsonResult): ClaudeStreamJsonErrorCode | null =>
  result.ok ? null : result.error.code
const kindOf = (value: unknown): string | undefined => {
  const result = parse(value)
  return result.ok ? result.event?.kind : result.error.code
}

const session = { session_id: 's' }
const init = { type: 'system', subtype: 'init', ...session }
const line = JSON.stringify(init)
const result = (subtype: unknown, more: object = {}): object => ({ type: 'result', subtype, ...session, ...more })
const stream = (event: unknown): object => ({ type: 'stream_event', event, ...session })
const notStrings = [undefined, null, 7, true, [], {}]

/** A record of each kind. */
const records: Readonly<Record<ClaudeStreamJsonEvent['kind'], object>> = {
  SystemInit: init,
  SystemOther: { type: 'system', subtype: 'status', ...session },
  UserMessage: { type: 'user', ...session },
  AssistantMessage: { type: 'assistant', ...session },
  ResultSuccess: result('success'),
  ResultError: result('error'),
  StreamEvent: stream({ type: 'ping' }),
  Unknown: { type: 'rate_limit_event', ...session }
}

/** Records that meet the rules from every side. */
const anyRecord = fc.record(
  {
    type: fc.constantFrom<unknown>('system', 'user', 'assistant', 'result', 'stream_event', 'new', 7),
    session_id: fc.constantFrom<unknown>('s', '', 7, null),
    sessionId: fc.constantFrom<unknown>('s', 7),
    subtype: fc.constantFrom<unknown>('init', 'success', 'error', 'other', 7),
    is_error: fc.constantFrom<unknown>(true, false, null, 'true'),
    event: fc.constantFrom<unknown>({ type: 'ping' }, { type: 7 }, [], null)
  },
  { requiredKeys: [] }
)

test.skipIf(!seedsAreHere)('S-1 the seed is the version of these rows', () => {
  const seed = seedText('claude-stream-json-contract')
  expect(seed).toContain('Contract (v1)')
  expect(seed.match(/\bMUST\b/g)).toHaveLength(25)
})
test('S-2 each line is checked alone, whatever precedes it', () => {
  const used = new ClaudeStreamJsonParser()
  for (const before of ['{"cut', '[]', '{}', JSON.stringify(result('success', { is_error: true }))]) {
    used.parseLine(before)
    expect(used.parseLine(line)).toEqual(new ClaudeStreamJsonParser().parseLine(line))
  }
})
test('S-3 the package exports the parser, its events, its errors and their codes', () => {
  expect(core.ClaudeStreamJsonParser).toBe(ClaudeStreamJsonParser)
  const error: ClaudeStreamJsonParseError = { code: 'JsonParse', message: '' }
  const code: ClaudeStreamJsonErrorCode = error.code
  const event: ClaudeStreamJsonEvent = { kind: 'Unknown', sessionId: null, raw: {} }
  expect([code, event.kind]).toEqual(['JsonParse', 'Unknown'])
})
test('S-4 the parser has a constructor, reset, parseLine and parseJson', () => {
  const made = new ClaudeStreamJsonParser()
  made.parseLine('{"cut')
  made.reset()
  expect(made.parseLine(line)).toEqual(made.parseJson(init))
})
test('S-5 every event keeps its whole record', () => {
  for (const raw of Object.values(records)) {
    const parsed = parse(raw)
    expect(parsed.ok && parsed.event?.raw).toBe(raw)
  }
})
test('S-6 there are eight events, each with its fields', () => {
  for (const [kind, raw] of Object.entries(records)) {
    expect(parse(raw)).toMatchObject({ ok: true, event: { kind, sessionId: 's', raw } })
  }
  expect(parse(records.SystemOther)).toMatchObject({ event: { subtype: 'status' } })
  expect(parse(stream({ type: 'ping', n: 1 }))).toMatchObject({
    event: { stream: { eventType: 'ping', raw: { type: 'ping', n: 1 } } }
  })
})
test('S-7 exactly one carriage return at the end is removed from the line', () => {
  expect(parser.parseLine(`${line}\r`)).toEqual(parser.parseLine(line))
  expect(parser.parseLine('"a\r')).not.toEqual(parser.parseLine('"a\r\r'))
})
test('S-8 a line of white space is ignored', () => {
  for (const blank of ['', '\r', ' \t', '\u00A0\u2028'])
    expect(parser.parseLine(blank)).toEqual({ ok: true, event: null })
})
test('S-9 a line is not trimmed before it is parsed', () => {
  for (const before of ['\uFEFF', '\u00A0', '\u2003', '\0'])
    expect(codeOf(parser.parseLine(before + line))).toBe('JsonParse')
})
test('S-10 a missing type, or one that is not a string, is TypedParse', () => {
  for (const type of notStrings) expect(codeOf(parse({ ...session, type }))).toBe('TypedParse')
  for (const value of [null, 7, 'system', [init]]) expect(codeOf(parse(value))).toBe('TypedParse')
})
test('S-11 the five known types are known', () => {
  const kinds = [
    init,
    { type: 'user', ...session },
    { type: 'assistant', ...session },
    result('success'),
    stream({ type: 'a' })
  ].map(kindOf)
  expect(kinds).toEqual(['SystemInit', 'UserMessage', 'AssistantMessage', 'ResultSuccess', 'StreamEvent'])
})
test('S-12 any other type is Unknown, without an error', () => {
  for (const type of ['rate_limit_event', 'System', '', '__proto__']) expect(kindOf({ type })).toBe('Unknown')
})
test('S-13 the session is the first string of session_id and sessionId', () => {
  const sessionOf = (ids: object): unknown => {
    const parsed = parse({ type: 'user', ...ids })
    return parsed.ok ? parsed.event?.sessionId : parsed.error.code
  }
  expect([sessionOf({ session_id: 'a', sessionId: 'b' }), sessionOf({ sessionId: 'b' })]).toEqual(['a', 'b'])
  for (const id of notStrings) expect(sessionOf({ session_id: id, sessionId: 'b' })).toBe('b')
})
test('S-14 a known type without a session is TypedParse', () => {
  for (const known of Object.values(records).filter((record) => record !== records.Unknown)) {
    for (const id of notStrings) expect(codeOf(parse({ ...known, session_id: id }))).toBe('TypedParse')
  }
})
test('S-15 an unknown type may have a session', () => {
  expect(parse({ type: 'new', session_id: 7 })).toMatchObject({ event: { sessionId: null } })
  expect(parse({ type: 'new', sessionId: 'b' })).toMatchObject({ event: { sessionId: 'b' } })
})
test('S-16 a system record whose subtype is not a string is TypedParse', () => {
  for (const subtype of notStrings) expect(codeOf(parse({ ...init, subtype }))).toBe('TypedParse')
})
test('S-17 the subtype init is SystemInit', () => {
  expect(kindOf(init)).toBe('SystemInit')
})
test('S-18 any other subtype is SystemOther, without an error', () => {
  for (const subtype of ['compact_boundary', 'Init', '']) {
    expect(parse({ ...init, subtype })).toMatchObject({ ok: true, event: { kind: 'SystemOther', subtype } })
  }
})
test('S-19 a stream_event whose event is not an object is TypedParse', () => {
  for (const event of [undefined, null, 7, 'a', [], [{ type: 'a' }]])
    expect(codeOf(parse(stream(event)))).toBe('TypedParse')
})
test('S-20 a stream_event whose event type is not a string is TypedParse', () => {
  for (const type of notStrings) expect(codeOf(parse(stream({ type })))).toBe('TypedParse')
})
test('S-21 an unknown inner type is a StreamEvent', () => {
  expect(kindOf(stream({ type: 'not_yet_invented' }))).toBe('StreamEvent')
})
test('S-22 a result whose subtype is not a string is TypedParse', () => {
  for (const subtype of notStrings) expect(codeOf(parse(result(subtype)))).toBe('TypedParse')
})
test('S-23 a result whose subtype is neither success nor error is TypedParse', () => {
  for (const subtype of ['error_max_turns', 'Success', '']) expect(codeOf(parse(result(subtype)))).toBe('TypedParse')
})
test('S-24 an is_error that is not a boolean is TypedParse', () => {
  for (const is_error of [null, 0, 'true', []]) {
    for (const subtype of ['success', 'error']) expect(codeOf(parse(result(subtype, { is_error })))).toBe('TypedParse')
  }
})
test('S-25 an is_error that contradicts the subtype is Normalize', () => {
  expect(codeOf(parse(result('success', { is_error: true })))).toBe('Normalize')
  expect(codeOf(parse(result('error', { is_error: false })))).toBe('Normalize')
  expect(kindOf(result('success', { is_error: false }))).toBe('ResultSuccess')
  expect(kindOf(result('error', { is_error: true }))).toBe('ResultError')
})
test('S-26 nothing else is Normalize', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      if (codeOf(parse(record)) !== 'Normalize') return
      expect([record.type, record.is_error]).toEqual(['result', record.subtype === 'success'])
    }),
    { numRuns: 2000 }
  )
})
test('S-27 every error has one of the codes, never Unknown', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyRecord.map((record) => JSON.stringify(record)),
        fc.string()
      ),
      (text) => {
        expect([null, 'JsonParse', 'TypedParse', 'Normalize']).toContain(codeOf(parser.parseLine(text)))
      }
    )
  )
  expect(codeOf(parser.parseLine('{'))).toBe('JsonParse')
})
test('S-28 a message contains no text of the line', () => {
  const secret = 'sk-ant-0123456789'
  const broken = [secret, `{"${secret}`, `{"type":"result","session_id":"s","subtype":"${secret}"}`, `{"${secret}":1}`]
  for (const text of broken) {
    expect(codeOf(parser.parseLine(text))).not.toBeNull()
    expect(JSON.stringify(parser.parseLine(text))).not.toContain(secret)
  }
})
test('S-29 where parseLine gives an event, parseJson gives the same', () => {
  for (const raw of Object.values(records)) expect(parser.parseLine(JSON.stringify(raw))).toEqual(parse(raw))
})
test('S-30 where parseLine refuses a record, parseJson refuses it with the same code', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const text = JSON.stringify(record)
      expect(parse(JSON.parse(text))).toEqual(parser.parseLine(text))
    }),
    { numRuns: 2000 }
  )
})
test('S-31 parseJson never gives JsonParse', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(codeOf(parse(value))).not.toBe('JsonParse')
    })
  )
})
test('S-32 a log that violates the contract is read, with its violations as issues', () => {
  const text = `${line}\n${JSON.stringify(result('error_max_turns', { is_error: false }))}\n`
  const { lines, events } = readLog(openLog(new TextEncoder().encode(text)))
  expect(lines.flatMap(({ issues }) => issues.map(({ code }) => code))).toEqual(['TypedParse'])
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed', finishReason: 'error' })
})
