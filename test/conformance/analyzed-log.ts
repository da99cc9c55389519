import { IntervalsBuilder } from '#core/analysis/intervals.ts'
import { RunAnalysis } from '#core/analysis/run-analysis.ts'
import { selfTime } from '#core/analysis/call-table.ts'
import { spanFlags } from '#core/analysis/span-list.ts'
import { CallsBelow } from '#core/analysis/time-split.ts'
import { allSteps } from '#core/steps.ts'
import { Oracle } from './analysis-oracle.ts'
import type { IndexedLog } from './indexed-log.ts'

/** A span without what only the index knows. */
export interface AnalyzedSpan {
  readonly kind: string
  /** Of a call: the tool, and what is special about it. */
  readonly what: string
  readonly track: string | null
  /** Lines: "3", "agent-a.jsonl:3". `to` null: there is none. */
  readonly from: string
  readonly to: string | null
  readonly begin: number | null
  readonly end: number | null
  /** Of a call, with the log's fractions. */
  readonly selfMs: number | null
}

/** What the analysis of a log says, to be compared, and to be checked by people. */
export interface Analyzed {
  readonly split: {
    readonly begin: number
    readonly wallMs: number
    readonly waitingMs: number
    readonly toolsMs: number
    readonly modelMs: number
    readonly unknownMs: number
  } | null
  /** Between the first and the last time that the log states. */
  readonly running: {
    readonly callMs: number
    readonly selfMs: number
    readonly busyMs: number
    readonly mostCalls: number
    readonly mostSubagents: number
  }
  /** When calls of unknown length were made. */
  readonly unknown: readonly (readonly [begin: number, end: number])[]
  /** All others but the run, in the order of their lines. */
  readonly spans: readonly AnalyzedSpan[]
}

/** As Playhead derives it. */
export function analyzedLog({ index }: IndexedLog): Analyzed {
  const { rows } = index
  const run = RunAnalysis.of(index)
  const { split } = allSteps(run.timesOf(null))
  const { parallelism } = allSteps(run.timesOf({ by: 'time', from: split?.begin ?? 0, to: split?.end ?? 0 }))
  const below = allSteps(CallsBelow.of(run.spans, rows.tracks))
  const unknown = new IntervalsBuilder()
  const spans = [...run.spans].flatMap((span, number) => {
    const { kind, track, begin, end, first, last, flags } = span
    if (kind === 'unknown') unknown.add(begin, end)
    if (kind === 'unknown' || kind === 'run') return []
    const tool = kind === 'call' ? (run.toolOf(span) ?? '') : ''
    const has = (flag: keyof typeof spanFlags): boolean => (flags & spanFlags[flag]) !== 0
    const what = whatOf(tool, has('failed'), kind === 'call' && has('stated'), kind === 'call' && has('asks'))
    const lineOf = (row: number): string => placeText(rows.place(row))
    const [trackId, from, to] = [rows.tracks[track]?.trackId ?? null, lineOf(first), last < 0 ? null : lineOf(last)]
    const selfMs = kind === 'call' ? selfTime(run.lengthOf(span), below.msOf(number)) : null
    return [{ kind, what, track: trackId, from, to, begin: known(begin), end: known(end), selfMs }]
  })
  const pairs = allSteps(unknown.union())
  return {
    split,
    running: parallelism,
    unknown: Array.from(
      { length: pairs.length / 2 },
      (_, i) => [pairs[2 * i] ?? NaN, pairs[2 * i + 1] ?? NaN] as const
    ),
    spans: spans.toSorted(byPlace)
  }
}

/** As the oracle reads its events. `idleMs`, `parallelMs`: see `Oracle.running`. */
export function analyzedByOracle({ index, events }: IndexedLog, oracle = new Oracle(events)) {
  const split = oracle.split()
  const { idleMs, parallelMs, ...running } = oracle.running(split?.begin ?? 0, split?.end ?? 0)
  const lineOf = (event: number): string => placeText(index.rows.place(index.rows.rowOf(event)))
  const rounded = (time: number | null): number | null => (time === null ? null : Math.round(time))
  const spans = [
    ...oracle.calls.map((call) => ({
      ...{ kind: 'call', what: whatOf(call.tool, call.failed, call.stated, call.asks), track: call.track },
      ...{ from: lineOf(call.event), to: call.result === null ? null : lineOf(call.result) },
      ...{ begin: rounded(call.begin), end: rounded(call.end), selfMs: oracle.selfMs(call) }
    })),
    ...oracle.spans.map(({ kind, track, first, last, begin, end }) => ({
      ...{ kind, what: '', track, from: lineOf(first), to: lineOf(last) },
      ...{ begin: rounded(begin), end: rounded(end), selfMs: null }
    }))
  ]
  return { analyzed: { split, running, unknown: oracle.unknown, spans: spans.toSorted(byPlace) }, idleMs, parallelMs }
}

export function analysisText(
  { split, running, unknown, spans }: Analyzed,
  { idleMs, parallelMs }: { readonly idleMs: number; readonly parallelMs: number }
): string {
  const at = (time: number): number => time - (split?.begin ?? 0)
  const rows = spans.map(({ kind, what, track, from, to, begin, end, selfMs }) => {
    const times =
      begin === null || split === null
        ? 'unknown'
        : end === null
          ? `${at(begin)} ms to unknown`
          : `${at(begin)} to ${at(end)} ms`
    const self = kind === 'call' ? `self ${selfMs === null ? 'unknown' : `${selfMs} ms`}` : ''
    return [kind, track ?? 'main', `line ${from} to ${to ?? '?'}`, times, self, what]
  })
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [
    ...(split === null
      ? ['wall unknown', 'idle unknown', 'parallelism unknown']
      : [
          `from ${new Date(split.begin).toISOString()}`,
          `wall ${split.wallMs} ms = waiting ${split.waitingMs} + tools ${split.toolsMs} + model ${split.modelMs} + unknown ${split.unknownMs}`,
          `wall ${split.wallMs} ms = self ${running.selfMs} - parallel ${parallelMs} + idle ${idleMs}`,
          `parallelism ${running.busyMs === 0 ? 'unknown' : `${running.selfMs} / ${running.busyMs}`}, at most ${running.mostCalls} calls and ${running.mostSubagents} subagents`,
          ...unknown.map(([begin, end]) => `unknown from ${at(begin)} to ${at(end)} ms`)
        ]),
    '',
    ...lines.map((line) => line.trimEnd()),
    ''
  ].join('\n')
}

function whatOf(tool: string, failed: boolean, stated: boolean, asks: boolean): string {
  return [tool, failed ? 'failed' : '', stated ? 'stated' : '', asks ? 'asks' : '']
    .filter((word) => word !== '')
    .join(', ')
}

function placeText({ file, line }: { readonly file?: string | undefined; readonly line: number }): string {
  return file === undefined ? String(line) : `${file}:${line}`
}

function known(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms
}

function byPlace(a: AnalyzedSpan, b: AnalyzedSpan): number {
  const [x, y] = [a, b].map(({ from }) => Number(from.split(':').at(-1)))
  return (x ?? 0) - (y ?? 0) || compared(sortText(a), sortText(b))
}

const kinds = ['turn', 'wait', 'subagent', 'model', 'call']

function sortText({ kind, from, track, to, what, begin, end }: AnalyzedSpan): string {
  return [from, kinds.indexOf(kind), track, to, what, begin, end].join('\t')
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
