import type { LogStatus } from '#contract/methods.ts'
import type { Following } from './following.ts'
import type { LogAccess } from './log-access.ts'
import type { FindState } from './log-find.ts'
import { type FilterChoice, isNoFilter, RowFilter } from './row-filter.ts'

/** Which rows the timeline shows. */
export class Filtering {
  readonly #log: LogAccess
  readonly #following: Following
  /** Null: all of them. */
  #filter: RowFilter | null = null

  constructor(log: LogAccess, following: Following) {
    this.#log = log
    this.#following = following
  }

  set(choice: FilterChoice): void {
    const { layout, get, set } = this.#log
    this.#filter = isNoFilter(choice) ? null : new RowFilter(choice, get().status, get().find)
    layout.setFilter(this.#filter)
    set({ filter: choice, version: get().version + 1 })
    if (get().following) this.#following.toEnd({ byPerson: false })
  }

  isShown(row: number): boolean {
    return this.#filter === null || this.#filter.passes(this.#log.columns, row)
  }

  /** What Find has found is another from row `from` on. */
  setHits(find: FindState, from: number): void {
    this.#refilter(this.#filter?.setHits(find, from) ?? Infinity)
  }

  /** Calls from row `from` on have failed, or have not after all. */
  setFailed(from: number): void {
    this.#refilter(this.#filter?.failedFrom(from) ?? Infinity)
  }

  /** The host says more of the log. */
  learn(status: LogStatus): void {
    this.#refilter(this.#filter?.learn(status) ?? Infinity)
  }

  /** From row `from` on, rows may be shown that were not, and the other way round. */
  #refilter(from: number): void {
    const { columns, layout, get, set } = this.#log
    if (this.#filter === null || !layout.refilter(from)) return
    set({ version: get().version + 1 })
    // A hit that comes later than its row is the end that is followed.
    if (get().following && from < columns.rows) this.#following.stayAtEnd(from)
  }
}
