import type { Host } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'
import type { LogState } from './log-store.ts'
import type { TimelineLayout } from './timeline-layout.ts'
import type { TodoSnapshots } from './todo-snapshots.ts'

/** What the parts of one log's store have in common. */
export interface LogAccess {
  readonly host: Host
  readonly id: string
  readonly columns: LogColumns
  readonly layout: TimelineLayout
  readonly todos: TodoSnapshots
  get(): LogState
  set(change: Partial<LogState>): void
}
