import type { FindProgress, Host, LogStatus } from '#contract/methods.ts'
import type { Breakpoint } from '#core/replay/review.ts'
import { firstHitFrom, hitAt } from './find-hits.ts'
import type { LogColumns } from './log-columns.ts'
import { LogFind } from './log-find.ts'
import type { PlaceRows } from './place-rows.ts'
import { RuleRows } from './rule-rows.ts'
import type { TodoReaches } from './todo-reaches.ts'

/** What a log gives to find the rows of its breakpoints. */
export interface BreakpointLog {
  readonly host: Host
  readonly id: string
  readonly columns: LogColumns
  readonly places: PlaceRows
  readonly todoReaches: TodoReaches
  status(): LogStatus
  /** The rows of some breakpoint are others. */
  onChange(): void
}

/** How far the rows of a breakpoint are known. `part`: of a search, 0 to 1. `error`: why they are not; null where all is well. */
export interface MatchState {
  readonly count: number
  readonly searching: boolean
  readonly part: number
  readonly error: string | null
}

/** The rows that one breakpoint means, as they come to be known. */
export class BreakpointRows {
  /** May be turned on and off; its rule stays. */
  breakpoint: Breakpoint
  readonly #log: BreakpointLog
  readonly #rule: RuleRows | null
  readonly #find: LogFind | null
  #search: Omit<MatchState, 'count'> = { searching: false, part: 1, error: null }
  /** Rows that a search has been through to their end. */
  #searchedTo = 0

  constructor(breakpoint: Breakpoint, log: BreakpointLog) {
    this.breakpoint = breakpoint
    this.#log = log
    const { rule, id } = breakpoint
    this.#rule = rule.type === 'rows' ? new RuleRows(rule, log.columns, log.status()) : null
    this.#rule?.grown(0)
    if (rule.type !== 'rows' || rule.text === null) this.#find = null
    else {
      this.#find = this.#findAs(`breakpoint ${id}`)
      this.#find.setQuery(rule.text)
    }
  }

  /** Ascending; good until something changes. */
  get rows(): Uint32Array {
    const { rule } = this.breakpoint
    if (rule.type === 'rows') return this.#rule?.rows ?? new Uint32Array()
    if (rule.type === 'todo') return this.#log.todoReaches.rowsOf(rule.text, rule.status)
    const { row } = this.#log.places.find(rule.place, false)
    return Uint32Array.from(row < 0 ? [] : [row])
  }

  get state(): MatchState {
    const { rule } = this.breakpoint
    if (rule.type === 'todo') return { count: this.rows.length, ...this.#log.todoReaches.state }
    return { count: this.rows.length, ...this.#search }
  }

  /** Up to which row (exclusive) it is known which rows these are; Infinity: as far as there are rows, or as will ever be known. */
  get knownTo(): number {
    const { rule } = this.breakpoint
    if (rule.type === 'todo') return this.#log.todoReaches.knownTo
    if (this.#find === null || !this.#search.searching) return Infinity
    return Math.max(this.#searchedTo, (this.rows.at(-1) ?? -1) + 1)
  }

  has(row: number): boolean {
    return hitAt(this.rows, row) >= 0
  }

  /** The first of its rows from `row` on, -1 if there is none. */
  firstFrom(row: number): number {
    const { rows } = this
    return rows[firstHitFrom(rows, row)] ?? -1
  }

  /** The last of its rows before `row`. */
  lastBefore(row: number): number {
    const { rows } = this
    return rows[firstHitFrom(rows, row) - 1] ?? -1
  }

  onStatus(status: LogStatus): void {
    this.#rule?.onStatus(status)
  }

  /** Rows from `row` on are others now, or new; `replaced`: some of them were here before. */
  onGrown(row: number, replaced: boolean): void {
    if (replaced) this.#find?.truncate(row)
    if (replaced) this.#searchedTo = Math.min(this.#searchedTo, row)
    this.#rule?.grown(row)
  }

  onFound(progress: FindProgress): void {
    this.#find?.onFound(progress)
  }

  /** What was found while the connection was lost was not heard. */
  searchAgain(): void {
    this.#find?.searchAgain()
  }

  /** Nobody wants it any more: its search is ended. */
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
        if (hits !== undefined) this.#rule?.setHits(hits, from)
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
