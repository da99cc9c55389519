import { HostError, messageOf } from '#contract/host-error.ts'
import type { FindProgress, Host } from '#contract/methods.ts'
import { FindHits } from './find-hits.ts'

export interface FindQuery {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

export interface FindState extends FindQuery {
  /** Rows whose line holds the text, ascending: of those found the ones that are here already. */
  hits: Uint32Array
  searching: boolean
  /** How many the host has found; null: it has said nothing of this search yet, and `hits` are those of the one before. */
  found: number | null
  /** How much of the log is searched, 0 to 1. */
  part: number
  /** The person stopped the search before its end. */
  stopped: boolean
  /** Why there is no answer, or none to the end; null when all is well. `invalid`: the text is no regular expression. */
  error: { readonly message: string; readonly invalid: boolean } | null
}

/** The name of the find field's search, as the host has it. */
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

const typingPause = 150
/** How long until hits are asked for again that the host has found and did not give, in ms; and how often. */
const retryPause = 250
const maxRetries = 20
/** As many hits as the contract gives at once. */
const page = 1_000_000

/** What has changed, and from which row on the hits are others; Infinity: they are the same. */
export type ReportFind = (change: Partial<FindState>, hitsFrom: number) => void

/**
 * Searches as one types: the host is asked when the typing pauses, and its hits come here while it searches. An answer to an older
 * question is dropped.
 */
export class LogFind {
  readonly #host: Host
  readonly #log: string
  readonly #report: ReportFind
  readonly #settledRows: () => number
  readonly #as: string
  #query: FindQuery = noFind
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Counts the questions: an answer to an older one is not for this one. */
  #asked = 0
  /** The host's number of the search whose hits these are; 0: it has not said it yet, or there is none. */
  #find = 0
  /** The newest progress of any search: it may come before the number of the search is known. */
  #lastProgress: FindProgress | null = null
  #progress: FindProgress | null = null
  #hits = new FindHits()
  /** Counts how often hits were taken back: a page asked for before begins at another place. */
  #takenBack = 0
  #fetching = false
  /** How often hits that are missing were asked for again since the host has said anything. */
  #retries = 0
  /** As many hits as there were when the person stopped it; null: nobody did. */
  #stoppedAt: number | null = null

  /** `settledRows`: how many rows of the log are final, as `LogStatus.settled` has it. `as`: the name of the search. */
  constructor(host: Host, log: string, settledRows: () => number, report: ReportFind, as = findField) {
    this.#host = host
    this.#log = log
    this.#settledRows = settledRows
    this.#report = report
    this.#as = as
  }

  /** Searches for something else, for nothing where the text is empty. */
  setQuery(query: FindQuery): void {
    this.#leave()
    this.#query = query
    if (query.text === '') return this.#clear()
    this.#report({ ...query, searching: true, found: null, part: 0, stopped: false, error: null }, Infinity)
    this.#timer = setTimeout(() => void this.#search(), typingPause)
  }

  /** The same is searched for anew; what was found before stays until the host says something of it. */
  searchAgain(): void {
    if (this.#query.text === '') return
    this.#leave()
    this.#report({ searching: true, found: null, part: 0, stopped: false, error: null }, Infinity)
    void this.#search()
  }

  /** Ends the search that is under way. What it has found stays. */
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

  /** The host says how far a search is. */
  onFound(progress: FindProgress): void {
    if (progress.as !== this.#as) return
    if (progress.find < (this.#lastProgress?.find ?? 0)) return
    this.#lastProgress = progress
    if (this.#find === 0 || this.#stoppedAt !== null) return
    if (progress.find === this.#find) this.#follow(progress)
    else if (this.#as !== findField) this.#goOnWith(progress)
    // Another window of the same log has begun a search, which ended this one.
    else if (this.#progress?.searching === true) this.stop()
  }

  /** Another page has asked anew for what is kept of the log: the host's search is the same for all. */
  #goOnWith(progress: FindProgress): void {
    this.#asked++
    this.#find = progress.find
    this.#hits = new FindHits()
    this.#follow(progress)
  }

  /** Rows from `row` on were taken back, and come again as they are now. */
  truncate(row: number): void {
    // Hits that are on their way may be of those rows too.
    const isNone = this.#hits.count === 0
    this.#takeBack(row)
    if (isNone) return
    this.#reportHits(true)
    if (this.#find > 0) void this.#fetch()
  }

  /** Nothing is asked of the host any more. */
  dispose(): void {
    clearTimeout(this.#timer)
    this.#asked++
    this.#find = 0
  }

  /** The search that was under way, if there was one, is not wanted any more. */
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
    const asked = ++this.#asked
    try {
      const { find } = await this.#host.call('log.find', { log: this.#log, as: this.#as, ...this.#query })
      if (asked !== this.#asked) return this.#end(find)
      this.#find = find
      this.#hits = new FindHits()
      if (this.#lastProgress?.find === find) this.#follow(this.#lastProgress)
    } catch (error) {
      if (asked === this.#asked) this.#fail(error, this.#query.regex)
    }
  }

  #follow(progress: FindProgress): void {
    this.#progress = progress
    this.#retries = 0
    // What the end of the log gave was taken back: what is final is still there.
    if (progress.hits < this.#hits.count) this.#takeBack(this.#settledRows())
    if (progress.hits < this.#hits.count) this.#takeBack(0)
    const part = progress.bytes === 0 ? 1 : Math.min(1, progress.bytesSearched / progress.bytes)
    const error = progress.error === null ? null : { message: progress.error, invalid: false }
    this.#reportHits(false, { found: progress.hits, part, error })
    void this.#fetch()
  }

  #reportHits(all: boolean, change: Partial<FindState> = {}): void {
    const { rows, from } = this.#hits.flush(all)
    this.#report({ ...change, hits: rows, searching: this.#isSearching() }, from)
  }

  /** The host searches, or has found what is not here yet. */
  #isSearching(): boolean {
    if (this.#stoppedAt !== null) return false
    return this.#progress !== null && (this.#progress.searching || this.#hits.count < this.#progress.hits)
  }

  #takeBack(row: number): void {
    this.#hits.truncate(row)
    this.#takenBack++
  }

  /** Brings the hits here that the host has found, one page at a time. */
  async #fetch(): Promise<void> {
    if (this.#fetching) return
    this.#fetching = true
    const asked = this.#asked
    try {
      while (asked === this.#asked && (await this.#fetchPage())) {
        // On to the next page.
      }
    } catch (error) {
      if (asked === this.#asked) this.#fail(error, false)
    }
    this.#fetching = false
    // Another search has begun meanwhile, and waits for its hits.
    if (asked !== this.#asked) return this.#find > 0 ? this.#fetch() : undefined
    if (this.#stoppedAt !== null && this.#find > 0) {
      this.#end(this.#find)
      this.#find = 0
    }
    this.#reportHits(true)
    this.#retryLater()
  }

  /**
   * Rows at the end of a log that goes on are searched anew. Where as many of them are hits as before, the host does not say when it is
   * done with them.
   */
  #retryLater(): void {
    const isMissing = this.#isSearching() && this.#progress?.searching === false
    if (!isMissing || this.#retries++ >= maxRetries) return
    this.#timer = setTimeout(() => void this.#fetch(), retryPause)
  }

  /** False when there is nothing to fetch, or nothing came. */
  async #fetchPage(): Promise<boolean> {
    const from = this.#hits.count
    const missing = (this.#stoppedAt ?? this.#progress?.hits ?? 0) - from
    if (missing <= 0) return false
    const [asked, takenBack] = [this.#asked, this.#takenBack]
    const params = { log: this.#log, find: this.#find, from, count: Math.min(page, missing) }
    const rows = new Uint32Array((await this.#host.call('log.hits', params)).rows)
    if (asked !== this.#asked) return false
    if (takenBack !== this.#takenBack) return true
    this.#hits.add(rows)
    this.#reportHits(false)
    return rows.length > 0
  }

  #end(find: number): void {
    // A host that is gone has ended its searches too.
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
