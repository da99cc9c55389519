import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { someCuts } from '../../../test/conformance/read-log.ts'
import { RunIndex } from '../index/run-index.ts'
import type { JsonObject } from '../json.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { codexRollout } from './codex/rollout.ts'
import { partsOfLine } from './damaged-line.ts'
import { decodeLine } from './decode-line.ts'
import { recordsOf } from './decode-parts.ts'
import type { ReadLine } from './folded-lines.ts'
import type { LogFormat } from './log-format.ts'
import { LogReader } from './log-reader.ts'
import { RunReader } from './run-reader.ts'

/** docs/formats/README.md#a-damaged-line-keeps-its-whole-records */

let ids = 0
const said = (text: string, rest: JsonObject = {}): string =>
  JSON.stringify({
    ...{ parentUuid: null, isSidechain: false, sessionId: 's', type: 'assistant', uuid: `u${ids++}` },
    ...{ timestamp: '2026-03-01T10:00:00.000Z', message: { role: 'assistant', content: [{ type: 'text', text }] } },
    ...rest
  })
const item = (text: string, rest: JsonObject = {}): string => {
  const payload = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
  return JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item', payload, ...rest })
}
const zeros = '\0'.repeat(700)
const utf8 = new TextEncoder()

function linesOf(log: string | Uint8Array, format: LogFormat = claudeTranscript, cuts: number[] = []): ReadLine[] {
  const bytes = typeof log === 'string' ? utf8.encode(log) : log
  const lines: ReadLine[] = []
  const reader = new LogReader(format, { line: (line) => lines.push(line) })
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    reader.push(bytes.slice(from, to))
    from = to
  }
  reader.end()
  return lines
}

/** The texts of the events, an error as `!`; a text that is no record in brackets. */
function saidIn(lines: readonly ReadLine[]): string[] {
  return lines.flatMap(({ events }) =>
    events.flatMap(({ draft }) => {
      if (draft.type === 'error') return ['!']
      if (draft.type !== 'text') return []
      return draft.category === 'unparsed' ? `[${draft.text}]` : draft.text
    })
  )
}

const malformedOf = (lines: readonly ReadLine[]): string[] =>
  lines.flatMap(({ at, issues }) => issues.flatMap(({ code }) => (code === 'JsonParse' ? [`${at.line}`] : [])))

test.each([
  ['zeros before a record', `${zeros}${said('one')}`, ['!', `[${zeros}]`, 'one']],
  ['zeros between records', `${said('one')}${zeros}${said('two')}`, ['one', '!', `[${zeros}]`, 'two']],
  ['two records', said('one') + said('two'), ['one', 'two']],
  ['three records and white space', `${said('one')} \t${said('two')}\r${said('three')}`, ['one', 'two', 'three']],
  ['a mark of byte order before a record', `\uFEFF${said('one')}`, ['!', '[\uFEFF]', 'one']],
  ['text before a record', `Warning: ü${said('one')}`, ['!', '[Warning: ü]', 'one']],
  ['text with a colon before a record', `Warning: ${said('one')}`, ['!', '[Warning:]', 'one']],
  ['text behind a record', `${said('one')} Terminated`, ['one', '!', '[Terminated]']],
  ['text on both sides', `a${said('one')}b${said('two')}c`, ['!', '[a]', 'one', '!', '[b]', 'two', '!', '[c]']],
  ['a record without its start', `":"x {a"}]}}${said('one')}`, ['!', '[":"x {a"}]}}]', 'one']],
  ['a record without its start and its end', `pe":"user", ${said('one')}`, ['!', '[pe":"user",]', 'one']]
])('%s', (_what, line, expected) => {
  const lines = linesOf(`${said('before')}\n${line}\n${said('after')}\n`)
  expect(saidIn(lines)).toEqual(['before', ...expected, 'after'])
  expect(malformedOf(lines)).toEqual(['2'])
  expect(lines.at(-1)?.at.line).toBe(3)
})

test('a cut record gives up the next one, wherever it was cut', () => {
  const record = said('say "it" \\ \u0007 ü\n', { version: 1.5, isMeta: false })
  const bytes = utf8.encode(record)
  const next = utf8.encode(said('next'))
  for (let length = 1; length < bytes.length; length++) {
    const line = Uint8Array.from([...bytes.slice(0, length), ...next])
    const lines = linesOf(line)
    expect([length, saidIn(lines).at(-1), malformedOf(lines)]).toEqual([length, 'next', ['1']])
    expect(lines.at(-1)?.at).toEqual({ line: 1, offset: length, length: next.length, terminated: false })
  }
})

test('a cut record alone gives up nothing that it holds, wherever it was cut', () => {
  // The payload of an item was a record of its own in old rollouts.
  for (const [format, record] of [
    [codexRollout, item('one')],
    [
      claudeTranscript,
      said('', {
        type: 'progress',
        data: {
          type: 'agent_progress',
          message: { type: 'user', message: { content: 'in' }, uuid: 'u', timestamp: '' }
        }
      })
    ],
    [
      claudeStreamJson,
      JSON.stringify({ type: 'stream_event', event: { type: 'content_block_delta', delta: {} }, uuid: 'u' })
    ]
  ] as const) {
    for (let length = 1; length < record.length; length++) {
      const lines = linesOf(`${record.slice(0, length)}\n`, format)
      expect([record.slice(0, length), lines.length]).toEqual([record.slice(0, length), 1])
    }
    for (let from = 1; from < record.length; from++) {
      const lines = linesOf(`${record.slice(from)}\n`, format)
      expect([record.slice(from), lines.length]).toEqual([record.slice(from), 1])
    }
  }
})

test('a text that quotes a record is not one', () => {
  const quoting = said(`see ${said('quoted')}`)
  expect(saidIn(linesOf(`${quoting.slice(0, -30)}\n`))).toEqual(['!', `[${quoting.slice(0, -30)}]`])
})

test('an object that the format does not know is no record', () => {
  expect(saidIn(linesOf('x {"a":1} {} {"type":"mystery"}\n'))).toEqual(['!', '[x {"a":1} {} {"type":"mystery"}]'])
  expect(saidIn(linesOf(`${said('one')}{"a":1} y\n`))).toEqual(['one', '!', '[{"a":1} y]'])
})

test('each part is read again from its own place', () => {
  const bytes = utf8.encode(`ü${said('größer')}${said('two')}${zeros}${said('three')}\n`)
  const lines = linesOf(bytes)
  expect(saidIn(lines)).toEqual(['!', '[ü]', 'größer', 'two', '!', `[${zeros}]`, 'three'])
  for (const { at, events } of lines) {
    const again = decodeLine(claudeTranscript, { ...at, bytes: bytes.subarray(at.offset, at.offset + at.length) })
    for (const { draft, body } of events) if (body >= 0) expect(again.decoded?.drafts[body]).toEqual(draft)
  }
  expect(lines.flatMap(({ events }) => events.map(({ ordinal }) => ordinal))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('is the same in any chunking', () => {
  const log = utf8.encode(`${said('a')}${said('b')}\n${zeros}${said('c')}${said('d').slice(0, 90)}${said('e')}\n`)
  const whole = linesOf(log)
  for (let seed = 1; seed <= 40; seed++) {
    expect(linesOf(log, claudeTranscript, someCuts(log.length, 5, seed))).toEqual(whole)
  }
})

test('a last line without its end gives up what is whole so far', () => {
  const reader = new RunReader(claudeTranscript, new RunIndex(claudeTranscript))
  const push = (text: string): void => reader.push(0, utf8.encode(text))
  const [one, two] = [said('one'), said('two')]
  push(one + two.slice(0, 40))
  const cut = reader.endedCopy()
  expect([cut?.rows.events, cut?.rows.issues.counts.malformed]).toEqual([3, 1])
  expect(cut?.isCut({ line: 1, offset: one.length, length: 40 })).toBe(true)
  push(two.slice(40))
  expect(reader.endedCopy()?.rows.events).toBe(3)
  push('\n')
  reader.end()
  expect(reader.sink.rows.place(2)).toEqual({ line: 1, offset: one.length, length: two.length })
  expect(reader.sink.rows.issues.slice(0, 9)).toMatchObject([{ row: 2, code: 'JsonParse' }])
})

test('records of a document are found too', () => {
  const format = codexRollout
  const of = (text: string): ReadLine[] => {
    const lines: ReadLine[] = []
    const reader = new LogReader(format, { line: (line) => lines.push(line) }, { framing: 'document' })
    reader.push(utf8.encode(text))
    reader.end()
    return lines
  }
  const three = [item('one'), item('two'), item('three')]
  expect(saidIn(of(`[\n${three.join('\n')}\n]`))).toEqual(['one', 'two', 'three'])
  expect(of(`[\n${three.join('\n')}\n]`).map(({ at }) => at.line)).toEqual([2, 3, 4])
  expect(saidIn(of(`[${item('one')},${zeros}${item('two')}]`))).toEqual(['one', '!', `[${zeros}]`, 'two'])
  const cut = item('one').slice(0, -8)
  expect(saidIn(of(`[${cut}${item('two')},\n${item('three')}]`))).toEqual(['!', `[${cut}]`, 'two', 'three'])
})

test('without a format, whole objects count where no text holds them', () => {
  const values = (line: string): unknown[] =>
    recordsOf(null, utf8.encode(line), 'lines').records.map(({ value, end }) => [value, end])
  expect(values('{"a":1}')).toEqual([[{ a: 1 }, 7]])
  expect(values('{"a":1}{"a":2}x')).toEqual([
    [{ a: 1 }, 7],
    [{ a: 2 }, 14]
  ])
  expect(values('\0\0{"a":1}')).toEqual([[{ a: 1 }, 9]])
  expect(values('sent {"a":1}')).toEqual([])
  expect(values('{"b":{"a":1}')).toEqual([])
})

test('never fails, and covers the line in order', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '"',
    ':',
    ',',
    '[',
    ']',
    '{"a":1}',
    '{"type":"x","a":{"b":[{}]}}',
    '\\',
    'é',
    ' ',
    '\0'
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.boolean(), (all, isDocument) => {
      const text = all.join('')
      const framing = isDocument ? 'document' : 'lines'
      let end = 0
      for (const part of partsOfLine(text, { framing, nested: [], recognized: () => 'likely' })) {
        expect(part.start).toBeGreaterThanOrEqual(end)
        expect(part.end).toBeGreaterThan(part.start)
        if (!isDocument) expect(text.slice(end, part.start).trim()).toBe('')
        if (part.isRecord) expect(JSON.parse(text.slice(part.start, part.end))).toBeTypeOf('object')
        end = part.end
      }
    })
  )
})

describe('the work is linear in the line', () => {
  const size = 30_000
  const lines = {
    braces: '{',
    'objects that begin': '{"a":',
    'objects in lists that begin': '{"a":[',
    'names of a brace': '{"',
    'braces in texts': '{"a":"{" ',
    'whole objects': '{"a":1}',
    'whole objects after text': 'x{"a":1}',
    'objects inside': '[{"a":1},',
    'cut records': '{"a":{"a":1}x',
    'names and white space': '{"a"      ',
    'white space and a brace': '       {',
    'nested objects that end': '{"a":{"a":{"a":1}}',
    colons: ':{"a":1}',
    escapes: '{"a":"\\"',
    backslashes: '{"\\'
  }
  test.each(Object.entries(lines))('%s', (_what, piece) => {
    const work = (length: number): { looked: number; asked: number } => {
      const text = piece.repeat(length / piece.length)
      const charCodeAt = String.prototype.charCodeAt
      let looked = 0
      let asked = 0
      const recognized = ({ start, end }: { start: number; end: number }): 'none' => {
        asked += end - start
        return 'none'
      }
      String.prototype.charCodeAt = function (this: string, at: number): number {
        looked++
        return charCodeAt.call(this, at)
      }
      try {
        for (const part of partsOfLine(text, { framing: 'lines', nested: [], recognized })) expect(part).toBeNull()
      } finally {
        String.prototype.charCodeAt = charCodeAt
      }
      return { looked, asked }
    }
    const { looked, asked } = work(size)
    expect(looked).toBeLessThan(12 * size)
    expect(asked).toBeLessThanOrEqual(2 * size)
  })
})
