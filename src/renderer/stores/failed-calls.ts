import { rowKinds } from '#core/index/row-kind.ts'
import type { Direction, PassesRow } from '#core/replay/steps.ts'
import { firstHitFrom } from './find-hits.ts'
import type { LogColumns } from './log-columns.ts'
import { RowList } from './row-list.ts'

const failedKind = rowKinds.indexOf('tool-error')

/**
 * The calls of a log that failed, told from its columns as they grow: each by the row of the result that says so. A call counts once, as in
 * `LogStatus.failedCalls`.
 */
export class FailedCalls {
  readonly #columns: LogColumns
  readonly #results = new RowList()
  /** The call of each result; its own row where the call has none. */
  readonly #calls: number[] = []
  #seen = 0

  constructor(columns: LogColumns) {
    this.#columns = columns
  }

  /** Rows of results, ascending. Good until the log grows. */
  get results(): Uint32Array {
    return this.#results.rows
  }

  /** How many failed in rows `from` to `to` (exclusive). */
  countIn(from: number, to: number): number {
    return firstHitFrom(this.results, to) - firstHitFrom(this.results, from)
  }

  /** The next failed result on that side of `row`; -1 where there is none. */
  next(row: number, direction: Direction, passes: PassesRow): number {
    const { results } = this
    const first = direction > 0 ? firstHitFrom(results, row + 1) : firstHitFrom(results, row) - 1
    for (let at = first; at >= 0 && at < results.length; at += direction) {
      const result = results[at] ?? -1
      if (passes(result)) return result
    }
    return -1
  }

  /** Rows from `row` on are others now, or new. Gives the first row that is of a failed call now and was not, or the other way round. */
  grown(row: number): number {
    const { rows, kind } = this.#columns
    this.#results.truncate(row)
    const gone = this.#calls.splice(this.results.length)
    let changed = gone.reduce((first, call) => Math.min(first, call), row)
    for (this.#seen = Math.min(this.#seen, row); this.#seen < rows; this.#seen++) {
      if (kind[this.#seen] === failedKind) changed = Math.min(changed, this.#add(this.#seen))
    }
    return changed
  }

  /** Gives the row of its call. */
  #add(result: number): number {
    const call = this.#columns.failedCallAt(result)
    const isFirst = call === result || (call >= 0 && this.#columns.firstCompletionOf(call) === result)
    if (!isFirst) return result
    this.#results.push(result)
    this.#calls.push(call)
    return call
  }
}
