import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from '../../src/core/json.ts'
import { PlainFold } from '../../src/core/formats/plain-fold.ts'
import { formatById, logFormats } from '../../src/core/formats/registry.ts'
import { corpusBytes, corpusFiles, formatOfCorpusFile } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { mutate, type Pieces, textOfPieces } from './mutate.ts'
import {
  expectEveryLineRead,
  expectEventsValid,
  expectInOrder,
  expectReadableAgain,
  expectSameInChunks
} from './properties.ts'
import { type Log, type LogSeen, openLog, randomNumbers, readLog, someCuts } from './read-log.ts'

/** Damaged logs of every format: real ones where the corpus is beside the repository, the fixtures otherwise. */
const mutationsOfMost = 400
/** Formats without a fold of their own share most of their code. */
const mutationsOfPlain = 150
/** More where thousands more still reach code that none has reached before; fewer where all is reached after some hundred. */
const mutationsOf: Readonly<Record<string, number>> = {
  'claude-stream-json': 800,
  'codex-rollout': 800,
  normalized: 300
}
const maxRecordLength = 6000
const maxDocumentLength = 40_000

// zod makes an error of each damaged record, and where it was made is most of what that costs here.
Error.stackTraceLimit = 0

interface Source {
  readonly log: Log
  readonly pieces: Pieces
}

function sourcesOf(formatId: string): Source[] {
  const real = corpusFiles().filter((path) => formatOfCorpusFile(path) === formatId)
  const logs =
    real.length > 0
      ? real.map(corpusBytes)
      : allFixtures()
          .filter((fixture) => fixture.formatId === formatId)
          .map(bytesOfFixture)
  return logs.map((bytes) => {
    const log = openLog(bytes)
    return { log, pieces: piecesOf(log) }
  })
}

function piecesOf(log: Log): Pieces {
  const text = (from: number, to: number): string => new TextDecoder().decode(log.bytes.subarray(from, to))
  let end = 0
  const records = readLog(log).lines.map(({ offset, length }) => {
    const record = { gap: text(end, offset), text: text(offset, offset + length) }
    end = offset + length
    return record
  })
  return { records, tail: text(end, log.bytes.length) }
}

/** The first two records, which say whose log it is, and a few that follow each other further down; none that is long. */
function excerpt({ log, pieces: { records, tail } }: Source, random: () => number): Pieces {
  const from = 2 + Math.floor(random() * Math.max(1, records.length - 2))
  const chosen = [...records.slice(0, 2), ...records.slice(from, from + 5)]
  const short = chosen.filter(({ text }, index) => index === 0 || text.length <= maxRecordLength)
  const [first] = short
  if (log.framing === 'lines' && first !== undefined && first.text.length > maxRecordLength) short.shift()
  return { records: short, tail }
}

function mutationsFor(formatId: string): number {
  // `PLAYHEAD_MUTATIONS=10000` looks longer.
  const wanted = process.env['PLAYHEAD_MUTATIONS']
  if (wanted !== undefined) return Number(wanted)
  const isPlain = formatById(formatId)?.createFold({}) instanceof PlainFold
  return mutationsOf[formatId] ?? (isPlain ? mutationsOfPlain : mutationsOfMost)
}

describe.each(logFormats.map(({ id }) => id ?? ''))('%s', (formatId) => {
  const mutations = mutationsFor(formatId)

  test(`reads ${mutations} damaged logs`, () => {
    const sources = sourcesOf(formatId).filter(({ log, pieces }) =>
      log.framing === 'lines' ? pieces.records.length > 0 : log.bytes.length <= maxDocumentLength
    )
    expect(sources.length).toBeGreaterThan(7)
    const builtIn = builtInKeys()
    for (let seed = 1; seed <= mutations; seed += 1) {
      const random = randomNumbers(Math.imul(seed, 2654435761))
      const source = sources[seed % sources.length]
      if (source === undefined) throw new Error('unreachable: there are sources')
      const text = textOfPieces(mutate(excerpt(source, random), random))
      const log = { ...source.log, bytes: new TextEncoder().encode(text) }
      try {
        expectReadWell(log, seed)
        if (builtInKeys() !== builtIn) throw new Error('an object of JavaScript itself was changed')
      } catch (error) {
        throw new Error(`mutation ${seed}, ${log.framing}: ${JSON.stringify(text).slice(0, 3000)}`, { cause: error })
      }
    }
  })
})

function expectReadWell(log: Log, seed: number): void {
  const seen = readLog(log)
  expectEveryLineRead(log, seen)
  expectInOrder(seen)
  expectBounded(log, seen)
  // These cost many times what reading does, so every log is read and every fourth is looked at in full.
  if (seed % 4 === 0) {
    expectReadableAgain(log, seen)
    expectEventsValid(seen)
  }
  if (seed % 20 === 0) expectSameInChunks(log, seen, someCuts(log.bytes.length, 20, seed))
}

/** What a log is read as grows with what it says: no record gives more events and issues than it has values. */
function expectBounded({ bytes, framing }: Log, seen: LogSeen): void {
  const issues = seen.lines.reduce((sum, line) => sum + line.issues.length, 0)
  // Whatever values there are. Counting them costs as much as reading did, and hardly a log comes near.
  const allowed = 4 * seen.lines.length + 8
  if (seen.events.length <= allowed && issues <= allowed) return
  const values = seen.lines.reduce((sum, { offset, length }) => {
    const text = new TextDecoder().decode(bytes.subarray(offset, offset + length))
    return sum + valuesIn(framing === 'document' && text.startsWith('"') ? `{${text}}` : text)
  }, 0)
  expect(seen.events.length).toBeLessThanOrEqual(2 * values + 4 * seen.lines.length + 8)
  expect(issues).toBeLessThanOrEqual(values + 4 * seen.lines.length + 8)
}

function valuesIn(text: string): number {
  let count = 0
  try {
    const waiting: JsonValue[] = [JSON.parse(text) as JsonValue]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      count += 1
      if (Array.isArray(next)) waiting.push(...(next as readonly JsonValue[]))
      else if (isJsonObject(next)) for (const value of Object.values(next)) waiting.push(value ?? null)
    }
  } catch {
    // No JSON: one malformed line.
  }
  return count
}

const builtIns = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype]

/** How many keys what all objects share has: nothing a log says may end up there. */
function builtInKeys(): number {
  return builtIns.flatMap((prototype) => Reflect.ownKeys(prototype)).length
}
