import { messageOf } from '#contract/host-error.ts'
import type { RowSummary } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

export type FetchRows = (rows: number[]) => Promise<readonly RowSummary[]>

const batchSize = 200
const cacheSize = 4000
/** How long until rows that may have been taken back meanwhile are asked for again, in ms. */
const retryPause = 250

/**
 * What rows show beyond their columns, read when they come into view. Only the rows wanted last are fetched: those a
 * fast scroll left behind are not asked for. One batch is on its way at a time.
 */
export class RowSummaries {
  readonly changes = new Listeners()
  /** Why the last batch failed; null when it did not. */
  error: string | null = null
  readonly #fetch: FetchRows
  readonly #schedule: (run: () => void) => void
  readonly #cache = new Map<number, RowSummary>()
  /** Of the generation before: shown until there are newer ones. */
  readonly #former = new Map<number, RowSummary>()
  /** By who wants them: the rows of the last wish. */
  readonly #wanted = new Map<string, readonly number[]>()
  /** Rows from here on may be taken back by the host. */
  #settled = Infinity
  /** What comes for rows from here on was asked for before they were replaced. */
  #replacedFrom = Infinity
  #scheduled = false
  #fetching = false
  #disposed = false

  /** `schedule` runs the batch later, so that the wishes of one frame become one call. */
  constructor(fetch: FetchRows, schedule: (run: () => void) => void = (run) => void requestAnimationFrame(run)) {
    this.#fetch = fetch
    this.#schedule = schedule
  }

  get(row: number): RowSummary | undefined {
    return this.#cache.get(row) ?? this.#former.get(row)
  }

  /** Takes what was known of the rows in the generation before, where `isSame` says that a row is the same one still. */
  adopt(before: RowSummaries, isSame: (row: number) => boolean): void {
    for (const [row, summary] of before.#cache) if (isSame(row)) this.#former.set(row, summary)
  }

  /** Replaces what `who` wanted before. Rows that are there already cost nothing; after a failure `retry` has to ask. */
  want(who: string, rows: readonly number[]): void {
    this.#wanted.set(who, rows)
    this.#askSoon()
  }

  /** Rows from `row` on are others now; of these, the ones from `settled` on may be taken back again. */
  replace(row: number, settled: number): void {
    this.#settled = settled
    this.#replacedFrom = Math.min(this.#replacedFrom, row)
    for (const known of this.#cache.keys()) if (known >= row) this.#cache.delete(known)
    // Rows that come for the first time are those that the generation before is looked up for.
    if (row > 0) for (const known of this.#former.keys()) if (known >= row) this.#former.delete(known)
    if (this.#wanted.size > 0) this.#askSoon()
  }

  /** These rows are told anew: their calls have results now. What was known of them is shown until then. */
  renew(rows: Iterable<number>): void {
    let some = false
    for (const row of rows) {
      const known = this.#cache.get(row)
      if (known === undefined || !this.#cache.delete(row)) continue
      this.#former.set(row, known)
      some = true
    }
    if (some) this.#askSoon()
  }

  /** Nothing is asked of the host any more; what is known stays. */
  dispose(): void {
    this.#disposed = true
    this.#replacedFrom = 0
  }

  /** Asks again after a failure. */
  retry(): void {
    this.error = null
    this.#askSoon()
    this.changes.notify()
  }

  #askSoon(): void {
    if (this.#scheduled || this.#fetching || this.#disposed || this.error !== null) return
    this.#scheduled = true
    this.#schedule(() => {
      this.#scheduled = false
      void this.#fetchWanted()
    })
  }

  async #fetchWanted(): Promise<void> {
    const wanted = new Set([...this.#wanted.values()].flat())
    const missing = [...wanted].filter((row) => !this.#cache.has(row))
    // Apart from the others, so that a row that was just taken back leaves no other one without its summary.
    const settled = missing.filter((row) => row < this.#settled)
    const asked = (settled.length > 0 ? settled : missing).slice(0, batchSize)
    if (asked.length === 0) return
    this.#fetching = true
    const failure = await this.#fetchRows(asked)
    if (this.#disposed) return
    if (settled.length > 0) this.error = failure
    else if (failure !== null) await new Promise((resolve) => setTimeout(resolve, retryPause))
    this.#fetching = false
    this.changes.notify()
    this.#askSoon()
  }

  /** Why not all of `rows` came; null when they did. */
  async #fetchRows(rows: number[]): Promise<string | null> {
    this.#replacedFrom = Infinity
    try {
      const left = new Set(rows)
      for (const summary of await this.#fetch(rows)) {
        if (left.delete(summary.row) && summary.row < this.#replacedFrom) this.#keep(summary)
      }
      return left.size > 0 ? `The host left out ${left.size} of ${rows.length} rows.` : null
    } catch (error) {
      return messageOf(error)
    }
  }

  #keep(summary: RowSummary): void {
    this.#cache.set(summary.row, summary)
    this.#former.delete(summary.row)
    if (this.#cache.size <= cacheSize) return
    const oldest = this.#cache.keys().next()
    if (oldest.done === false) this.#cache.delete(oldest.value)
  }
}
