import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClaudeStreamJsonResult, ClaudeStreamJsonParser } from './contract.ts'

// Clause by clause: docs/seeds.md#claude-stream-json-contract.

const parser = new ClaudeStreamJsonParser()

function parse(value: unknown): ClaudeStreamJsonResult {
  return parser.parseJson(value)
}

function refusal(code: string, path: string, message?: string) {
  return { ok: false, error: { code, path, message: message ?? (expect.any(String) as string) } }
}

const session = { session_id: 's' }
const init = { type: 'system', subtype: 'init', ...session, model: 'm' }
const result = { type: 'result', ...session }

describe('Public API', () => {
  test('a parser can be reset and then parses as a new one', () => {
    const used = new ClaudeStreamJsonParser()
    used.parseLine('{"cut')
    used.parseLine(JSON.stringify(init))
    used.reset()
    expect(used.parseLine(JSON.stringify(init))).toEqual(new ClaudeStreamJsonParser().parseLine(JSON.stringify(init)))
  })
})

describe('Typed raw event model', () => {
  const records: [string, object, object][] = [
    ['SystemInit', init, {}],
    ['SystemOther', { type: 'system', subtype: 'api_retry', ...session }, { subtype: 'api_retry' }],
    ['UserMessage', { type: 'user', ...session, message: {} }, {}],
    ['AssistantMessage', { type: 'assistant', ...session, message: {} }, {}],
    ['ResultSuccess', { ...result, subtype: 'success' }, {}],
    ['ResultError', { ...result, subtype: 'error' }, {}],
    [
      'StreamEvent',
      { type: 'stream_event', ...session, event: { type: 'ping', n: 1 } },
      { stream: { eventType: 'ping', raw: { type: 'ping', n: 1 } } }
    ],
    ['Unknown', { type: 'rate_limit_event', ...session }, {}]
  ]

  test.each(records)('%s', (kind, raw, fields) => {
    expect(parse(raw)).toEqual({ ok: true, event: { kind, sessionId: 's', raw, ...fields } })
  })

  test.each(records)('%s is lossless: raw is the record itself', (_kind, raw) => {
    const parsed = parse(raw)
    expect(parsed.ok && parsed.event?.raw).toBe(raw)
  })
})

describe('Line handling', () => {
  const line = JSON.stringify(init)
  const blankEvent = { ok: true, event: null }

  test('a line of JSON is its record', () => {
    expect(parser.parseLine(line)).toEqual({ ok: true, event: { kind: 'SystemInit', sessionId: 's', raw: init } })
  })

  test('strip exactly one trailing \\r', () => {
    expect(parser.parseLine(`${line}\r`)).toEqual(parser.parseLine(line))
    expect(parser.parseLine('"a\r')).toMatchObject({ error: { message: 'column 3: the line ends inside a string' } })
    expect(parser.parseLine('"a\r\r')).toMatchObject({
      error: { message: 'column 3: a control character in a string' }
    })
  })

  test.each(['', '\r', ' ', '\t', '\r\r', ' \u00A0\u2003\u3000\u2028'])('ignore whitespace-only lines: %j', (blank) => {
    expect(parser.parseLine(blank)).toEqual(blankEvent)
  })

  test.each(['\uFEFF', '\u00A0', '\u2003', '\0'])(
    'no full trim before JSON parsing: %j before the object',
    (before) => {
      expect(parser.parseLine(before + line)).toEqual({
        ok: false,
        error: { code: 'JsonParse', message: 'column 1: not a JSON value' }
      })
    }
  )

  test('a byte order mark alone is not white space', () => {
    expect(parser.parseLine('\uFEFF')).toMatchObject({ error: { code: 'JsonParse' } })
  })

  test('white space that JSON itself allows is no fault', () => {
    expect(parser.parseLine(` \t${line} `)).toEqual(parser.parseLine(line))
  })
})

describe('Outer type', () => {
  test.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [7, 'a number'],
    [['system'], 'an array'],
    [{ type: 'system' }, 'an object']
  ])('missing or not a string is TypedParse: %j', (type, found) => {
    expect(parse({ ...session, type })).toEqual(refusal('TypedParse', '$.type', `expected a string, found ${found}`))
  })

  test.each([
    ['null', 'null'],
    ['42', 'a number'],
    ['"system"', 'a string'],
    ['[1]', 'an array'],
    ['[{"type":"system","subtype":"init","session_id":"s"}]', 'an array']
  ])('a value that is not an object has no type: %s is TypedParse', (line, found) => {
    const expected = refusal('TypedParse', '$', `expected an object, found ${found}`)
    expect(parser.parseLine(line)).toEqual(expected)
    expect(parse(JSON.parse(line))).toEqual(expected)
  })

  test.each(['System', 'rate_limit_event', '', '__proto__', 'constructor'])(
    'a string that is not known is Unknown and no error: %j',
    (type) => {
      expect(parse({ ...session, type })).toMatchObject({ ok: true, event: { kind: 'Unknown', sessionId: 's' } })
    }
  )
})

describe('session_id', () => {
  const known = [
    init,
    { type: 'system', subtype: 'other', ...session },
    { type: 'user', ...session },
    { type: 'assistant', ...session },
    { type: 'result', subtype: 'success', ...session },
    { type: 'stream_event', event: { type: 'ping' }, ...session }
  ]

  test.each(known)('comes from session_id, then from sessionId: $type', (record) => {
    const sessionId = (ids: object) => {
      const parsed = parse({ ...record, session_id: undefined, ...ids })
      return parsed.ok ? parsed.event?.sessionId : parsed.error.path
    }
    expect(sessionId({ session_id: 'a', sessionId: 'b' })).toBe('a')
    expect(sessionId({ sessionId: 'b' })).toBe('b')
  })

  test.each([null, 7, {}, ['s'], false])('not a string: falls through to a valid sessionId: %j', (id) => {
    expect(parse({ ...init, session_id: id, sessionId: 'b' })).toMatchObject({ event: { sessionId: 'b' } })
  })

  test('an empty string is a string', () => {
    expect(parse({ ...init, session_id: '', sessionId: 'b' })).toMatchObject({ event: { sessionId: '' } })
  })

  test.each(known)('missing or not a string is TypedParse: $type', (record) => {
    const refused = (found: string) => refusal('TypedParse', '$.session_id', `expected a string, found ${found}`)
    expect(parse({ ...record, session_id: undefined })).toEqual(refused('nothing'))
    expect(parse({ ...record, session_id: 7 })).toEqual(refused('a number'))
    expect(parse({ ...record, session_id: null })).toEqual(refused('null'))
    expect(parse({ ...record, session_id: undefined, sessionId: [] })).toEqual(refused('an array'))
  })

  test('is asked for before what the variant asks for', () => {
    expect(parse({ type: 'system' })).toEqual(refusal('TypedParse', '$.session_id'))
    expect(parse({ type: 'stream_event', event: [] })).toEqual(refusal('TypedParse', '$.session_id'))
    expect(parse({ type: 'result', subtype: 'success', is_error: true })).toEqual(refusal('TypedParse', '$.session_id'))
  })

  test('of an unknown outer type is best effort and may be absent', () => {
    for (const [ids, sessionId] of [
      [{}, null],
      [{ session_id: 7 }, null],
      [{ session_id: 7, sessionId: 'b' }, 'b'],
      [{ session_id: 'a', sessionId: 'b' }, 'a']
    ] as const) {
      const raw = { type: 'new', ...ids }
      expect(parse(raw)).toEqual({ ok: true, event: { kind: 'Unknown', sessionId, raw } })
    }
  })
})

describe('system subtype', () => {
  test.each([undefined, null, 7, ['init']])('not a string is TypedParse: %j', (subtype) => {
    expect(parse({ ...init, subtype })).toEqual(refusal('TypedParse', '$.subtype'))
  })

  test('init is SystemInit', () => {
    expect(parse(init)).toMatchObject({ event: { kind: 'SystemInit' } })
  })

  test.each(['compact_boundary', 'Init', ''])('any other is SystemOther and no error: %j', (subtype) => {
    expect(parse({ ...init, subtype })).toMatchObject({ ok: true, event: { kind: 'SystemOther', subtype } })
  })
})

describe('stream_event wrapper', () => {
  const wrapped = (event: unknown) => parse({ type: 'stream_event', ...session, event })

  test.each([undefined, null, 'ping', 7, [], [{ type: 'ping' }]])('event must be an object: %j is not', (event) => {
    expect(wrapped(event)).toEqual(refusal('TypedParse', '$.event'))
  })

  test.each([undefined, null, 7, {}])('event.type must be a string: %j is not', (type) => {
    expect(wrapped({ type })).toEqual(refusal('TypedParse', '$.event.type'))
  })

  test('an unknown inner type is still a StreamEvent', () => {
    const event = { type: 'not_yet_invented' }
    expect(wrapped(event)).toMatchObject({
      ok: true,
      event: { kind: 'StreamEvent', stream: { eventType: 'not_yet_invented', raw: event } }
    })
  })
})

describe('result discriminator', () => {
  test.each([undefined, null, true])('subtype must be a string: %j is not', (subtype) => {
    expect(parse({ ...result, subtype })).toEqual(refusal('TypedParse', '$.subtype'))
  })

  test.each(['error_max_turns', 'error_during_execution', 'Success', ''])(
    'subtype must be success or error: %j is TypedParse',
    (subtype) => {
      expect(parse({ ...result, subtype })).toEqual(
        refusal('TypedParse', '$.subtype', 'expected "success" or "error", found another string')
      )
    }
  )

  test.each([null, 'true', 0, []])('is_error, if present, must be a boolean: %j is TypedParse', (isError) => {
    const refused = refusal('TypedParse', '$.is_error')
    expect(parse({ ...result, subtype: 'success', is_error: isError })).toEqual(refused)
    expect(parse({ ...result, subtype: 'error', is_error: isError })).toEqual(refused)
  })

  test.each([
    ['success', true, refusal('Normalize', '$.is_error')],
    ['error', false, refusal('Normalize', '$.is_error')],
    ['success', false, { ok: true, event: { kind: 'ResultSuccess' } }],
    ['error', true, { ok: true, event: { kind: 'ResultError' } }],
    ['success', undefined, { ok: true, event: { kind: 'ResultSuccess' } }],
    ['error', undefined, { ok: true, event: { kind: 'ResultError' } }]
  ])('subtype %j with is_error %j', (subtype, isError, expected) => {
    const record = isError === undefined ? { ...result, subtype } : { ...result, subtype, is_error: isError }
    expect(parse(record)).toMatchObject(expected)
  })

  test('an unknown subtype is refused before is_error is looked at', () => {
    expect(parse({ ...result, subtype: 'other', is_error: 7 })).toEqual(refusal('TypedParse', '$.subtype'))
  })
})

/** Records that hit the rules of the contract more often than random ones. */
const anyId = fc.constantFrom<unknown>('s', '', 7, null)
const anyType = fc.constantFrom<unknown>('system', 'user', 'assistant', 'result', 'stream_event', 'new', 7, null)
const anyRecord: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        type: anyType,
        session_id: anyId,
        sessionId: anyId,
        subtype: fc.constantFrom<unknown>('init', 'success', 'error', 'other', 7),
        is_error: fc.constantFrom<unknown>(true, false, null, 'true'),
        event: fc.oneof(
          fc.record({ type: fc.constantFrom<unknown>('ping', 7) }, { requiredKeys: [] }),
          fc.constantFrom<unknown>(null, [], 'event')
        ),
        message: fc.jsonValue()
      },
      { requiredKeys: ['type'] }
    )
  },
  { weight: 1, arbitrary: fc.jsonValue() }
)

describe('Error taxonomy', () => {
  test('every refusal has one of the codes; only a record has a path', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyRecord.map((record) => JSON.stringify(record)),
          fc.string()
        ),
        (line) => {
          const parsed = parser.parseLine(line)
          if (parsed.ok) return
          expect(['JsonParse', 'TypedParse', 'Normalize']).toContain(parsed.error.code)
          expect(parsed.error.path === undefined).toBe(parsed.error.code === 'JsonParse')
        }
      )
    )
  })

  test('Normalize is for contradictory results only', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const parsed = parse(record)
        if (parsed.ok || parsed.error.code !== 'Normalize') return
        const { type, subtype, is_error: isError } = record as Record<string, unknown>
        expect([type, subtype, isError]).toEqual(['result', subtype, subtype === 'success'])
      }),
      { numRuns: 2000 }
    )
  })
})

describe('Redaction', () => {
  const secret = 'sk-ant-0123456789'

  function expectRedacted(line: string): void {
    const parsed = parser.parseLine(line)
    if (parsed.ok) return
    const { message } = parsed.error
    for (let at = 0; at + 12 <= message.length; at++) expect(line).not.toContain(message.slice(at, at + 12))
  }

  test.each([
    secret,
    `{"${secret}`,
    `{"type":"system","session_id":"${secret}","subtype":7}`,
    `{"type":"result","session_id":"s","subtype":"${secret}"}`,
    `{"type":"result","session_id":"s","subtype":"success","is_error":"${secret}"}`,
    `{"type":"stream_event","session_id":"s","event":"${secret}"}`
  ])('the message has nothing of %s', (line) => {
    const parsed = parser.parseLine(line)
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed)).not.toContain(secret)
    expectRedacted(line)
  })

  test('no message has 12 characters in a row of any line', () => {
    // Ends a string early, drops a brace, or inserts words.
    const damaged = fc
      .tuple(anyRecord, fc.nat(), fc.nat(8), fc.oneof(fc.constantFrom('', '"', '}', '\\', '\n'), fc.string()))
      .map(([record, where, gone, put]) => {
        const line = JSON.stringify(record)
        const at = where % (line.length + 1)
        return line.slice(0, at) + put + line.slice(at + gone)
      })
    fc.assert(fc.property(fc.oneof(damaged, fc.string(), fc.json()), expectRedacted), { numRuns: 5000 })
  })
})

describe('Optimization neutrality', () => {
  test('parseLine and parseJson agree on every record', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = JSON.stringify(record)
        expect(parser.parseLine(line)).toEqual(parse(JSON.parse(line)))
      }),
      { numRuns: 5000 }
    )
  })

  test('parseJson never returns JsonParse or null', () => {
    fc.assert(
      fc.property(fc.oneof(anyRecord, fc.anything()), (value) => {
        const parsed = parse(value)
        if (parsed.ok) expect(parsed.event).not.toBeNull()
        else expect(parsed.error.code).not.toBe('JsonParse')
      }),
      { numRuns: 2000 }
    )
  })

  test('raw is the parsed value', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const parsed = parse(record)
        if (parsed.ok) expect(parsed.event?.raw).toBe(record)
      }),
      { numRuns: 2000 }
    )
  })
})
