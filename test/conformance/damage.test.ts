import { describe, expect, test } from 'vitest'
import { recognize } from '../../src/core/formats/damaged-line.ts'
import { logFormats } from '../../src/core/formats/registry.ts'
import { isJsonObject, type JsonValue } from '../../src/core/json.ts'
import { LineSplitter } from '../../src/core/lines/line-splitter.ts'
import { corpusBytes, corpusIsHere, corpusLogs, formatOfCorpusFile } from './corpus.ts'
import { damage, type DamagedLog } from './damage.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { expectInOrder, expectReadableAgain, expectSameInChunks } from './properties.ts'
import { type Log, type LogSeen, openLog, randomNumbers, readLog, someCuts } from './read-log.ts'

/** Lines that hold more or less than a record give up each whole one: docs/formats/README.md#a-damaged-line-keeps-its-whole-records. */

/** Of each format. `PLAYHEAD_DAMAGES=80` looks longer: 2,000 over all formats. */
const damages = Number(process.env['PLAYHEAD_DAMAGES'] ?? 8)
/** A record and those after it that are damaged. */
const recordsAtOnce = 10
const longestRecord = 100_000

interface Source {
  readonly log: Log
  readonly records: readonly Uint8Array[]
}

function sourceOf(bytes: Uint8Array): Source | null {
  const log = openLog(bytes)
  const records: Uint8Array[] = []
  const splitter = new LineSplitter((line) => {
    if (line.bytes !== null && line.length < longestRecord && isObject(line.bytes)) records.push(line.bytes.slice())
  })
  splitter.push(bytes)
  splitter.end()
  return log.framing === 'lines' && records.length > 1 ? { log, records } : null
}

const text = new TextDecoder('utf-8', { ignoreBOM: true })

function valueOf(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(text.decode(bytes)) as JsonValue
  } catch {
    return undefined
  }
}

function isObject(bytes: Uint8Array): boolean {
  return isJsonObject(valueOf(bytes))
}

const fixtures = (formatId: string): (() => Uint8Array)[] =>
  allFixtures().flatMap((fixture) => (fixture.formatId === formatId ? [() => bytesOfFixture(fixture)] : []))
const corpus = (formatId: string): (() => Uint8Array)[] =>
  corpusLogs().flatMap((path) => (formatOfCorpusFile(path) === formatId ? [() => corpusBytes(path)] : []))

function expectAllGivenUp(logs: readonly (() => Uint8Array)[], seeds: number): void {
  const sources = new Map<number, Source | null>()
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomNumbers(Math.imul(seed, 2654435761))
    // The first numbers are alike for seeds that are.
    for (let i = 0; i < 5; i++) random()
    const number = Math.floor(random() * logs.length)
    const source = sources.get(number) ?? sourceOf(logs[number]?.() ?? new Uint8Array())
    sources.set(number, source)
    if (source === null) continue
    const { log, records } = source
    const from = 1 + Math.floor(random() * Math.max(1, records.length - recordsAtOnce))
    const damaged = damage([...records.slice(0, 1), ...records.slice(from, from + recordsAtOnce)], random)
    try {
      expectGivenUp({ ...log, bytes: damaged.bytes }, damaged, seed)
    } catch (error) {
      throw new Error(`seed ${seed}: ${damaged.damages.join(', ')}`, { cause: error })
    }
  }
}

function expectGivenUp(log: Log, { whole }: DamagedLog, seed: number): void {
  const { bytes, format } = log
  const seen = readLog(log)
  expectInOrder(seen)
  const lost = whole.filter((record) => !seen.lines.some((line) => isAt(bytes, line, record)))
  const known = lost.filter(({ offset, length }) => {
    const value = valueOf(bytes.subarray(offset, offset + length))
    return value !== undefined && recognize(format, value, { line: 1, offset, length }) !== 'none'
  })
  expect(known.map(({ offset, length }) => text.decode(bytes.subarray(offset, offset + length)))).toEqual([])
  expect(eventsMissing(log, seen, whole)).toEqual([])
  const malformed = seen.lines.flatMap(({ line, issues }) =>
    issues.flatMap(({ code }) => (code === 'JsonParse' ? [line] : []))
  )
  expect(new Set(malformed).size).toBe(malformed.length)
  if (seed % 4 !== 0) return
  expectReadableAgain(log, seen)
  expectSameInChunks(log, seen, someCuts(bytes.length, 20, seed))
}

/** Whether a line that was read is a record, apart from white space. */
function isAt(
  bytes: Uint8Array,
  line: { offset: number; length: number },
  record: DamagedLog['whole'][number]
): boolean {
  const own = text.decode(bytes.subarray(line.offset, line.offset + line.length))
  return (
    Math.abs(line.offset - record.offset) <= record.length &&
    own.trim() === text.decode(bytes.subarray(record.offset, record.offset + record.length)).trim()
  )
}

/** What the whole records alone say, without what damage adds, and what the damaged log does not say. */
function eventsMissing(log: Log, seen: LogSeen, whole: DamagedLog['whole']): string[] {
  const records = seen.lines.filter((line) => isObject(log.bytes.subarray(line.offset, line.offset + line.length)))
  // Halves of two records may be a whole one, which changes what is told of the others.
  if (records.some((line) => !whole.some((record) => isAt(log.bytes, line, record)))) return []
  const parts = records.flatMap(({ offset, length }) => [...log.bytes.subarray(offset, offset + length), 0x0a])
  const told = new Map<string, number>()
  for (const event of saidBy(seen)) told.set(event, (told.get(event) ?? 0) + 1)
  return saidBy(readLog({ ...log, bytes: Uint8Array.from(parts) })).filter((event) => {
    const times = told.get(event) ?? 0
    told.set(event, times - 1)
    return times <= 0
  })
}

/** Events without their places, and without tracks: a rollout's first line tells whether it is a subagent's. */
function saidBy({ events }: LogSeen): string[] {
  return events.flatMap((event) => {
    const { eventId: _, source: _source, timestamp: _timestamp, timestampFrom: _from, trackId: _track, ...said } = event
    if (event.type === 'error' && event.code === 'JSONL_PARSE_ERROR') return []
    if (event.type === 'text' && event.category === 'unparsed') return []
    return [JSON.stringify(said).replaceAll(/line-\d+-\d+/g, 'line')]
  })
}

describe.each(logFormats.flatMap(({ id }) => (id === null || fixtures(id).length === 0 ? [] : [id])))(
  '%s',
  (formatId) => {
    test(`gives up whole records of damaged fixtures`, () => {
      expectAllGivenUp(fixtures(formatId), damages)
    })
  }
)

describe.each([
  'claude-stream-json',
  'claude-transcript',
  'codex-exec-json',
  'codex-rollout',
  'gemini-chat',
  'gemini-stream-json'
])('real logs of %s', (formatId) => {
  test.skipIf(!corpusIsHere)('give up whole records', () => {
    expectAllGivenUp(corpus(formatId), damages)
  })
})
