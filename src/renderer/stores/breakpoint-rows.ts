import type { FindProgress, Host, LogStatus } from '#contract/methods.ts'
import { type StopOf, stopOf } from '#core/query/rule-query.ts'
import { asksForBookmarks } from '#core/query/query-choices.ts'
import type { Breakpoint, Review } from '#core/replay/review.ts'
import { firstHitFrom, hitAt } from './find-hits.ts'
import type { LogColumns } from './log-columns.ts'
import { findQueryOf, LogFind } from './log-find.ts'
import type { PlaceRows } from './place-rows.ts'
import type { TodoReaches } from './todo-reaches.ts'

/** The parts of a log that find the rows of its breakpoints. */
export interface BreakpointLog {
  readonly host: Host
  readonly id: string
  readonly columns: LogColumns
  readonly places: PlaceRows
  readonly todoReaches: TodoReaches
  status(): LogStatus
  review(): Review
  /** The rows of a breakpoint have changed. */
  onChange(): void
}

/** Progress of finding a breakpoint's rows. `part`: share that is searched, 0 to 1. `error`: null for none. */
export interface MatchState {
  readonly count: number
  readonly searching: boolean
  readonly part: number
  readonly error: string | null
}

/** The rows of one breakpoint, as far as they are known. */
export class BreakpointRows {
  /** Replaced when it is turned on or off; the rule stays the same. */
  breakpoint: Breakpoint
  readonly #log: BreakpointLog
  readonly #stop: StopOf | null
  #hits: Uint32Array = new Uint32Array()
  readonly #find: LogFind | null
  #search: Omit<MatchState, 'count'> = { searching: false, part: 1, error: null }
  /** Rows up to here are searched. */
  #searchedTo = 0

  constructor(breakpoint: Breakpoint, log: BreakpointLog) {
    this.breakpoint = breakpoint
    this.#log = log
    const { rule, id } = breakpoint
    this.#stop = stopOf(rule)
    this.#find = this.#stop === null || this.#stop.at === 'reach' ? null : this.#findAs(`breakpoint ${id}`)
    if (this.#stop === null || this.#stop.at === 'reach') return
    this.#find?.setQuery(findQueryOf(this.#stop.query, log.review()), 0)
  }

  /** Ascending; valid until something changes. */
  get rows(): Uint32Array {
    const { rule } = this.breakpoint
    if (this.#stop?.at === 'reach') return this.#log.todoReaches.rowsOf(this.#stop.text, this.#stop.status)
    if (rule.type !== 'place') return this.#hits
    const { row } = this.#log.places.find(rule.place, false)
    return Uint32Array.from(row < 0 ? [] : [row])
  }

  get state(): MatchState {
    if (this.#stop?.at === 'reach') return { count: this.rows.length, ...this.#log.todoReaches.state }
    return { count: this.rows.length, ...this.#search }
  }

  /** The rows are known up to here (exclusive); Infinity if nothing more can be found out. */
  get knownTo(): number {
    if (this.#stop?.at === 'reach') return this.#log.todoReaches.knownTo
    if (this.#find === null || !this.#search.searching) return Infinity
    return Math.max(this.#searchedTo, (this.rows.at(-1) ?? -1) + 1)
  }

  has(row: number): boolean {
    return hitAt(this.rows, row) >= 0
  }

  /** The first row from `row` on; -1 for none. */
  firstFrom(row: number): number {
    const { rows } = this
    return rows[firstHitFrom(rows, row)] ?? -1
  }

  /** The last row before `row`; -1 for none. */
  lastBefore(row: number): number {
    const { rows } = this
    return rows[firstHitFrom(rows, row) - 1] ?? -1
  }

  /** Rows from `row` on are new. `replaced`: some of them replace earlier ones. */
  onGrown(row: number, replaced: boolean): void {
    if (replaced) this.#find?.truncate(row)
    if (replaced) this.#searchedTo = Math.min(this.#searchedTo, row)
  }

  onFound(progress: FindProgress): void {
    this.#find?.onFound(progress)
  }

  onBookmarks(): void {
    if (this.#stop === null || this.#stop.at === 'reach' || !asksForBookmarks(this.#stop.query)) return
    this.#find?.setQuery(findQueryOf(this.#stop.query, this.#log.review()), 0)
  }

  /** Notices were missed while the connection was lost. */
  searchAgain(): void {
    this.#find?.searchAgain()
  }

  /** Ends the search. */
  end(): void {
    this.#find?.setQuery({ text: '', regex: false, caseSensitive: false })
    this.dispose()
  }

  dispose(): void {
    this.#find?.dispose()
  }

  #findAs(name: string): LogFind {
    const { host, id, status, onChange } = this.#log
    const settledRows = () => status().settled.rows
    return new LogFind(
      host,
      id,
      settledRows,
      ({ hits, searching, part, error }, from) => {
        if (hits !== undefined) this.#hits = this.#stop?.at === 'begin' ? firstOfStretches(hits) : hits
        this.#searchedTo = searching === false ? this.#log.columns.rows : Math.min(this.#searchedTo, from)
        this.#search = {
          searching: searching ?? this.#search.searching,
          part: part ?? this.#search.part,
          error: error === undefined ? this.#search.error : (error?.message ?? null)
        }
        onChange()
      },
      name
    )
  }
}

/** The first row of each run of adjacent rows. */
function firstOfStretches(rows: Uint32Array): Uint32Array {
  return rows.filter((row, at) => at === 0 || rows[at - 1] !== row - 1)
}
