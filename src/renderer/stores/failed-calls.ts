import { rowKinds } from '#core/index/row-kind.ts'
import type { Direction, PassesRow } from '#core/replay/steps.ts'
import { firstHitFrom } from './find-hits.ts'
import { grown } from './grown.ts'
import type { LogColumns } from './log-columns.ts'

const failedKind = rowKinds.indexOf('tool-error')

/** The failed calls of a log, by the row of their result. A call counts once, as in `LogStatus.failedCalls`. */
export class FailedCalls {
  readonly #columns: LogColumns
  readonly #results = new RowList()
  #seen = 0

  constructor(columns: LogColumns) {
    this.#columns = columns
  }

  /** Rows of results, ascending. Valid until the log grows. */
  get results(): Uint32Array {
    return this.#results.rows
  }

  /** Number of failures in rows `from` to `to` (exclusive). */
  countIn(from: number, to: number): number {
    return firstHitFrom(this.results, to) - firstHitFrom(this.results, from)
  }

  /** The next failed result in this direction; -1 for none. */
  next(row: number, direction: Direction, passes: PassesRow): number {
    const { results } = this
    const first = direction > 0 ? firstHitFrom(results, row + 1) : firstHitFrom(results, row) - 1
    for (let at = first; at >= 0 && at < results.length; at += direction) {
      const result = results[at] ?? -1
      if (passes(result)) return result
    }
    return -1
  }

  /** Rows from `row` on are new or replaced. */
  onGrown(row: number): void {
    const { rows, kind } = this.#columns
    this.#results.truncate(row)
    for (this.#seen = Math.min(this.#seen, row); this.#seen < rows; this.#seen++) {
      if (kind[this.#seen] === failedKind && this.#isFirst(this.#seen)) this.#results.push(this.#seen)
    }
  }

  #isFirst(result: number): boolean {
    const call = this.#columns.failedCallAt(result)
    return call === result || (call >= 0 && this.#columns.firstCompletionOf(call) === result)
  }
}

/** Rows in ascending order, added and removed at the end. */
class RowList {
  #rows = new Uint32Array(16)
  #count = 0

  /** Valid until the list changes. */
  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.#count)
  }

  /** `row` must be above all others. */
  push(row: number): void {
    if (this.#count === this.#rows.length) this.#rows = grown(this.#rows, new Uint32Array(this.#count * 2))
    this.#rows[this.#count++] = row
  }

  /** Removes the rows from `row` on. */
  truncate(row: number): void {
    this.#count = firstHitFrom(this.rows, row)
  }
}
