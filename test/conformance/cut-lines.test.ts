import { describe, expect, test } from 'vitest'
import { cutBatch, linesOf } from '../../src/backend/indexer/cut-batch.ts'
import { BatchCutter } from '../../src/backend/indexer/batch-cutter.ts'
import { decodeShort } from '../../src/backend/sources/decode-fast.ts'
import { ShortLines } from '../../src/backend/wasm/short-lines.ts'
import { decodeLine, type DecodeLine } from '../../src/core/formats/decode-line.ts'
import { logFormats } from '../../src/core/formats/registry.ts'
import { RunReader } from '../../src/core/formats/run-reader.ts'
import { rowKinds } from '../../src/core/index/row-kind.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { corpusBytes, corpusFiles, corpusIsHere, formatOfCorpusFile } from './corpus.ts'
import { expectEqual } from './expect-equal.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { mutate, textOfPieces } from './mutate.ts'
import { type Log, openLog, randomNumbers } from './read-log.ts'

/** Lines whose long texts were cut, here or by another thread, give the index that is made of all of the log. */

function indexedAlone({ format, bytes }: Log, decode: DecodeLine): RunIndex {
  const index = new RunIndex(format.agentType)
  const reader = new RunReader(format, index, { decode })
  reader.push(0, bytes)
  reader.endFile(0)
  reader.end()
  return index
}

/** In chunks and batches so small that a log of a few lines has several; what one thread is handed, structured clones included. */
function indexedByTwo({ format, bytes }: Log, chunk: number, batch: number): RunIndex {
  const index = new RunIndex(format.agentType)
  const reader = new RunReader(format, index, { decode: decodeShort })
  const cutter = new BatchCutter({ line: 1, offset: 0 }, batch)
  const short = format.longTexts === undefined ? null : new ShortLines(format.longTexts)
  for (let at = 0; at < bytes.length; at += chunk) {
    for (const piece of cutter.cut(Buffer.from(bytes.subarray(at, at + chunk)))) {
      if ('part' in piece) reader.push(0, piece.part)
      else if (short === null) reader.push(0, piece.bytes)
      else reader.pushDecoded(0, linesOf(format, piece, structuredClone(cutBatch(short, piece))))
    }
  }
  reader.endFile(0)
  reader.end()
  return index
}

/** All that the page can ask for, and then all there is. */
function expectSameIndex(log: Log, chunk: number, batch: number): void {
  const alone = indexedAlone(log, decodeLine)
  for (const other of [indexedAlone(log, decodeShort), indexedByTwo(log, chunk, batch)]) {
    expectEqual(seenOf(other), seenOf(alone))
    expectEqual(other, alone)
  }
}

function seenOf({ rows, todos }: RunIndex): unknown {
  const { from, count, ...columns } = rows.columns(0, rows.rows)
  const numbers = Array.from({ length: rows.rows }, (_, row) => row)
  return {
    columns: Object.entries({ ...columns, from, count }).map(([name, column]) => [
      name,
      column instanceof ArrayBuffer ? Buffer.from(column).toString('hex') : column
    ]),
    places: numbers.map((row) => [rows.place(row), rows.seqOf(row), rows.callOf(row), rows.resultsOf(row)]),
    // Without the drafts of lines: what is kept in the index itself.
    kept: numbers.map((row) => rows.eventAt(row, [])),
    counts: [rows.rows, rows.events, rows.lines, rows.marked, { ...rows.issues.counts }],
    facts: [rows.firstTimestamp, rows.lastTimestamp, rows.model, rows.sessionId, rows.tools, rows.tracks],
    issues: rows.issues.slice(0, rows.issues.length),
    todos: Array.from({ length: todos.length }, (_, index) => todos.at(index))
  }
}

const fixtures = allFixtures()
  .map((fixture) => ({ fixture, log: openLog(bytesOfFixture(fixture)) }))
  .filter(({ log }) => log.framing === 'lines')

test.each(fixtures)('fixture $fixture.formatId $fixture.name', ({ log }) => {
  expectSameIndex(log, 1 << 20, 1 << 18)
  expectSameIndex(log, 1000, 100)
})

test('a long output that states, at its beginning or its end, that its command failed', () => {
  const long = 'not ok 2\n'.repeat(1000)
  const outputs = [
    `Chunk ID: a1b2c3\nWall time: 1.2500 seconds\nProcess exited with code 3\nOutput:\n${long}`,
    `Exit code 1\n${long}`,
    JSON.stringify({ output: long, metadata: { exit_code: 1 } }),
    `Command: npm test\nDirectory: (root)\nOutput: ${long}\nExit Code: 1\nProcess Group PGID: 59`,
    `<untrusted_context>\nOutput: ${long}\nExit Code: 3\nProcess Group PGID: 59\n</untrusted_context>`
  ]
  const message = (role: string, content: object): object => ({
    type: role,
    session_id: 's',
    parent_tool_use_id: null,
    message: { id: 'm', role, content: [content] }
  })
  const records = [
    { type: 'system', subtype: 'init', session_id: 's', cwd: '/', tools: [], model: 'm' },
    ...[...outputs, long].flatMap((content, i) => [
      message('assistant', { type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'npm test' } }),
      message('user', { type: 'tool_result', tool_use_id: `t${i}`, content })
    ])
  ]
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const log = openLog(new TextEncoder().encode(text))
  expectSameIndex(log, 1 << 20, 1 << 18)
  const { rows } = indexedAlone(log, decodeShort)
  const kinds = [...new Uint8Array(rows.columns(0, rows.rows).kind)].map((kind) => rowKinds[kind])
  expect(kinds.filter((kind) => kind?.startsWith('tool-'))).toEqual([...outputs.map(() => 'tool-error'), 'tool-result'])
})

describe.skipIf(!corpusIsHere)('the corpus', () => {
  const paths = corpusFiles().filter((path) => formatOfCorpusFile(path) !== null)
  test.each(paths)('%s', { timeout: 60_000 }, (path) => {
    const log = openLog(corpusBytes(path))
    if (log.framing === 'lines') expectSameIndex(log, 40_000, 6000)
  })
})

const mutationsOfEach = 200

test.each(logFormats.map(({ id }) => id))('damaged logs of %s', { timeout: 120_000 }, (formatId) => {
  Error.stackTraceLimit = 0
  const logs = fixtures.filter(({ fixture }) => fixture.formatId === formatId).map(({ log }) => log)
  for (let seed = 1; seed <= mutationsOfEach; seed += 1) {
    const random = randomNumbers(Math.imul(seed, 2654435761))
    const log = logs[seed % logs.length]
    if (log === undefined) throw new Error('unreachable: every format has fixtures of lines')
    const lines = new TextDecoder().decode(log.bytes).split('\n').slice(0, 60)
    const records = lines.map((text, i) => ({ gap: i === 0 ? '' : '\n', text }))
    const text = textOfPieces(mutate({ records, tail: '\n' }, random))
    try {
      expectSameIndex({ ...log, bytes: new TextEncoder().encode(text) }, 2000, 500)
    } catch (error) {
      throw new Error(`mutation ${seed}: ${JSON.stringify(text).slice(0, 3000)}`, { cause: error })
    }
  }
})
