import { messageOf } from '#contract/host-error.ts'
import type { RowSummary } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

export type FetchRows = (rows: number[]) => Promise<readonly RowSummary[]>

const batchSize = 200
const cacheSize = 4000
/** Delay in ms before rows that may have been taken back are requested again. */
const retryAfterMs = 250

/** The summaries of rows, loaded when visible. Only the latest rows are loaded, in one request at a time. */
export class RowSummaries {
  readonly changes = new Listeners()
  /** The error of the last request; null for none. */
  error: string | null = null
  readonly #fetch: FetchRows
  readonly #schedule: (run: () => void) => void
  readonly #cache = new Map<number, RowSummary>()
  /** Of the previous generation, shown until newer ones are loaded. */
  readonly #former = new Map<number, RowSummary>()
  /** The latest rows of each component. */
  readonly #requested = new Map<string, readonly number[]>()
  /** Rows from here on may be taken back by the host. */
  #settled = Infinity
  /** Summaries from here on were requested before their rows were replaced. */
  #replacedFrom = Infinity
  #scheduled = false
  #fetching = false
  #disposed = false

  /** `schedule` delays the request, so that those of one frame become one. */
  constructor(fetch: FetchRows, schedule: (run: () => void) => void = (run) => void requestAnimationFrame(run)) {
    this.#fetch = fetch
    this.#schedule = schedule
  }

  get(row: number): RowSummary | undefined {
    return this.#cache.get(row) ?? this.#former.get(row)
  }

  /** Takes summaries of the previous generation, for rows that are the same by `isSame`. */
  adopt(before: RowSummaries, isSame: (row: number) => boolean): void {
    for (const [row, summary] of before.#cache) if (isSame(row)) this.#former.set(row, summary)
  }

  /** Replaces the former rows of `owner`. Loaded rows cost nothing; after an error `retry` is needed. */
  request(owner: string, rows: readonly number[]): void {
    this.#requested.set(owner, rows)
    this.#requestSoon()
  }

  /** Rows from `row` on were replaced; those from `settled` on may be again. */
  replace(row: number, settled: number): void {
    this.#settled = settled
    this.#replacedFrom = Math.min(this.#replacedFrom, row)
    for (const known of this.#cache.keys()) if (known >= row) this.#cache.delete(known)
    // At the first load, summaries of the previous generation stay.
    if (row > 0) for (const known of this.#former.keys()) if (known >= row) this.#former.delete(known)
    if (this.#requested.size > 0) this.#requestSoon()
  }

  /** Loads these rows again, because their calls have results now. The old summaries stay meanwhile. */
  renew(rows: Iterable<number>): void {
    let some = false
    for (const row of rows) {
      const known = this.#cache.get(row)
      if (known === undefined || !this.#cache.delete(row)) continue
      this.#former.set(row, known)
      some = true
    }
    if (some) this.#requestSoon()
  }

  /** Stops all requests; loaded summaries stay. */
  dispose(): void {
    this.#disposed = true
    this.#replacedFrom = 0
  }

  /** Loads again after an error. */
  retry(): void {
    this.error = null
    this.#requestSoon()
    this.changes.notify()
  }

  #requestSoon(): void {
    if (this.#scheduled || this.#fetching || this.#disposed || this.error !== null) return
    this.#scheduled = true
    this.#schedule(() => {
      this.#scheduled = false
      void this.#fetchRequested()
    })
  }

  async #fetchRequested(): Promise<void> {
    const wanted = new Set([...this.#requested.values()].flat())
    const missing = [...wanted].filter((row) => !this.#cache.has(row))
    // Separate requests: a row that was just taken back must not make the others fail.
    const settled = missing.filter((row) => row < this.#settled)
    const asked = (settled.length > 0 ? settled : missing).slice(0, batchSize)
    if (asked.length === 0) return
    this.#fetching = true
    const failure = await this.#fetchRows(asked)
    if (this.#disposed) return
    if (settled.length > 0) this.error = failure
    else if (failure !== null) await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
    this.#fetching = false
    this.changes.notify()
    this.#requestSoon()
  }

  /** The error if rows are missing; null for none. */
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
