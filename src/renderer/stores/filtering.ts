import type { LogStatus } from '#contract/methods.ts'
import type { Following } from './following.ts'
import type { LogAccess } from './log-access.ts'
import type { FindState } from './log-find.ts'
import type { PlayheadState } from './playhead.ts'
import { type FilterChoice, isNoFilter, RowFilter } from './row-filter.ts'

export interface FilteringState {
  /** Which rows the timeline shows. */
  readonly filter: FilterChoice
}

type FilteredLog = LogAccess<FilteringState & PlayheadState & { readonly find: FindState }>

/** Chooses which rows the timeline shows. */
export class Filtering {
  readonly #log: FilteredLog
  readonly #following: Following
  /** Null: no filter. */
  #filter: RowFilter | null = null

  constructor(log: FilteredLog, following: Following) {
    this.#log = log
    this.#following = following
  }

  set(filter: FilterChoice): void {
    const { layout, get, set } = this.#log
    this.#filter = isNoFilter(filter) ? null : new RowFilter(filter, get().status, get().find)
    layout.setFilter(this.#filter)
    set({ filter, version: get().version + 1 })
    if (get().following) this.#following.toEnd({ byPerson: false })
  }

  /** Shows or hides records without an event, except the one at the playhead. */
  showRecords(shown: boolean): void {
    const { layout, get, set } = this.#log
    const { moved, row, version } = get()
    layout.showRecords(shown)
    if (moved && layout.viewOf(row) < 0) layout.singleOut([row])
    set({ version: version + 1 })
  }

  isShown(row: number): boolean {
    return this.#filter === null || this.#filter.passes(this.#log.columns, row)
  }

  /** The matches from row `from` on have changed. */
  onHits(find: FindState, from: number): void {
    this.#refilter(this.#filter?.setHits(find, from) ?? Infinity)
  }

  /** The failed calls from row `from` on have changed. */
  onFailed(from: number): void {
    this.#refilter(this.#filter?.failedFrom(from) ?? Infinity)
  }

  onStatus(status: LogStatus): void {
    this.#refilter(this.#filter?.onStatus(status) ?? Infinity)
  }

  /** Applies the filter again from row `from` on. */
  #refilter(from: number): void {
    const { columns, layout, get, set } = this.#log
    if (this.#filter === null || !layout.refilter(from)) return
    set({ version: get().version + 1 })
    // A match that is found after its row was loaded may be the new end.
    if (get().following && from < columns.rows) this.#following.stayAtEnd(from)
  }
}
