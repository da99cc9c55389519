import { HostError, messageOf } from '#contract/host-error.ts'
import type { FindProgress, Host } from '#contract/methods.ts'
import { printQuery } from '#core/query/print-query.ts'
import { asksForBookmarks } from '#core/query/query-choices.ts'
import type { Query } from '#core/query/query.ts'
import type { PlaceInRun, Review } from '#core/replay/review.ts'
import { FindHits } from './find-hits.ts'

export interface FindQuery {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
  /** The text is a query about rows. */
  readonly isQuery?: boolean
  /** Of the log, for a query that asks for them. */
  readonly bookmarks?: PlaceInRun[]
}

/** What to search for to find the rows of a query. */
export function findQueryOf(query: Query, { bookmarks }: Pick<Review, 'bookmarks'>): FindQuery {
  const asked = { text: printQuery(query), isQuery: true, regex: false, caseSensitive: false }
  return asksForBookmarks(query) ? { ...asked, bookmarks: bookmarks.map(({ place }) => place) } : asked
}

export interface FindState extends FindQuery {
  /** The loaded rows whose line matches, ascending. */
  hits: Uint32Array
  searching: boolean
  /** Number of matches in the host; null until it answers, when `hits` are those of the previous search. */
  found: number | null
  /** Share of the log that is searched, 0 to 1. */
  part: number
  /** The person stopped the search. */
  stopped: boolean
  /** Why the search is incomplete; null for none. `invalid`: the text is no regular expression. */
  error: { readonly message: string; readonly invalid: boolean } | null
}

/** The host's name of the find field's search. */
const findField = 'find'

const noHits = new Uint32Array()

export const noFind: FindState = {
  text: '',
  regex: false,
  caseSensitive: false,
  hits: noHits,
  searching: false,
  found: null,
  part: 0,
  stopped: false,
  error: null
}

const typingPauseMs = 150
/** Delay in ms and number of retries for matches that the host counts and does not return yet. */
const retryAfterMs = 250
const maxRetries = 20
/** Maximum matches per request. */
const pageHits = 1_000_000

/** Reports changes, and the first row with other matches (Infinity: none). */
export type ReportFind = (change: Partial<FindState>, hitsFrom: number) => void

/** Searches while a person types, after a pause, and loads matches during the search. Older answers are dropped. */
export class LogFind {
  readonly #host: Host
  readonly #log: string
  readonly #report: ReportFind
  readonly #settledRows: () => number
  readonly #as: string
  #query: FindQuery = noFind
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Number of searches so far; answers to earlier ones are dropped. */
  #searches = 0
  /** The host's number of the search of these matches; 0 if unknown or for none. */
  #find = 0
  /** The newest progress of any search: it may arrive before the search's number. */
  #lastProgress: FindProgress | null = null
  #progress: FindProgress | null = null
  #hits = new FindHits()
  /** The matches reported last are of another search, or rows of them are others now: they stay until all are loaded. */
  #isLoadingAnew = false
  /** Number of times that matches were taken back: a page requested before begins elsewhere. */
  #takenBack = 0
  #fetching = false
  /** Retries since the last progress. */
  #retries = 0
  /** Number of matches when the person stopped the search; null if not stopped. */
  #stoppedAt: number | null = null

  /** `settledRows`: as `LogStatus.settled`. `as`: the name of the search. */
  constructor(host: Host, log: string, settledRows: () => number, report: ReportFind, as = findField) {
    this.#host = host
    this.#log = log
    this.#settledRows = settledRows
    this.#report = report
    this.#as = as
  }

  /** The host's number of the search; 0: there is none yet. */
  get number(): number {
    return this.#find
  }

  /** Starts another search; none for an empty text. */
  setQuery(query: FindQuery, pauseMs = typingPauseMs): void {
    this.#leave()
    this.#query = query
    if (query.text === '') return this.#clear()
    this.#report({ ...query, searching: true, found: null, part: 0, stopped: false, error: null }, Infinity)
    this.#timer = setTimeout(() => void this.#search(), pauseMs)
  }

  /** Repeats the search. Its matches stay until the host answers. */
  searchAgain(): void {
    if (this.#query.text === '') return
    this.#leave()
    this.#report({ searching: true, found: null, part: 0, stopped: false, error: null }, Infinity)
    void this.#search()
  }

  /** Stops the search. Its matches stay. */
  stop(): void {
    const progress = this.#progress
    if (progress === null || this.#find === 0) {
      this.#leave()
      this.#hits = new FindHits()
      return this.#report({ hits: noHits, searching: false, found: 0, stopped: true }, 0)
    }
    this.#stoppedAt = Math.max(progress.hits, this.#hits.count)
    this.#report({ searching: false, found: this.#stoppedAt, stopped: true }, Infinity)
    void this.#fetch()
  }

  /** The progress of a search. */
  onFound(progress: FindProgress): void {
    if (progress.as !== this.#as) return
    if (progress.find < (this.#lastProgress?.find ?? 0)) return
    this.#lastProgress = progress
    if (this.#find === 0 || this.#stoppedAt !== null) return
    if (progress.find === this.#find) this.#follow(progress)
    else if (this.#as !== findField) this.#continueWith(progress)
    // Another window of the same log has started a search, which ended this one.
    else if (this.#progress?.searching === true) this.stop()
  }

  /** Another page has repeated a shared search of this log: continues with that one. */
  #continueWith(progress: FindProgress): void {
    this.#searches++
    this.#find = progress.find
    this.#hits = new FindHits()
    this.#follow(progress)
  }

  /** Rows from `row` on were taken back and will be loaded again. */
  truncate(row: number): void {
    // Requested matches may be in those rows too.
    const isNone = this.#hits.count === 0
    this.#takeBack(row)
    if (isNone) return
    this.#reportHits(true)
    if (this.#find > 0) void this.#fetch()
  }

  /** Stops all requests. */
  dispose(): void {
    clearTimeout(this.#timer)
    this.#searches++
    this.#find = 0
  }

  /** Ends the current search, if there is one. */
  #leave(): void {
    const find = this.#find
    this.dispose()
    this.#progress = null
    this.#stoppedAt = null
    if (find > 0) this.#end(find)
  }

  #clear(): void {
    this.#hits = new FindHits()
    this.#report({ ...noFind, ...this.#query }, 0)
  }

  async #search(): Promise<void> {
    const search = ++this.#searches
    try {
      const { find } = await this.#host.call('log.find', { log: this.#log, as: this.#as, ...this.#query })
      if (search !== this.#searches) return this.#end(find)
      this.#find = find
      this.#hits = new FindHits()
      this.#isLoadingAnew = this.#query.isQuery === true
      if (this.#lastProgress?.find === find) this.#follow(this.#lastProgress)
    } catch (error) {
      if (search === this.#searches) this.#fail(error, this.#query.regex)
    }
  }

  #follow(progress: FindProgress): void {
    this.#progress = progress
    this.#retries = 0
    if (progress.changedFrom !== undefined && this.#hits.count > 0) {
      this.#hits = this.#hits.copyBelow(progress.changedFrom)
      this.#takenBack++
      this.#isLoadingAnew = this.#query.isQuery === true
    }
    // The matches at the end of the log were taken back; settled ones stay.
    if (progress.hits < this.#hits.count) this.#takeBack(this.#settledRows())
    if (progress.hits < this.#hits.count) this.#takeBack(0)
    const part = progress.bytes === 0 ? 1 : Math.min(1, progress.bytesSearched / progress.bytes)
    const error = progress.error === null ? null : { message: progress.error, invalid: false }
    this.#reportHits(false, { found: progress.hits, part, error })
    void this.#fetch()
  }

  #reportHits(all: boolean, change: Partial<FindState> = {}): void {
    const { part, error } = change
    if (this.#isLoadingAnew) {
      return this.#report({ searching: true, ...(part !== undefined && { part }), ...(error && { error }) }, Infinity)
    }
    const { rows, from } = this.#hits.flush(all)
    this.#report({ ...change, hits: rows, searching: this.#isSearching() }, from)
  }

  /** Whether the host searches, or has matches that are not loaded. */
  #isSearching(): boolean {
    if (this.#stoppedAt !== null) return false
    return this.#progress !== null && (this.#progress.searching || this.#hits.count < this.#progress.hits)
  }

  #takeBack(row: number): void {
    this.#hits.truncate(row)
    this.#takenBack++
  }

  /** Loads the host's matches page by page. */
  async #fetch(): Promise<void> {
    if (this.#fetching) return
    this.#fetching = true
    const search = this.#searches
    try {
      while (search === this.#searches && (await this.#fetchPage())) {
        // On to the next page.
      }
    } catch (error) {
      if (search === this.#searches) this.#fail(error, false)
    }
    this.#fetching = false
    // Another search has started and waits for its matches.
    if (search !== this.#searches) return this.#find > 0 ? this.#fetch() : undefined
    if (this.#stoppedAt !== null && this.#find > 0) {
      this.#end(this.#find)
      this.#find = 0
    }
    this.#isLoadingAnew = false
    this.#reportHits(true, { found: this.#progress?.hits ?? null })
    this.#retryLater()
  }

  /** A growing log's end is searched again; the host does not report it if the number of matches stays. */
  #retryLater(): void {
    const isMissing = this.#isSearching() && this.#progress?.searching === false
    if (!isMissing || this.#retries++ >= maxRetries) return
    this.#timer = setTimeout(() => void this.#fetch(), retryAfterMs)
  }

  /** False if there was nothing to load, or nothing was returned. */
  async #fetchPage(): Promise<boolean> {
    const from = this.#hits.count
    const missing = (this.#stoppedAt ?? this.#progress?.hits ?? 0) - from
    if (missing <= 0) return false
    const [search, takenBack] = [this.#searches, this.#takenBack]
    const params = { log: this.#log, find: this.#find, from, count: Math.min(pageHits, missing) }
    const rows = new Uint32Array((await this.#host.call('log.hits', params)).rows)
    if (search !== this.#searches) return false
    if (takenBack !== this.#takenBack) return true
    this.#hits.add(rows)
    this.#reportHits(false)
    return rows.length > 0
  }

  #end(find: number): void {
    // A lost host has ended its searches.
    this.#host.call('log.endFind', { log: this.#log, find }).catch(() => {})
  }

  #fail(error: unknown, ofRegex: boolean): void {
    const message = messageOf(error)
    const invalid = ofRegex && error instanceof HostError && error.code === 'bad-params'
    this.#find = 0
    this.#hits = new FindHits()
    this.#report({ hits: noHits, searching: false, found: 0, error: { message, invalid } }, 0)
  }
}
