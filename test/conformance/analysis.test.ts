import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { type Span, spanFlags, SpanList } from '../../src/core/analysis/span-list.ts'
import { CallsBelow, SplitTimes } from '../../src/core/analysis/time-split.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { RunReader } from '../../src/core/formats/run-reader.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { forkState } from '../../src/core/state/fork-state.ts'
import { allSteps } from '../../src/core/steps.ts'
import { RunCounts } from '../../src/core/summary/run-counts.ts'
import { Oracle, type OracleCall } from './analysis-oracle.ts'
import { corpusBytes, corpusFiles, corpusIsHere, formatOfCorpusFile } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openLog } from './read-log.ts'
import { filesBeside } from './read-run.ts'

/** The analysis of a log is what a plain reading of its events gives. */

if (!corpusIsHere) console.warn('analysis.test.ts: ../shared/corpus is not here, only the fixtures are analyzed')

/** The oracle takes the square of the number of events. */
const mostEvents = 1200

const logs = [
  ...allFixtures().map(
    (fixture) =>
      [`fixture ${fixture.formatId} ${fixture.name}`, () => ({ main: bytesOfFixture(fixture), files: [] })] as const
  ),
  ...corpusFiles()
    .filter((path) => formatOfCorpusFile(path) !== null)
    .map((path) => [path, () => ({ main: corpusBytes(path), files: filesBeside(path) })] as const)
]

function indexed(main: Uint8Array, files: ReturnType<typeof filesBeside>) {
  const { format, framing } = openLog(main)
  const index = new RunIndex(format)
  const events: AgentEvent[] = []
  const add = (folded: Parameters<typeof stamp>[0]): void => void events.push(stamp(folded, format))
  const sink = {
    line(line: Parameters<RunIndex['line']>[0]) {
      index.line(line)
      line.events.forEach(add)
    },
    end(folded: Parameters<RunIndex['end']>[0], marks: Parameters<RunIndex['end']>[1]) {
      index.end(folded, marks)
      folded.forEach(add)
    }
  }
  const reader = new RunReader(format, sink, { framing, files })
  for (const [number, chunk] of [main, ...files.map((file) => file.bytes)].entries()) {
    reader.push(number, chunk)
    reader.endFile(number)
  }
  reader.end()
  return { index, events }
}

function spansOf({ rows }: RunIndex): SpanList {
  const spans = new SpanList()
  spans.read(rows, rows.rows)
  return allSteps(spans.ended(rows))
}

function callOf(index: RunIndex, span: Span): OracleCall {
  const known = (ms: number): number | null => (Number.isNaN(ms) ? null : ms)
  return {
    event: index.rows.seqOf(span.first),
    track: index.rows.tracks[span.track]?.trackId ?? null,
    tool: index.rows.toolAt(span.first) ?? index.rows.toolAt(span.last) ?? '',
    failed: (span.flags & spanFlags.failed) !== 0,
    durationMs: span.last < 0 ? undefined : index.rows.durationAt(span.last),
    begin: known(span.begin),
    end: known(span.end),
    asks: (span.flags & spanFlags.asks) !== 0
  }
}

const byEvent = (a: OracleCall, b: OracleCall): number => a.event - b.event

describe('spans and the time split are what the events give', () => {
  const found = { calls: 0, unknownLengths: 0, early: 0, waits: 0, overlaps: 0, below: 0 }

  test.each(logs)('%s', { timeout: 60_000 }, (_name, bytes) => {
    const { main, files } = bytes()
    const { index, events } = indexed(main, files)
    const spans = spansOf(index)
    const all = [...spans]
    const below = allSteps(CallsBelow.of(spans, index.rows.tracks))
    const times = allSteps(SplitTimes.of(spans, below))

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
    counts.count(index.rows, index.rows.rows)
    const calls = all.filter(({ kind }) => kind === 'call')
    expect(calls.length).toBe(counts.all.total)
    expect(calls.filter(({ flags }) => (flags & spanFlags.failed) !== 0).length).toBe(counts.all.failed)
    expect(all.filter(({ kind }) => kind === 'turn').length).toBe(counts.turns)
    const lengths = calls.flatMap(({ last }) => (last < 0 ? [] : (index.rows.durationAt(last) ?? [])))
    expect(calls.length - lengths.length).toBe(counts.all.unknownDurations)
    expect(lengths.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(counts.all.durationMs ?? 0, 5)

    found.calls += calls.length
    found.unknownLengths += counts.all.unknownDurations
    found.early += calls.filter(({ flags }) => (flags & spanFlags.early) !== 0).length
    found.waits += all.filter(({ kind }) => kind === 'wait').length
    for (let i = 0; i < spans.length; i++) if (below.msOf(i) > 0) found.below++
    const { callMs, selfMs, busyMs } = allSteps(times.parallelism())
    if (callMs > busyMs) found.overlaps++
    expect(selfMs).toBeLessThanOrEqual(callMs)
    expect(selfMs).toBeGreaterThanOrEqual(busyMs)

    if (events.length > mostEvents) return
    const oracle = new Oracle(events)
    expect(calls.map((span) => callOf(index, span)).toSorted(byEvent)).toEqual(oracle.calls.toSorted(byEvent))
    expect(whole).toEqual(oracle.split())
    expect(busyMs).toBe(oracle.busyMs)
    expect(callMs).toBe(oracle.knownCalls.reduce((sum, { begin, end }) => sum + end - begin, 0))
  })

  test('the logs had what is interesting', () => {
    if (corpusIsHere) for (const count of Object.values(found)) expect(count).toBeGreaterThan(3)
  })
})

describe('spans that have ended never change', () => {
  test.each(logs.filter((_, i) => i % 15 === 0))('%s', (_name, bytes) => {
    const { main, files } = bytes()
    const { rows } = indexed(main, files).index
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
