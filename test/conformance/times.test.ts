import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { RunAnalysis } from '#core/analysis/run-analysis.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { earliest, latest } from '#core/events/stated-times.ts'
import { ChromeTrace } from '#core/export/chrome-trace.ts'
import { MarkdownReport } from '#core/export/markdown-report.ts'
import { OtlpSpans } from '#core/export/otlp-spans.ts'
import { SessionTables, sessionTables } from '#core/export/session-tables.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { headOf } from '#core/formats/head.ts'
import type { FoldedEvent, LogFormat } from '#core/formats/log-format.ts'
import { formatById } from '#core/formats/registry.ts'
import { stamp } from '#core/formats/stamp.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { readCard } from '#core/library/read-card.ts'
import { SessionCounter } from '#core/library/session-counter.ts'
import { SessionEnd } from '#core/library/session-end.ts'
import { RunCounts } from '#core/summary/run-counts.ts'
import { allSteps } from '#core/steps.ts'
import { file, json, playhead } from '../command-line.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'

/** When a session began and ended, as all that tells of it says. Ms since the epoch; null: not stated. */
interface Told {
  readonly begin: number | null
  readonly end: number | null
  /** Null: fewer than two times. */
  readonly wallMs: number | null
}

/** The earliest and the latest time that the events state, read without any code of Playhead. */
function toldByEvents(events: readonly AgentEvent[]): Told {
  const times = events
    .filter(({ timestampFrom }) => timestampFrom === undefined || timestampFrom === 'record')
    .map(({ timestamp }) => timestamp)
    .filter((time) => time !== 0 && Number.isFinite(time))
    .toSorted((a, b) => a - b)
  const [begin = null, end = null] = [times[0], times.at(-1)]
  return { begin, end, wallMs: begin !== null && end !== null && begin < end ? end - begin : null }
}

/** Each surface with what it says; undefined members: it does not say that. */
function surfaces(
  bytes: Uint8Array,
  format: LogFormat,
  isOrdered: boolean
): { events: AgentEvent[]; told: Record<string, Partial<Told>> } {
  const { framing } = headOf('log', bytes)
  const index = new RunIndex(format)
  const report = new MarkdownReport(null)
  report.begin(format)
  const counter = new SessionCounter(format)
  const events: AgentEvent[] = []
  const take = (folded: readonly FoldedEvent[], line: Parameters<MarkdownReport['event']>[2]): void => {
    for (const each of folded) {
      const event = stamp(each, format)
      report.event(event, each, line)
      counter.event(event, events.length, each, line)
      events.push(event)
    }
  }
  const reader = new RunReader(
    format,
    {
      line(line) {
        index.line(line)
        report.line(line)
        counter.line(line)
        take(line.events, line)
      },
      end(folded, marks) {
        index.end(folded, marks)
        take(folded, null)
      }
    },
    { framing }
  )
  reader.push(0, bytes)
  reader.endFile(0)
  reader.end()

  const analysis = RunAnalysis.of(index)
  const { split } = allSteps(analysis.timesOf(null))
  const counts = new RunCounts()
  counts.count(index.rows, index.rows.rows)
  const session = { analysis, format: format.id, name: 'log', clean: (text: string) => text, version: '1' }
  let trace = ''
  const spans: string[] = []
  const tables: Record<string, unknown>[] = []
  const writers = [
    new ChromeTrace({
      ...session,
      out: { json: (text) => void (trace += text), string: (text) => void (trace += text) }
    }),
    new OtlpSpans({
      ...session,
      content: false,
      hash: (text) => createHash('sha256').update(text).digest('hex'),
      send: (request) => void spans.push(request)
    }),
    new SessionTables({
      ...{
        ...session,
        runId: 'r',
        path: '/log',
        card: null,
        end: new SessionEnd('unsaid'),
        prices: null,
        texts: false
      },
      add(table, cells) {
        if (table !== 'runs') return
        tables.push(Object.fromEntries(Object.keys(sessionTables.runs).map((name, at) => [name, cells[at]])))
      }
    })
  ]
  for (const writer of writers) {
    for (const [seq, event] of events.entries()) writer.event(event, seq)
    writer.end()
  }
  // A line feed at its end: it is not the beginning of a longer log.
  const head = framing === 'lines' ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes
  const card = readCard({ path: '/log', format, framing, head, tail: null, companion: null })
  const { firstTimestamp, lastTimestamp } = counter.counts
  const text = report.pieces({ name: 'log', bytes: 1, lines: 1, events: events.length, files: 0, notes: [] }).join('')
  const [run] = tables
  const began = (JSON.parse(trace) as { otherData: { startedAt: string | null } }).otherData.startedAt
  return {
    events,
    told: {
      index: { begin: index.rows.firstTimestamp, end: index.rows.lastTimestamp, wallMs: counts.times?.wallMs ?? null },
      split: { wallMs: split?.wallMs ?? null },
      // Of the head and the end of the log, then with what was counted, as the library shows it.
      card: isOrdered
        ? { begin: card.startedAt, end: card.endedAt }
        : { begin: earliest(card.startedAt, firstTimestamp), end: latest(card.endedAt, lastTimestamp) },
      counts: { begin: firstTimestamp, end: lastTimestamp, wallMs: counter.times?.wallMs ?? null },
      trace: { begin: began === null ? null : Date.parse(began) },
      otlp: runSpan(spans),
      tables: told(run?.['started_at'], run?.['ended_at'], run?.['wall_ms']),
      report: reported(text)
    }
  }
}

function told(begin: unknown, end: unknown, wallMs: unknown): Told {
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return { begin: number(begin), end: number(end), wallMs: number(wallMs) }
}

interface Otlp {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[]
}
interface OtlpSpan {
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

/** The span without a parent is the run. */
function runSpan(requests: readonly string[]): Partial<Told> {
  const all = requests.flatMap((text) =>
    (JSON.parse(text) as Otlp).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  )
  const run = all.find(({ parentSpanId }) => parentSpanId === undefined)
  if (run === undefined) return { begin: null, end: null }
  const ms = (nanoseconds: string): number => Number(nanoseconds.slice(0, -6))
  return { begin: ms(run.startTimeUnixNano), end: ms(run.endTimeUnixNano) }
}

/** `| Time (UTC) | 2026-01-02 10:00:00 to 10:00:04 (4.0 s) |`, in seconds. */
function reported(text: string): Partial<Told> {
  const [, begin, to] = /\| Time \(UTC\) \| (\d{4}-\d\d-\d\d [\d:]{8})(?: to ([-\d]* ?[\d:]{8}))?/.exec(text) ?? []
  if (begin === undefined) return { begin: null, end: null }
  const end = to === undefined ? begin : to.length > 8 ? to : begin.slice(0, 11) + to
  return { begin: Date.parse(`${begin.replace(' ', 'T')}Z`), end: Date.parse(`${end.replace(' ', 'T')}Z`) }
}

/** To what each surface keeps of a time. */
function rounded(of: Partial<Told>, surface: string): Partial<Told> {
  const to = (ms: number): number => (surface === 'report' ? Math.floor(ms / 1000) * 1000 : Math.round(ms))
  return Object.fromEntries(
    Object.entries(of).map(([name, ms]) => [
      name,
      typeof ms === 'number' ? (name === 'wallMs' ? Math.round(ms) : to(ms)) : ms
    ])
  )
}

function expectAgreement(bytes: Uint8Array, format: LogFormat, isOrdered: boolean): void {
  const { events, told } = surfaces(bytes, format, isOrdered)
  const expected = toldByEvents(events)
  // The years that a date, a report and 64 bits of nanoseconds can hold.
  if ([expected.begin, expected.end].some((time) => time !== null && (time < 0 || time > 1.8e13))) return
  for (const [surface, says] of Object.entries(told)) {
    const wanted = Object.fromEntries(Object.keys(says).map((name) => [name, expected[name as keyof Told]]))
    expect(rounded(says, surface), surface).toEqual(rounded(wanted, surface))
  }
}

/** All lines but the first in the opposite order: times go back. */
function backwards(bytes: Uint8Array): Uint8Array {
  const [first = '', ...rest] = new TextDecoder().decode(bytes).trimEnd().split('\n')
  return new TextEncoder().encode([first, ...rest.toReversed(), ''].join('\n'))
}

describe('all that tells when a session began and ended says the same', () => {
  for (const fixture of allFixtures()) {
    const format = formatById(fixture.formatId)
    if (format === undefined) throw new Error(fixture.formatId)
    const bytes = bytesOfFixture(fixture)
    test(`${fixture.formatId} ${fixture.name}`, () => expectAgreement(bytes, format, true))
    if (headOf('log', bytes).framing === 'lines')
      test(`${fixture.formatId} ${fixture.name}, backwards`, () => expectAgreement(backwards(bytes), format, false))
  }
})

test('the commands say the same of a log whose lines are out of order', async () => {
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 10, 0, second)).toISOString()
  const line = (type: string, second: number, content: unknown): string =>
    JSON.stringify({
      ...{
        type,
        sessionId: 's',
        uuid: `u${second}`,
        parentUuid: null,
        timestamp: at(second),
        cwd: '/',
        version: '2.1.0'
      },
      message: {
        id: `m${second}`,
        role: type,
        content,
        ...(type === 'assistant' && { model: 'claude-opus-4-5', usage: { input_tokens: 1, output_tokens: 1 } })
      }
    })
  const text = (words: string): object[] => [{ type: 'text', text: words }]
  const path = file(
    'out-of-order.jsonl',
    `${[line('user', 20, 'Go'), line('assistant', 50, text('b')), line('assistant', 10, text('a')), line('user', 30, 'On')].join('\n')}\n`
  )
  const [begin, end] = [Date.parse(at(10)), Date.parse(at(50))]
  expect(await json('stats', path, '--json')).toMatchObject({
    ...{ firstTimestamp: begin, lastTimestamp: end, time: { wallMs: 40_000 } }
  })
  const { out } = await playhead('sql', path, 'select begin_ms, end_ms, wall_ms from sessions', '--json')
  expect(JSON.parse(out)).toEqual({ begin_ms: begin, end_ms: end, wall_ms: 40_000 })
  const report = await playhead('export', path, '--to', 'md')
  expect(report.out).toContain('| 2026-01-02 10:00:10 to 10:00:50 (40')
  const requests = await playhead('sql', path, 'select begin_ms, end_ms from requests', '--json')
  // The second begins with no event before its end.
  expect(
    requests.out
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as object)
  ).toEqual([
    { begin_ms: Date.parse(at(20)), end_ms: end },
    { begin_ms: null, end_ms: begin }
  ])
})
