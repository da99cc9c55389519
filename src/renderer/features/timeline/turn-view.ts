import type { RowSummary, Usage } from '#contract/methods.ts'
import type { LogParts } from '../../stores/log-store.ts'
import type { SeverityName } from '../../stores/log-columns.ts'

/** What the head of a turn shows. */
export interface TurnView {
  /** From 0. */
  readonly turn: number
  readonly start: number
  readonly time: number
  readonly events: number
  /** Failed calls. */
  readonly failed: number
  readonly issues: number
  readonly severity: SeverityName
  /** From its first row to its last event; later records are not the agent's work. NaN or 0 if unknown. */
  readonly durationMs: number
  /** Of its prompt; undefined: not loaded yet, null: no prompt. */
  readonly prompt: RowSummary | null | undefined
  /** Of the row that ends it; undefined: not loaded yet, null: none so far. */
  readonly end: RowSummary | null | undefined
  /** Tokens of its requests, including subagents; undefined: not known yet, null: the log does not state them. */
  readonly usage: Usage | null | undefined
}

/** Only a few records may precede a turn's prompt or follow the row that ends it. */
const rowsToEnd = 64
const rowsToPrompt = 64

/** What is known of a turn. The cost does not depend on the number of its rows. */
export function turnView(
  { columns, layout, overview, failedCalls, summaries, usages }: LogParts,
  turn: number
): TurnView {
  const { turns } = layout
  const start = turns.startOf(turn)
  const end = turns.endOf(turn)
  const firstSeq = columns.seqAtOrBefore(start - 1) + 1
  const endSeq = columns.seqAtOrBefore(end - 1) + 1
  const { issues, severity } = overview.query(firstSeq, Math.max(firstSeq + 1, endSeq), 1)
  const endRow = endRowOf(columns, start, end)
  const promptRow = promptRowOf(columns, start, end)
  const worst = (['none', 'notice', 'violation', 'malformed'] as const)[severity[0] ?? 0] ?? 'none'
  return {
    turn,
    start,
    time: columns.time[start] ?? NaN,
    events: endSeq - firstSeq,
    failed: failedCalls.countIn(start, end),
    issues: issues[0] ?? 0,
    severity: worst,
    durationMs: lastTime(columns, start, end) - (columns.time[start] ?? NaN),
    prompt: promptRow < 0 ? null : summaries.get(promptRow),
    end: endRow < 0 ? null : summaries.get(endRow),
    usage: usages.get({ of: 'turn', from: start, to: end })
  }
}

/** The rows whose summaries the head of a turn shows. */
export function rowsOfTurnHead({ columns, layout }: LogParts, turn: number): number[] {
  const start = layout.turns.startOf(turn)
  const end = layout.turns.endOf(turn)
  return [promptRowOf(columns, start, end), endRowOf(columns, start, end)].filter((row) => row >= 0)
}

function promptRowOf(columns: LogParts['columns'], start: number, end: number): number {
  for (let row = start; row < end && row < start + rowsToPrompt; row++) {
    if (columns.track[row] === 0 && columns.kindAt(row) === 'prompt') return row
  }
  return -1
}

function endRowOf(columns: LogParts['columns'], start: number, end: number): number {
  for (let row = end - 1; row > start && row >= end - rowsToEnd; row--) {
    if (columns.track[row] === 0 && columns.kindAt(row) === 'turn') return row
  }
  return -1
}

function lastTime({ time, seq }: LogParts['columns'], start: number, end: number): number {
  for (let row = end - 1; row > start && row >= end - rowsToEnd; row--) {
    const at = time[row] ?? NaN
    if (!Number.isNaN(at) && (seq[row] ?? -1) >= 0) return at
  }
  return NaN
}
