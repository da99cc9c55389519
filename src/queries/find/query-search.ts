import type { Query } from '#core/query/query.ts'
import { foundTextOf } from '#core/query/query-choices.ts'
import { RowQuery, type TextTerm } from '#core/query/row-query.ts'
import { maybe, no, type QueriedRun, type ReadRow } from '#core/query/row-term.ts'
import type { PlaceInRun } from '#core/replay/review.ts'
import { Ascending } from './ascending.ts'
import { searchFailure } from './finder.ts'
import { type LogCrew, LogSearch, type LogToSearch, type SearchProgress } from './log-search.ts'

/** The rows that a query is asked of. */
export interface QueriedRows extends QueriedRun {
  readonly read: (row: number) => Promise<ReadRow>
}

export interface LogToQuery<H> extends LogToSearch<H> {
  readonly asked: QueriedRows
}

export interface QuerySearchOptions {
  /** Approximate bytes of a piece. */
  readonly pieceBytes?: number | undefined
  /** Of the log; absent: none. */
  readonly bookmarks?: readonly PlaceInRun[] | undefined
}

/** Rows that are evaluated at once. */
const blockRows = 1 << 16
/** Ms of evaluation between two turns of other work. */
const turnMs = 10
const reportIntervalMs = 100
/** Pause before all rows of a growing log are evaluated again, as a multiple of the last evaluation. */
const pauseFactor = 10

/** One query over a growing log: evaluates its index, searches its texts and reads the remaining rows. */
export class QuerySearch<H> {
  /** The rows that meet the query, of those evaluated. */
  readonly rows = new Ascending((length) => new Uint32Array(length))
  readonly #query: Query | null
  readonly #log: () => LogToQuery<H>
  readonly #crew: LogCrew<H>
  readonly #report: (progress: SearchProgress) => void
  readonly #options: QuerySearchOptions
  /** All texts in one search, and each expression in its own. */
  readonly #searches: { readonly terms: readonly TextTerm[]; readonly search: LogSearch<H> }[] = []
  #asked: RowQuery | null = null
  /** Of the log that `#asked` was made for. */
  #index: QueriedRun['index'] | null = null
  #settledRows = 0
  /** What grows with the log, when it was looked at last. */
  #state = ''
  /** Of the rows that are evaluated at once: whether they meet the query, and which do. */
  readonly #truths = new Uint8Array(blockRows)
  readonly #hits = new Uint32Array(blockRows)
  /** Rows below were evaluated. */
  #evaluated = 0
  /** The log has changed since the last evaluation of all rows began. */
  #isStale = true
  #isEvaluating = false
  /** More can be evaluated than when the evaluation began. */
  #hasMore = false
  #isEnded = false
  #error: string | null = null
  /** As in `FindProgress`, since the last report. */
  #changedFrom = Infinity
  #reported: SearchProgress | null = null
  #reportedAt = -Infinity
  #restsUntil = -Infinity
  #timer: Timer | null = null

  /** `query`: null for all rows. */
  constructor(
    query: Query | null,
    log: () => LogToQuery<H>,
    crew: LogCrew<H>,
    report: (progress: SearchProgress) => void,
    options: QuerySearchOptions = {}
  ) {
    this.#query = query
    this.#log = log
    this.#crew = crew
    this.#report = report
    this.#options = options
  }

  /** Starts, or continues after a change of the log. */
  goOn(): void {
    if (this.#isEnded || this.#error !== null) return
    const { isReading, files, asked } = this.#log()
    const state = [isReading, asked.index.rows.rows, ...files.map(({ bytesRead }) => bytesRead)].join(' ')
    if (this.#index === asked.index && this.#state === state) return
    this.#state = state
    this.#isStale = true
    for (const { search } of this.#searches) search.goOn()
    this.#evaluateSoon()
  }

  /** Ends the search. `aloud`: reports an empty, finished search. */
  end(aloud: boolean): void {
    this.#isEnded = true
    clearTimeout(this.#timer ?? undefined)
    for (const { search } of this.#searches) search.end(false)
    if (aloud && this.#reported) this.#report({ ...this.#reported, searching: false, hits: 0 })
  }

  #evaluateSoon(): void {
    this.#hasMore = true
    if (this.#isEvaluating || this.#isEnded) return
    const wait = this.#restsUntil - performance.now()
    if (wait <= 0) return void this.#evaluate()
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#evaluate()
    }, wait)
  }

  async #evaluate(): Promise<void> {
    if (this.#isEvaluating || this.#isEnded || !this.#hasMore) return
    this.#isEvaluating = true
    this.#hasMore = false
    const began = performance.now()
    // Short evaluations are reported at their end only.
    if (this.#reported?.searching !== true) this.#reportedAt = began
    try {
      await this.#evaluateRows(this.#log())
    } catch (error) {
      this.#error = searchFailure(error)
    }
    this.#isEvaluating = false
    if (this.#isEnded) return
    this.#reportProgress(true)
    const now = performance.now()
    this.#restsUntil = now + Math.max(reportIntervalMs, pauseFactor * (now - began))
    if (this.#hasMore && this.#error === null) this.#evaluateSoon()
  }

  async #evaluateRows(log: LogToQuery<H>): Promise<void> {
    const { index, read } = log.asked
    const { rows } = index.rows
    const isAnew = this.#isStale
    const asked = this.#askedOf(log)
    this.#isStale = false
    let turn = performance.now()
    let searched = this.#textsSearched()
    for (let from = isAnew ? 0 : this.#evaluated; from < rows; from += blockRows) {
      const block = this.#truths.subarray(0, rows - from)
      asked.fill(from, block)
      const needsMore = block.includes(maybe)
      // Where all is known from the index, no text needs to be searched for.
      if (needsMore && this.#searches.length === 0) {
        this.#searchTexts(asked)
        searched = this.#textsSearched()
      }
      const to = Math.min(from + block.length, needsMore ? searched : Infinity)
      const hits = this.#hits
      let found = 0
      for (let row = from; row < to;) {
        const open = block.indexOf(maybe, row - from)
        const end = open < 0 ? to : Math.min(to, from + open)
        found = addHits(block, from, row, end, hits, found)
        row = end
        if (row < to && (await asked.holds(row, read))) hits[found++] = row
        row = Math.min(to, row + 1)
        if (performance.now() - turn < turnMs) continue
        this.#setHits(from, row, hits.subarray(0, found))
        this.#evaluated = Math.max(this.#evaluated, row)
        this.#reportProgress(false)
        await new Promise<void>((resume) => void setTimeout(resume, 0))
        if (this.#isEnded) return
        turn = performance.now()
      }
      this.#setHits(from, to, hits.subarray(0, found))
      this.#evaluated = to < from + block.length ? to : Math.max(this.#evaluated, to)
      if (to < from + block.length) return
    }
  }

  /** Drops results of rows that were retracted. */
  #askedOf({ asked: run, settledRows }: LogToQuery<H>): RowQuery {
    if (this.#asked !== null && !this.#isStale) return this.#asked
    if (this.#index !== null && this.#index !== run.index) {
      this.#asked?.forgetFrom(this.#settledRows)
      this.#setHits(this.#settledRows, Infinity, new Uint32Array())
      this.#evaluated = Math.min(this.#evaluated, this.#settledRows)
    }
    this.#index = run.index
    this.#settledRows = settledRows
    const { bookmarks = [] } = this.#options
    return (this.#asked = new RowQuery(this.#query, { ...run, bookmarks }, this.#asked))
  }

  /** Starts to search the log for the texts. */
  #searchTexts({ texts }: RowQuery): void {
    const [expressions, literals] = [texts.filter(isExpression), texts.filter((term) => !isExpression(term))]
    for (const terms of [literals, ...expressions.map((term) => [term])]) {
      const found = terms.map(({ value }) => foundTextOf(value))
      const [first] = found
      if (first === undefined) continue
      const query = { ...first, texts: found.map(({ text }) => text) }
      const options = { pieceBytes: this.#options.pieceBytes, onStep: () => this.#onText() }
      this.#searches.push({ terms, search: new LogSearch(query, this.#log, this.#crew, () => {}, options) })
    }
    for (const { search } of this.#searches) search.goOn()
    this.#textsSearched()
  }

  /** Tells the texts what was found. Returns the number of rows that were searched for all of them. */
  #textsSearched(): number {
    let searched = Infinity
    for (const { terms, search } of this.#searches) {
      this.#error ??= search.error
      terms.forEach((term, text) => term.setFound(search.found[text] ?? search.rows, search.decided))
      searched = Math.min(searched, search.decided)
    }
    return searched
  }

  /** The next block is evaluated when its texts are searched for, and before that only for a report. */
  #onText(): void {
    const { rows } = this.#log().asked.index.rows
    const decided = Math.min(...this.#searches.map(({ search }) => search.decided))
    const isPassed = decided >= Math.min(this.#evaluated + blockRows, rows)
    this.#restsUntil = isPassed ? -Infinity : Math.min(this.#restsUntil, performance.now() + reportIntervalMs)
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    this.#evaluateSoon()
  }

  /** Of the rows `from` … `to`. */
  #setHits(from: number, to: number, hits: Uint32Array): void {
    const { rows } = this
    const [begin, end] = [rows.countBelow(from), rows.countBelow(to)]
    let same = 0
    while (same < hits.length && begin + same < end && rows.at(begin + same) === hits[same]) same++
    if (begin + same === end && same === hits.length) return
    const behind = rows.slice(end, rows.length - end)
    const changedFrom = Math.min(hits[same] ?? Infinity, rows.at(begin + same))
    if (begin + same < rows.length) this.#changedFrom = Math.min(this.#changedFrom, changedFrom)
    rows.cutAt(changedFrom)
    rows.append(hits.slice(same))
    rows.append(behind)
  }

  #reportProgress(isEnd: boolean): void {
    const now = performance.now()
    if (!isEnd && now - this.#reportedAt < reportIntervalMs) return
    const { generation, isReading, files, asked } = this.#log()
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const all = asked.index.rows.rows
    const isOver = this.#error !== null || (!isReading && this.#evaluated >= all)
    const progress: SearchProgress = {
      generation,
      searching: !isOver,
      hits: this.rows.length,
      bytesSearched: isOver ? bytes : Math.floor((bytes * this.#evaluated) / Math.max(1, all)),
      bytes,
      error: this.#error,
      ...(this.#changedFrom < Infinity && { changedFrom: this.#changedFrom })
    }
    const { searching, hits, changedFrom } = progress
    const former = this.#reported
    if (former && !former.searching && !searching && former.hits === hits && changedFrom === undefined) return
    this.#changedFrom = Infinity
    this.#reportedAt = now
    this.#reported = progress
    this.#report(progress)
  }
}

/**
 * Writes the rows `begin` … `end` that are `yes`; `truths` are those of the rows from `from` on. Returns the new number of hits. A loop of
 * its own, as one that awaits is many times slower.
 */
function addHits(
  truths: Uint8Array,
  from: number,
  begin: number,
  end: number,
  hits: Uint32Array,
  found: number
): number {
  for (let row = begin; row < end; row++) {
    // Without branches, which no processor foresees.
    hits[found] = row
    found += (truths[row - from] ?? no) >> 1
  }
  return found
}

function isExpression({ value }: TextTerm): boolean {
  return value.type === 'regex'
}
