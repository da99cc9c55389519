import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { spanFlags, SpanList } from '../../src/core/analysis/span-list.ts'
import { CallsBelow, SplitTimes } from '../../src/core/analysis/time-split.ts'
import { headOf } from '../../src/core/formats/head.ts'
import { detectFormat, logFormats } from '../../src/core/formats/registry.ts'
import { forkState } from '../../src/core/state/fork-state.ts'
import { allSteps } from '../../src/core/steps.ts'
import { RunCounts } from '../../src/core/summary/run-counts.ts'
import { analysisText, analyzedByOracle, analyzedLog } from './analyzed-log.ts'
import { corpusBytes, corpusIsHere, corpusLogs } from './corpus.ts'
import { sharedFolder } from '../shared-folder.ts'
import { every } from '../thorough.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { indexedLog } from './indexed-log.ts'
import { filesBeside } from './read-run.ts'

/** The analysis of a log is what a plain reading of its events gives. */

if (!corpusIsHere) console.warn('analysis.test.ts: ../shared/corpus is not here, only the fixtures are analyzed')

const nextCorpus = sharedFolder('corpus-next')

/** The oracle takes the square of the number of events. */
const mostEvents = 1200

const fixtures = allFixtures()
const logs = [
  ...fixtures.map(
    (fixture) =>
      [`fixture ${fixture.formatId} ${fixture.name}`, () => ({ main: bytesOfFixture(fixture), files: [] })] as const
  ),
  ...every(3, corpusLogs()).map(
    (path) => [path, () => ({ main: corpusBytes(path), files: filesBeside(path) })] as const
  ),
  ...logsBelow(nextCorpus).map((path) => {
    return [path, () => ({ main: new Uint8Array(readFileSync(`${nextCorpus}${path}`)), files: [] })] as const
  })
]

function logsBelow(folder: string | null): string[] {
  if (folder === null) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:other-agents|cursor).*\.(?:jsonl|json|traj)$/.test(path) && isLog(folder + path))
    .sort()
}

function isLog(file: string): boolean {
  const { format } = detectFormat(headOf('log', new Uint8Array(readFileSync(file))))
  return format !== null
}

describe('spans and the time split are what the events give', () => {
  const found = { calls: 0, unknownLengths: 0, early: 0, waits: 0, parallel: 0, below: 0 }

  test.each(logs)('%s', (_name, bytes) => {
    const { main, files } = bytes()
    const log = indexedLog(main, files)
    const { rows } = log.index
    const spans = new SpanList()
    spans.read(rows, rows.rows)
    const ended = allSteps(spans.ended(rows))
    const all = [...ended]
    const below = allSteps(CallsBelow.of(ended, rows.tracks))
    const times = allSteps(SplitTimes.of(ended, below))

    // The four parts are the wall time, to the ms, in the whole and in any part of it.
    const whole = times.between()
    if (whole !== null) {
      expect(whole.waitingMs + whole.toolsMs + whole.modelMs + whole.unknownMs).toBe(whole.wallMs)
      const middle = Math.round((whole.begin + whole.end) / 2)
      const parts = [times.between(-Infinity, middle), times.between(middle)]
      for (const part of ['wallMs', 'waitingMs', 'toolsMs', 'modelMs', 'unknownMs'] as const) {
        expect(parts.reduce((sum, each) => sum + (each?.[part] ?? 0), 0)).toBe(whole[part])
      }
    }
    const counts = new RunCounts()
    counts.count(rows, rows.rows)
    const calls = all.filter(({ kind }) => kind === 'call')
    expect(calls.length).toBe(counts.all.total)
    expect(calls.filter(({ flags }) => (flags & spanFlags.failed) !== 0).length).toBe(counts.all.failed)
    expect(all.filter(({ kind }) => kind === 'turn').length).toBe(counts.turns)
    const lengths = calls.flatMap(({ last }) => (last < 0 ? [] : (rows.durationAt(last) ?? [])))
    expect(calls.length - lengths.length).toBe(counts.all.unknownDurations)
    expect(lengths.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(counts.all.durationMs ?? 0, 5)

    found.calls += calls.length
    found.unknownLengths += counts.all.unknownDurations
    found.early += calls.filter(({ flags }) => (flags & spanFlags.early) !== 0).length
    found.waits += all.filter(({ kind }) => kind === 'wait').length
    for (let i = 0; i < ended.length; i++) if (below.msOf(i) > 0) found.below++
    const { callMs, selfMs, busyMs } = allSteps(times.parallelism())
    if (callMs > busyMs) found.parallel++
    expect(selfMs).toBeLessThanOrEqual(callMs)
    expect(selfMs).toBeGreaterThanOrEqual(busyMs)

    if (log.events.length > mostEvents) return
    const { analyzed, idleMs, parallelMs } = analyzedByOracle(log)
    const ours = analyzedLog(log)
    expect(ours).toEqual(analyzed)
    // Of calls that ran at the same time, only one is in the wall time.
    expect(ours.running.selfMs - parallelMs + idleMs).toBe(whole?.wallMs ?? 0)
  })

  test('the logs had what is interesting', () => {
    if (corpusIsHere) for (const count of Object.values(found)) expect(count).toBeGreaterThan(3)
  })
})

describe('what the analysis of a log of each format says, as it was checked by hand', () => {
  const checked = fixtures.filter(({ folder }) => existsSync(new URL('analysis.txt', folder)))

  test('there is a log of every format', () => {
    expect(new Set(checked.map(({ formatId }) => formatId))).toEqual(new Set(logFormats.map(({ id }) => id)))
  })

  test.each(checked)('$formatId $name', (fixture) => {
    const log = indexedLog(bytesOfFixture(fixture))
    const { analyzed, ...rest } = analyzedByOracle(log)
    const text = analysisText(analyzed, rest)
    const file = new URL('analysis.txt', fixture.folder)
    if (process.env['UPDATE'] === '1') writeFileSync(file, text)
    expect(text).toBe(readFileSync(file, 'utf8'))
    expect(analysisText(analyzedLog(log), rest)).toBe(text)
  })
})

describe('spans that have ended never change', () => {
  test.each(logs.filter((_, i) => i % 15 === 0))('%s', (_name, bytes) => {
    const { main, files } = bytes()
    const { rows } = indexedLog(main, files).index
    const whole = new SpanList()
    whole.read(rows, rows.rows)
    const cuts = Array.from({ length: 12 }, (_, i) => Math.floor((i * rows.rows) / 11))
    const growing = new SpanList()
    for (const cut of rows.rows < 200 ? Array.from({ length: rows.rows + 1 }, (_, i) => i) : cuts) {
      growing.read(rows, cut)
      const anew = new SpanList()
      anew.read(rows, cut)
      expect([...growing]).toEqual([...whole].slice(0, growing.length))
      expect([...allSteps(forkState(growing).ended(rows))]).toEqual([...allSteps(anew.ended(rows))])
    }
  })
})
