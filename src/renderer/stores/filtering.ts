import type { FindProgress } from '#contract/methods.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import { printQuery } from '#core/query/print-query.ts'
import { asksForBookmarks, type QueryChoices, withTerm } from '#core/query/query-choices.ts'
import type { Query } from '#core/query/query.ts'
import { workFromNow } from '../content/sliced-work.ts'
import { hitAt } from './find-hits.ts'
import type { Following } from './following.ts'
import type { LogAccess } from './log-access.ts'
import { findQueryOf, type FindState, LogFind } from './log-find.ts'
import type { PlayheadState } from './playhead.ts'
import type { ReviewingState } from './reviewing.ts'
import { type FilterState, noFilter, QueryRows } from './row-filter.ts'

export interface FilteringState {
  readonly filter: FilterState
}

interface Laying {
  /** The rows are those of another query. */
  readonly isOther: boolean
  readonly from: number
}

type FilteredLog = LogAccess<FilteringState & PlayheadState & ReviewingState>

const typingPauseMs = 150
/** Several pages may show one log, each with its own filter. */
const pageName = `filter ${Math.random().toString(36).slice(2)}`

/** Chooses the rows of the timeline by a query. */
export class Filtering {
  readonly #log: FilteredLog
  readonly #following: Following
  readonly #finder: LogFind
  /** Null: all rows. */
  #rows: QueryRows | null = null
  /** The query of `#rows`. */
  #shown: Query | null = null
  /** Lines that are laid out; null: all are. */
  #laying: (Laying & { readonly stop: () => void }) | null = null
  /** What the timeline has shown last. */
  #laid = { rows: -1, refiltered: -1 }

  constructor(log: FilteredLog, following: Following) {
    this.#log = log
    this.#following = following
    const settledRows = () => log.get().status.settled.rows
    this.#finder = new LogFind(log.host, log.id, settledRows, (change, from) => this.#onFound(change, from), pageName)
  }

  /** Shows the rows of a query; of an invalid one, those shown before. `typed`: more may follow soon. */
  set(text: string, typed = false): void {
    const { get, set } = this.#log
    const former = get().filter
    const { query, error } = parseQuery(text, 'rows')
    if (error !== null) return set({ filter: { ...former, text, error } })
    if (query === null) return this.#showAll(text)
    set({ filter: { ...former, text, error, query } })
    const asked = findQueryOf(query, get().review)
    if (asked.text === former.search.text && former.search.error === null) return
    this.#finder.setQuery(asked, typed ? typingPauseMs : 0)
  }

  /** Keeps a text that is not yet meant: the rows stay. */
  begin(text: string): void {
    const { get, set } = this.#log
    set({ filter: { ...get().filter, text, error: null } })
  }

  /** Replaces the query. */
  change(query: Query | null): void {
    this.set(printQuery(query))
  }

  /** Asks for a term too, or leaves out what it asks for. */
  addTerm(text: string, how: keyof QueryChoices): void {
    const { query: term } = parseQuery(text, 'rows')
    if (term !== null) this.change(withTerm(this.#log.get().filter.query, term, how))
  }

  clear(): void {
    this.set('')
  }

  /** Shows or hides records without an event; the one at the playhead stays. */
  showRecords(shown: boolean): void {
    const { layout, get, set } = this.#log
    const { moved, row, version } = get()
    layout.showRecords(shown)
    if (moved && layout.viewOf(row) < 0) layout.singleOut([row])
    set({ version: version + 1 })
  }

  /** The host's number of the search for the rows; 0: there is none yet. */
  get search(): number {
    return this.#finder.number
  }

  isShown(row: number): boolean {
    return this.#rows === null || hitAt(this.#log.get().filter.search.hits, row) >= 0
  }

  onFound(progress: FindProgress): void {
    this.#finder.onFound(progress)
  }

  onBookmarks(): void {
    const { filter, review } = this.#log.get()
    if (filter.query !== null && asksForBookmarks(filter.query))
      this.#finder.setQuery(findQueryOf(filter.query, review), 0)
  }

  /** Rows from `row` on are loaded again. */
  truncate(row: number): void {
    this.#finder.truncate(row)
  }

  /** Searches again: notices were missed while the connection was lost. */
  reload(): void {
    this.#finder.searchAgain()
  }

  dispose(): void {
    this.#laying?.stop()
    this.#finder.dispose()
  }

  #showAll(text: string): void {
    const { layout, set } = this.#log
    const wasShown = this.#rows === null
    this.#rows = null
    this.#shown = null
    set({ filter: { ...noFilter, text } })
    // Without a query first: the finder reports at once that nothing is found, which would hide all rows until others are laid out.
    this.#finder.setQuery({ text: '', regex: false, caseSensitive: false })
    if (wasShown) return
    layout.setFilter(null)
    this.#lay({ isOther: true, from: 0 })
  }

  /** Rows from `from` on may pass now, or not. */
  #onFound(change: Partial<FindState>, from: number): void {
    const { layout, get, set } = this.#log
    const { filter } = get()
    if (filter.query === null) return
    const search = { ...filter.search, ...change }
    set({ filter: { ...filter, search } })
    if (this.#rows === null || this.#shown !== filter.query) {
      // Until the host has found rows of another query, those of the former one stay.
      if (change.hits === undefined) return
      this.#shown = filter.query
      this.#rows = new QueryRows(filter.query, search)
      layout.setFilter(this.#rows)
      return this.#lay({ isOther: true, from: 0 })
    }
    this.#rows.search = search
    layout.refilter(from)
    this.#lay({ isOther: false, from })
  }

  /** Lays out what is left, so that no slice blocks the page. Rows from `from` on may be shown now, or not. */
  #lay({ isOther, from }: Laying): void {
    const { columns, layout, get, set } = this.#log
    const { stop, ...before } = this.#laying ?? { isOther: false, from: Infinity, stop: () => {} }
    stop()
    const laying = { isOther: isOther || before.isOther, from: Math.min(from, before.from), stop: () => {} }
    this.#laying = laying
    laying.stop = workFromNow(
      () => !layout.layOn(),
      () => {
        this.#laying = null
        const { laid, refiltered } = layout
        if (laid === this.#laid.rows && refiltered === this.#laid.refiltered) return
        this.#laid = { rows: laid, refiltered }
        set({ version: get().version + 1 })
        // A row that is found after it was loaded is the end to follow.
        if (laying.isOther || laying.from < columns.rows) this.#onRefiltered(laying.isOther, laying.from)
      }
    )
  }

  #onRefiltered(isOther: boolean, from = 0): void {
    if (!this.#log.get().following) return
    if (isOther) this.#following.toEnd({ byPerson: false })
    else this.#following.stayAtEnd(from)
  }
}
