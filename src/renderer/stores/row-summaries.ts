import type { RowSummary } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

export type FetchRows = (rows: number[]) => Promise<readonly RowSummary[]>

const batchSize = 200
const cacheSize = 4000

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
  /** By who wants them: the rows of the last wish. */
  readonly #wanted = new Map<string, readonly number[]>()
  #scheduled = false
  #fetching = false

  /** `schedule` runs the batch later, so that the wishes of one frame become one call. */
  constructor(fetch: FetchRows, schedule: (run: () => void) => void = (run) => void requestAnimationFrame(run)) {
    this.#fetch = fetch
    this.#schedule = schedule
  }

  get(row: number): RowSummary | undefined {
    return this.#cache.get(row)
  }

  /** Replaces what `who` wanted before. Rows that are there already cost nothing; after a failure `retry` has to ask. */
  want(who: string, rows: readonly number[]): void {
    this.#wanted.set(who, rows)
    this.#askSoon()
  }

  /** Asks again after a failure. */
  retry(): void {
    this.error = null
    this.#askSoon()
    this.changes.notify()
  }

  #askSoon(): void {
    if (this.#scheduled || this.#fetching || this.error !== null) return
    this.#scheduled = true
    this.#schedule(() => {
      this.#scheduled = false
      void this.#fetchWanted()
    })
  }

  async #fetchWanted(): Promise<void> {
    const wanted = new Set([...this.#wanted.values()].flat())
    const missing = [...wanted].filter((row) => !this.#cache.has(row)).slice(0, batchSize)
    if (missing.length === 0) return
    this.#fetching = true
    try {
      const asked = new Set(missing)
      for (const summary of await this.#fetch(missing)) {
        if (asked.delete(summary.row)) this.#keep(summary)
      }
      this.error = asked.size > 0 ? `The host left out ${asked.size} of ${missing.length} rows.` : null
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error)
    }
    this.#fetching = false
    this.changes.notify()
    this.#askSoon()
  }

  #keep(summary: RowSummary): void {
    this.#cache.set(summary.row, summary)
    if (this.#cache.size <= cacheSize) return
    const oldest = this.#cache.keys().next()
    if (oldest.done === false) this.#cache.delete(oldest.value)
  }
}
