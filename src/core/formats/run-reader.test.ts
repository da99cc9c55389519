import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJsonObject, stringAt } from '../json.ts'
import type { ReadLine } from './folded-lines.ts'
import type { Decoded, FoldedEvent, FoldResult, LogFormat, LinePosition } from './log-format.ts'
import { LogReader } from './log-reader.ts'
import { joinedDraft } from './joined-text.ts'
import { RunReader } from './run-reader.ts'

/**
 * A format made for these tests: `{t?, say?}` says something at once, `{piece}` is a piece of a text that the next other record
 * closes, `{mark: true}` marks its own line.
 */
interface ToyDecoded extends Decoded {
  readonly mark: boolean
}

const toy: LogFormat<ToyDecoded> = {
  id: 'toy',
  title: 'Toy',
  agentType: 'claude-code',
  detectors: [],
  decode(value) {
    const record = isJsonObject(value) ? value : {}
    const piece = stringAt(record, 'piece')
    const text = piece ?? stringAt(record, 'say')
    return {
      drafts: text === undefined ? [] : [{ type: 'text', text }],
      issues: [],
      time: typeof record['t'] === 'number' ? record['t'] : undefined,
      joins: piece !== undefined,
      mark: record['mark'] === true
    }
  },
  decodeMalformed: (_text, issue) => ({ drafts: [], issues: [issue], mark: false }),
  createFold() {
    let open: { at: LinePosition; texts: string[]; end: number } | null = null
    const close = (): FoldedEvent[] => {
      if (open === null) return []
      const { at, texts, end } = open
      open = null
      const draft = { type: 'text' as const, text: texts.join('') }
      return [{ at, ordinal: 0, draft, body: 0, joinedTo: end, timestamp: 0 }]
    }
    return {
      add(at, decoded): FoldResult {
        const [draft] = decoded.drafts
        if (decoded.joins === true && draft?.type === 'text') {
          open ??= { at, texts: [], end: 0 }
          open.texts.push(draft.text)
          open.end = at.offset + at.length
          return { events: [], issues: [], held: true }
        }
        const own = draft === undefined ? [] : [{ at, ordinal: 0, draft, body: 0, timestamp: decoded.time ?? 0 }]
        const events = [...close(), ...own]
        return decoded.mark ? { events, issues: [], marks: [{ at, mark: 'duplicate' }] } : { events, issues: [] }
      },
      end: () => ({ events: close(), issues: [] })
    }
  },
  stateClasses: () => []
}

const bytesOf = (...records: unknown[]): Uint8Array =>
  new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))

/** `file:line` and the texts of each line, in order. */
function told(lines: readonly ReadLine[]): string[] {
  return lines.map(({ at, events }) => {
    const texts = events.map(({ draft }) => (draft.type === 'text' ? draft.text : '?'))
    return `${at.file ?? 'main'}:${at.line} ${texts.join('|')}`.trim()
  })
}

function readRun(files: readonly (readonly [string, Uint8Array])[], chunk = 1 << 20): string[] {
  const lines: ReadLine[] = []
  const [main, ...others] = files
  if (main === undefined) throw new Error('a run has a main file')
  const reader = new RunReader(
    toy,
    { line: (line) => lines.push(line) },
    { files: others.map(([name]) => ({ name, framing: 'lines' })) }
  )
  const places = files.map(() => 0)
  for (let file = reader.wanted; file !== null; file = reader.wanted) {
    const bytes = files[file]?.[1] ?? new Uint8Array(0)
    const from = places[file] ?? 0
    if (from >= bytes.length) reader.endFile(file)
    else reader.push(file, bytes.slice(from, from + chunk))
    places[file] = from + chunk
  }
  reader.end()
  return told(lines)
}

describe('files of a run are merged by time', () => {
  test('a file keeps its order; a line is as late as the latest time before it; the main file goes first', () => {
    const main = bytesOf({ say: 'head' }, { t: 10, say: 'a' }, { say: 'b' }, { t: 5, say: 'c' }, { t: 30, say: 'd' })
    const sub = bytesOf({ say: 'x' }, { t: 10, say: 'y' }, { t: 20, say: 'z' }, { t: 40, say: 'w' })
    const order = [
      'main:1 head',
      'main:2 a',
      'main:3 b',
      'main:4 c',
      'sub:1 x',
      'sub:2 y',
      'sub:3 z',
      'main:5 d',
      'sub:4 w'
    ]
    expect(
      readRun([
        ['main', main],
        ['sub', sub]
      ])
    ).toEqual(order)
  })

  test('a file without a time is last, as is the rest of one without a time for long', () => {
    const main = bytesOf({ t: 1, say: 'a' }, { t: 2, say: 'b' })
    expect(
      readRun([
        ['main', main],
        ['sub', bytesOf({ say: 'x' })]
      ])
    ).toEqual(['main:1 a', 'main:2 b', 'sub:1 x'])
    const long = bytesOf(...Array.from({ length: 300 }, () => ({})), { t: 1, say: 'y' })
    expect(
      readRun([
        ['main', main],
        ['sub', long]
      ]).slice(0, 2)
    ).toEqual(['main:1 a', 'main:2 b'])
  })

  test('any chunks give the same order', () => {
    const record = fc.record({ t: fc.option(fc.nat(20), { nil: undefined }), say: fc.constantFrom('a', 'b') })
    const file = fc.array(record, { maxLength: 12 }).map((records) => bytesOf(...records))
    fc.assert(
      fc.property(fc.tuple(file, file, file), fc.integer({ min: 1, max: 40 }), ([a, b, c], chunk) => {
        const run = [
          ['main', a],
          ['s1', b],
          ['s2', c]
        ] as const
        const whole = readRun(run)
        expect(readRun(run, chunk)).toEqual(whole)
        for (const [name] of run) {
          const own = whole
            .filter((line) => line.startsWith(`${name}:`))
            .map((line) => Number(/:(\d+)/.exec(line)?.[1]))
          expect(own).toEqual(own.map((_, index) => index + 1))
        }
      })
    )
  })
})

describe('lines are held while the fold holds them', () => {
  const log = [{ say: 'a' }, { piece: 'b' }, { piece: 'c' }, { mark: true }, { say: 'd' }, { piece: 'e' }]

  function read(bytes: Uint8Array): ReadLine[] {
    const lines: ReadLine[] = []
    const reader = new LogReader(toy, { line: (line) => lines.push(line) })
    reader.push(bytes)
    reader.end()
    return lines
  }

  test('and then come in order, each with its events; the end of the source ends the wait', () => {
    const lines = read(bytesOf(...log))
    expect(told(lines)).toEqual(['main:1 a', 'main:2 bc', 'main:3', 'main:4', 'main:5 d', 'main:6 e'])
    expect(lines[3]?.marks).toEqual([{ at: expect.objectContaining({ line: 4 }), mark: 'duplicate' }])
  })

  test('a blank or malformed line between the pieces keeps its place', () => {
    const bytes = new TextEncoder().encode('{"piece":"b"}\n\n{"piece":"c"}\nnoise\n{"say":"d"}\n')
    expect(told(read(bytes))).toEqual(['main:1 bc', 'main:2', 'main:3', 'main:4', 'main:5 d'])
  })

  test('only so many blank lines wait: there may be any number', () => {
    let blank = 0
    const reader = new LogReader(toy, { line: (line) => (blank += Number(line.blank)) })
    reader.push(new TextEncoder().encode(`{"piece":"b"}\n${'\n'.repeat(20_000)}`))
    expect(blank).toBeGreaterThan(15_000)
    reader.end()
    expect(blank).toBe(20_000)
  })

  test('a text in pieces is the same when it is read again', () => {
    const bytes = bytesOf(...log)
    for (const { events } of read(bytes)) {
      for (const { at, joinedTo, draft } of events) {
        if (joinedTo === undefined) continue
        expect(joinedDraft(toy, 'lines', bytes.subarray(at.offset, joinedTo))).toEqual(draft)
      }
    }
    expect(joinedDraft(toy, 'lines', bytesOf({ say: 'no piece' }))).toBeNull()
  })
})

test('a document is read as its records', () => {
  const lines: ReadLine[] = []
  const reader = new LogReader(toy, { line: (line) => lines.push(line) }, { framing: 'document' })
  reader.push(new TextEncoder().encode('{\n"say": "head",\n"list": [\n{"say":"a"}, {"say":"b"}\n]}\n'))
  reader.end()
  expect(told(lines)).toEqual(['main:2 head', 'main:4 a', 'main:4 b'])
  expect(reader.lines).toBe(5)
})
