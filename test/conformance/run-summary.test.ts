import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { RunReader } from '../../src/core/formats/run-reader.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { CallCounts } from '../../src/core/index/call-counts.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { RunTime } from '../../src/core/replay/run-time.ts'
import { RunCost } from '../../src/core/requests/run-cost.ts'
import { forkState } from '../../src/core/state/fork-state.ts'
import type { Handlers, LogStatus } from '../../src/contract/methods.ts'
import { rowKinds } from '../../src/core/index/row-kind.ts'
import { RunCounts } from '../../src/core/summary/run-counts.ts'
import { json, playhead } from '../command-line.ts'
import { corpusBytes, corpusIsHere, corpusLogs, corpusPath } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openHere } from './log-here.ts'
import { openLog } from './read-log.ts'
import { filesBeside } from './read-run.ts'
import { wholeSummary } from './whole-summary.ts'
import { every } from '../thorough.ts'

/** What the summary counts by the rows of an index is what `stats` and reports count by the events. */

if (!corpusIsHere) console.warn('run-summary.test.ts: ../shared/corpus is not here, only the fixtures are counted')

const logs = [
  ...allFixtures().map(
    (fixture) =>
      [`fixture ${fixture.formatId} ${fixture.name}`, () => ({ main: bytesOfFixture(fixture), files: [] })] as const
  ),
  ...every(3, corpusLogs()).map(
    (path) => [path, () => ({ main: corpusBytes(path), files: filesBeside(path) })] as const
  )
]

describe('the rows of the index are counted as the events are', () => {
  const found = { failed: 0, durations: 0, waitingMs: 0, costs: 0, ofTracks: 0 }

  test.each(logs)('%s', (_name, bytes) => {
    const { main, files } = bytes()
    const { format, framing } = openLog(main)
    const index = new RunIndex(format)
    const events: AgentEvent[] = []
    const cost = new RunCost()
    const add = (folded: Parameters<typeof stamp>[0]): void => {
      const event = stamp(folded, format)
      events.push(event)
      if (event.type === 'turn.completed') cost.add(event.costUsd)
    }
    const sink = {
      line(line: Parameters<RunIndex['line']>[0]) {
        index.line(line)
        for (const note of line.tokens ?? []) if (note.about === 'cost') cost.add(note.costUsd)
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

    const calls = new CallCounts()
    const time = new RunTime()
    const ofTracks = new Map<string | null, { calls: number; failed: number }>()
    for (const event of events) {
      const { total, failed } = calls.add(event)
      const track = ofTracks.get(event.trackId ?? null) ?? { calls: 0, failed: 0 }
      ofTracks.set(event.trackId ?? null, { calls: track.calls + total, failed: track.failed + failed })
      time.add(event)
    }

    // In two steps, as a log that grows; the rest by a copy, as what may be taken back.
    const settled = new RunCounts()
    const middle = Math.floor(index.rows.rows / 2)
    settled.count(index.rows, Math.floor(middle / 2))
    settled.count(index.rows, middle)
    const counts = forkState(settled)
    counts.count(index.rows, Infinity)
    expect(settled.rows).toBe(middle)
    expect(counts.rows).toBe(index.rows.rows)

    expect(counts.byTool).toEqual(calls.byTool)
    expect(counts.all).toMatchObject(calls.all)
    expect(counts.times).toEqual(time.times)
    expect(counts.begin).toBe(time.stated.begin)
    expect(counts.turns).toBe(time.turns)
    expect(index.requests.runCostUsd).toBe(cost.usd)
    for (const [number, { trackId }] of index.rows.tracks.entries()) {
      const { calls: total, failed } = counts.track(number)
      expect({ trackId, calls: total, failed }).toEqual({
        trackId,
        ...(ofTracks.get(trackId) ?? { calls: 0, failed: 0 })
      })
      if (number > 0) found.ofTracks += total
    }
    const known = events.flatMap((event) => (event.type === 'tool.completed' ? (event.durationMs ?? []) : []))
    expect(counts.longest.every(({ tookMs }) => known.includes(tookMs))).toBe(true)
    expect(counts.longest[0]?.tookMs ?? -1).toBeLessThanOrEqual(Math.max(-1, ...known))
    found.failed += counts.all.failed
    found.durations += counts.all.durationMs ?? 0
    found.waitingMs += counts.times?.waitingMs ?? 0
    found.costs += index.requests.runCostUsd ?? 0
  })

  test('there was something to count', () => {
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(0)
  })
})

/** Of a document, or a longer log, a thread would be needed to read it. */
const mostBytes = 3_000_000

const files = [
  // The rows of more are counted above.
  ...every(2, allFixtures()).map(
    ({ formatId, name, input }) => [`fixture ${formatId} ${name}`, fileURLToPath(input)] as const
  ),
  ...every(
    8,
    corpusLogs().filter((path) => corpusBytes(path).length < mostBytes)
  ).map((path) => [path, corpusPath(path)] as const),
  // Calls that fail alike, whichever fixtures are taken.
  ['repeated-failure', fileURLToPath(new URL('../fixtures/findings/repeated-failure.jsonl', import.meta.url))] as const
]

describe('the page shows what stats and the report print', () => {
  const found = { changed: 0, added: 0, deleted: 0, equalFailures: 0 }

  test.each(files)('%s', async (_name, path) => {
    const { handlers, status, close } = await openHere(path)
    const summary = await wholeSummary({ handlers, log: status.log })
    const onRows = await linesOnRows(handlers, status)
    await close()
    const stats = await json('stats', path)
    const { byTool, total, failed } = summary.calls
    expect({ time: summary.time, calls: { total, failed, byTool } }).toEqual({
      time: stats['time'],
      calls: stats['calls']
    })

    const { out } = await playhead('export', path, '--to', 'md', '--no-redact')
    const inReport = (what: string) => new RegExp(`^\\| ${what} \\| (.*) \\|$`, 'm').exec(out)?.[1]
    expect(String(summary.turns)).toBe(inReport('Turns')?.replaceAll(',', ''))
    const { groups, further } = summary.failures
    expect(groups.reduce((sum, { count }) => sum + count, further)).toBe(failed)
    const { changed, total: files } = summary.files
    if (files <= 100) expect(inReport('Files changed') ?? '0').toBe(String(files))
    const [, lines = ''] = /^## Files changed\n\n.*\n.*\n((?:\|.*\n)*)/m.exec(out) ?? []
    const inTable = (sign: string) =>
      [...lines.matchAll(new RegExp(`${sign}([\\d,]+)`, 'g'))].reduce(
        (sum, [, count = '']) => sum + Number(count.replaceAll(',', '')),
        0
      )
    const sum = (count: 'added' | 'deleted') => changed.reduce((all, file) => all + file[count], 0)
    // A file may have a name like `+2`.
    if (files <= 100 && !changed.some(({ path: name }) => /[+−]\d/.test(name))) {
      expect({ added: sum('added'), deleted: sum('deleted') }).toEqual({ added: inTable('\\+'), deleted: inTable('−') })
    }
    // Of a call that changes several files its row says how many lines, and no file does. A script and the call that it makes both say it.
    if (changed.length === files && onRows !== null && !status.tools.includes('exec'))
      expect({ added: sum('added'), deleted: sum('deleted') }).toEqual(onRows)
    const { longest } = summary
    const slowest = [...(/^### Slowest calls\n\n.*\n.*\n((?:\|.*\n)*)/m.exec(out)?.[1]?.matchAll(/^\|/gm) ?? [])]
    expect(slowest.length).toBeLessThanOrEqual(longest.filter(({ tookMs }) => tookMs >= 1000).length)
    found.equalFailures += groups.filter(({ count }) => count > 1).length
    found.changed += files
    found.added += sum('added')
    found.deleted += sum('deleted')
  })

  test('some files were changed, and some calls failed alike', () => {
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(0)
  })
})

/** How many lines the rows of calls that did not fail say were changed, of one file each; null where one says it of several. */
async function linesOnRows(
  handlers: Pick<Handlers, 'log.rows' | 'log.columns'>,
  { log, rows }: Pick<LogStatus, 'log' | 'rows'>
): Promise<{ added: number; deleted: number } | null> {
  const lines = { added: 0, deleted: 0 }
  const { kind, pair } = await handlers['log.columns']({ log, from: 0, count: Math.max(1, rows) })
  const all = Array.from(new Uint8Array(kind), (number, row) => ({ row, kind: rowKinds[number] }))
  const callOf = new Int32Array(pair)
  const failed = new Set(all.flatMap((each) => (each.kind === 'tool-error' ? [callOf[each.row] ?? -1] : [])))
  const changing = all.filter((each) => each.kind === 'tool' && !failed.has(each.row)).map(({ row }) => row)
  for (let from = 0; from < changing.length; from += 400) {
    const calls = changing.slice(from, from + 400)
    for (const { detail, badges } of (await handlers['log.rows']({ log, rows: calls })).rows) {
      for (const { tone, text } of badges) {
        const count = Number(text.slice(1).replaceAll(',', ''))
        if (tone !== 'add' && tone !== 'del') continue
        if (/^and \d+ more file/.test(detail)) return null
        lines[tone === 'add' ? 'added' : 'deleted'] += count
      }
    }
  }
  return lines
}
