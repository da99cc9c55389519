import type { Host, LogStatus, RunFindings, RunSummary } from '#contract/methods.ts'
import type { Overview } from '#core/index/overview.ts'
import type { TimeScale } from '#core/replay/event-scale.ts'
import type { FailedCalls } from './failed-calls.ts'
import type { LiveAnswer } from './live-answer.ts'
import type { LogColumns } from './log-columns.ts'
import type { LogSpans } from './log-spans.ts'
import type { RangeUsages } from './range-usages.ts'
import type { RowMarks } from './row-marks.ts'
import type { RowSummaries } from './row-summaries.ts'
import type { TimelineLayout } from './timeline-layout.ts'
import type { TodoSnapshots } from './todo-snapshots.ts'
import type { TouchedFiles } from './touched-files.ts'

/** The contents of one generation of a log. They grow in place; `LogProgress.version` counts the changes. */
export interface LogContents {
  readonly host: Host
  readonly id: string
  readonly columns: LogColumns
  readonly layout: TimelineLayout
  readonly overview: Overview
  readonly failedCalls: FailedCalls
  /** Grows only on demand: few components use it. */
  readonly timeScale: TimeScale
  readonly summaries: RowSummaries
  /** Tokens of turns and of the whole log. */
  readonly usages: RangeUsages
  /** The session in numbers. */
  readonly summary: LiveAnswer<RunSummary>
  /** What went wrong. */
  readonly findings: LiveAnswer<RunFindings>
  /** What took time, and when. */
  readonly spans: LogSpans
  /** Which events are about which files. */
  readonly files: TouchedFiles
  /** Updates the marks of visible rows; the marks themselves are in the columns. */
  readonly marks: RowMarks
  readonly todos: TodoSnapshots
}

/** The progress of the host, and the number of changes. */
export interface LogProgress {
  readonly status: LogStatus
  readonly version: number
}

/** What the parts of a log's store share. `State`: the values that a part reads and writes. */
export interface LogAccess<State = unknown> extends LogContents {
  get(): LogProgress & State
  set(change: Partial<LogProgress & State>): void
}
