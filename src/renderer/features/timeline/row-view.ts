import type { LogStatus, RowSummary } from '#contract/methods.ts'
import type { RowMark } from '#core/formats/log-format.ts'
import type { RowKind } from '#core/index/row-kind.ts'
import type { LogState } from '../../stores/log-store.ts'
import type { SeverityName } from '../../stores/log-columns.ts'
import { damageLabel, rowLabel } from '../../ui/row-label.ts'

/** All that a row of the timeline shows. Plain values, so that an unchanged row is not rendered again. */
export interface RowView {
  readonly row: number
  readonly kind: RowKind
  /** What the row is called. */
  readonly label: string
  readonly severity: SeverityName
  /** Whether it is an error about a line that is not JSON. */
  readonly isDamage: boolean
  /** The issues that the row itself tells; 0 where a line below it does. */
  readonly ownIssues: number
  /** Why the row does not count; null if it counts. */
  readonly mark: RowMark | null
  readonly line: number
  /** The file of its line, if that is another file of the session. */
  readonly file: string | undefined
  readonly time: number
  readonly seq: number
  /** A call's tool; null on other rows. */
  readonly tool: string | null
  /** The subagent; null in the main session. */
  readonly track: string | null
  readonly depth: number
  /** Whether it is a call that failed. */
  readonly failed: boolean
  /** Duration of the call in ms; NaN if unknown, and on other rows. */
  readonly durationMs: number
  /** Undefined: not loaded yet. */
  readonly summary: RowSummary | undefined
}

/** The members of a status that a row needs. */
export const rowMembers = ['files', 'tools', 'tracks'] as const

interface RowLog extends Pick<LogState, 'columns' | 'summaries'> {
  readonly status: Pick<LogStatus, (typeof rowMembers)[number]>
}

/** What the timeline shows of a row, as far as it is loaded. */
export function rowView({ columns, status, summaries }: RowLog, row: number): RowView {
  const kind = columns.kindAt(row)
  const pair = columns.pairOf[row] ?? -1
  const isResult = kind === 'tool-result' || kind === 'tool-error'
  const time = columns.time[row] ?? NaN
  const track = status.tracks[columns.track[row] ?? 0]
  const tool = kind === 'tool' ? (status.tools[(columns.tool[row] ?? 0) - 1] ?? null) : null
  const summary = summaries.get(row)
  const damage = damageLabel(kind, columns.severityAt(row), summary)
  return {
    row,
    kind,
    label: damage ?? rowLabel(kind, tool),
    severity: columns.severityAt(row),
    isDamage: damage !== null,
    ownIssues: columns.tellsIssue(row) ? (columns.issues[row] ?? 0) : 0,
    mark: columns.markAt(row),
    line: columns.line[row] ?? 0,
    file: status.files[(columns.file[row] ?? 0) - 1]?.name,
    time,
    seq: columns.seq[row] ?? -1,
    tool,
    track: track?.trackId ?? null,
    depth: track?.depth ?? 0,
    failed: !isResult && columns.failedCallAt(row) === row,
    // A result shows the duration if its call has no row.
    durationMs: columns.durationMs[isResult ? (pair < 0 ? row : -1) : pair] ?? NaN,
    summary
  }
}

/** Whether two views of rows look the same. */
export function sameView(before: RowView, after: RowView): boolean {
  return (
    before.row === after.row &&
    before.summary === after.summary &&
    before.severity === after.severity &&
    before.label === after.label &&
    before.ownIssues === after.ownIssues &&
    before.mark === after.mark &&
    before.failed === after.failed &&
    before.tool === after.tool &&
    before.depth === after.depth &&
    Object.is(before.durationMs, after.durationMs)
  )
}
