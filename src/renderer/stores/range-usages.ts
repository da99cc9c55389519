import type { Usage } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

/** Rows `from` … `to - 1` of the whole log or of a turn. */
export interface RowRange {
  readonly of: 'log' | 'turn'
  readonly from: number
  readonly to: number
}

export type FetchUsages = (ranges: { from: number; to: number }[]) => Promise<readonly (Usage | null)[]>

const batchSize = 200
const cacheSize = 2000
/** Minimum interval of requests, because the last range of a growing log changes all the time. */
const pauseMs = 500
/** Maximum delay of a retry. */
const longestPauseMs = 30_000

/**
 * Tokens in ranges of rows: turns, and the whole log. Only the latest ranges are loaded. A grown one keeps its value.
 */
export class RangeUsages {
  readonly changes = new Listeners()
  readonly #fetch: FetchUsages
  readonly #known = new Map<string, Usage | null>()
  /** The last value of a range, by kind and start. */
  readonly #latest = new Map<string, Usage | null>()
  readonly #requested = new Map<string, readonly RowRange[]>()
  #isRequesting = false
  #failures = 0
  /** Number of times that rows were taken back; earlier answers are dropped. */
  #generation = 0
  #disposed = false

  constructor(fetch: FetchUsages) {
    this.#fetch = fetch
  }

  /** Undefined: not loaded yet. Null: the log states no tokens. */
  get(range: RowRange): Usage | null | undefined {
    const known = this.#known.get(keyOf(range))
    return known === undefined ? this.#latest.get(beginOf(range)) : known
  }

  /** Replaces the former ranges of `owner`. */
  request(owner: string, ranges: readonly RowRange[]): void {
    if (ranges.length === 0) this.#requested.delete(owner)
    else this.#requested.set(owner, ranges)
    this.#requestSoon()
  }

  /** Rows were taken back, so all values may be wrong. */
  forget(): void {
    this.#generation++
    this.#known.clear()
    this.#latest.clear()
    this.#requestSoon()
  }

  dispose(): void {
    this.#disposed = true
  }

  /** Each missing range once. */
  #missing(): RowRange[] {
    const missing = new Map<string, RowRange>()
    for (const ranges of this.#requested.values()) {
      for (const range of ranges) {
        if (range.to > range.from && !this.#known.has(keyOf(range))) missing.set(keyOf(range), range)
        if (missing.size === batchSize) return [...missing.values()]
      }
    }
    return [...missing.values()]
  }

  #requestSoon(): void {
    if (this.#isRequesting || this.#disposed || this.#missing().length === 0) return
    this.#isRequesting = true
    void this.#request()
  }

  async #request(): Promise<void> {
    // Requests of one frame are one call.
    await new Promise((resume) => setTimeout(resume))
    const ranges = this.#missing()
    const generation = this.#generation
    // The rows show read errors.
    const usages = await this.#fetch(ranges.map(({ from, to }) => ({ from, to }))).catch(() => null)
    if (this.#disposed) return
    this.#failures = usages === null ? this.#failures + 1 : 0
    if (usages !== null && generation === this.#generation) {
      for (const [place, range] of ranges.entries()) this.#keep(range, usages[place] ?? null)
      this.changes.notify()
    }
    const pause = Math.min(longestPauseMs, pauseMs * 2 ** this.#failures)
    await new Promise((resume) => setTimeout(resume, pause))
    this.#isRequesting = false
    this.#requestSoon()
  }

  #keep(range: RowRange, usage: Usage | null): void {
    // All values are dropped at once; visible ranges are requested again.
    if (this.#known.size >= cacheSize) this.#known.clear()
    if (this.#latest.size >= cacheSize) this.#latest.clear()
    this.#known.set(keyOf(range), usage)
    this.#latest.set(beginOf(range), usage)
  }
}

function keyOf({ from, to }: RowRange): string {
  return `${from} ${to}`
}

function beginOf({ of, from }: RowRange): string {
  return `${of} ${from}`
}
