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
  /** A call that failed, told on its own row. */
  readonly failed: boolean
  /** How long the call took, in ms; NaN where that is not known, and on other rows. */
  readonly took: number
  /** Undefined: not read yet. */
  readonly summary: RowSummary | undefined
}

type RowLog = Pick<LogState, 'columns' | 'status' | 'summaries'>

/** What the timeline shows of a row, as far as it is loaded. */
export function rowView({ columns, status, summaries }: RowLog, row: number): RowView {
  const kind = columns.kindAt(row)
  const pair = columns.pairOf[row] ?? -1
  const isResult = kind === 'tool-result' || kind === 'tool-error'
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
    failed: !isResult && columns.failedCallAt(row) === row,
    // A result shows it where the call has no row.
    took: columns.took[isResult ? (pair < 0 ? row : -1) : pair] ?? NaN,
    summary: summaries.get(row)
  }
}
