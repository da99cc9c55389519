import type { RowSummary } from '#contract/methods.ts'
import type { RowMark } from '#core/formats/log-format.ts'
import type { RowKind } from '#core/index/row-kind.ts'
import type { LogState } from '../../stores/log-store.ts'
import type { SeverityName } from '../../stores/log-columns.ts'

/** All a row of the timeline shows. Plain values, so that a row that did not change is not rendered again. */
export interface RowView {
  readonly row: number
  readonly kind: RowKind
  readonly severity: SeverityName
  /** Why the row does not count; null for one that does. */
  readonly mark: RowMark | null
  readonly line: number
  /** Whose line it is, where that is another file of the run. */
  readonly file: string | undefined
  readonly time: number
  readonly seq: number
  /** A call's tool; null on other rows. */
  readonly tool: string | null
  readonly depth: number
  /** How long the call took, in ms; NaN unknown or no call. Logs that state one time for both say nothing about it. */
  readonly took: number
  /** Undefined: not read yet. */
  readonly summary: RowSummary | undefined
}

/** What the timeline shows of a row, of what is loaded so far. */
export function rowView({ columns, status, summaries }: LogState, row: number): RowView {
  const kind = columns.kindAt(row)
  const pair = kind === 'tool' ? (columns.pairOf[row] ?? -1) : -1
  const time = columns.time[row] ?? NaN
  return {
    row,
    kind,
    severity: columns.severityAt(row),
    mark: columns.markAt(row),
    line: columns.line[row] ?? 0,
    file: status.files[(columns.file[row] ?? 0) - 1]?.name,
    time,
    seq: columns.seq[row] ?? -1,
    tool: kind === 'tool' ? (status.tools[(columns.tool[row] ?? 0) - 1] ?? null) : null,
    depth: status.tracks[columns.track[row] ?? 0]?.depth ?? 0,
    took: pair < 0 ? NaN : (columns.time[pair] ?? NaN) - time || NaN,
    summary: summaries.get(row)
  }
}
