import type { Usage } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

/** Rows `from` … `to - 1`, of the whole log or of one turn. */
export interface RowRange {
  readonly of: 'log' | 'turn'
  readonly from: number
  readonly to: number
}

export type FetchUsages = (ranges: { from: number; to: number }[]) => Promise<readonly (Usage | null)[]>

const batchSize = 200
const cacheSize = 2000
/** While a log grows its last range is another one all the time. */
const pauseMs = 500
/** How long until a host that did not answer is asked again, at most. */
const longestPauseMs = 30_000

/**
 * What the requests to models took in ranges of rows: turns, and the whole log. Only the ranges wanted last are fetched. A range that has
 * grown shows what it had until there is news.
 */
export class RangeUsages {
  readonly changes = new Listeners()
  readonly #fetch: FetchUsages
  readonly #known = new Map<string, Usage | null>()
  /** By what it is of and where it begins: what was heard last. */
  readonly #latest = new Map<string, Usage | null>()
  readonly #wanted = new Map<string, readonly RowRange[]>()
  #asked = false
  #failures = 0
  /** Counted up when rows were taken back: what was asked before is of others. */
  #generation = 0
  #disposed = false

  constructor(fetch: FetchUsages) {
    this.#fetch = fetch
  }

  /** Undefined: not known yet. Null: the log states no tokens there. */
  get(range: RowRange): Usage | null | undefined {
    const known = this.#known.get(keyOf(range))
    return known === undefined ? this.#latest.get(beginOf(range)) : known
  }

  /** Replaces what `who` wanted before. */
  want(who: string, ranges: readonly RowRange[]): void {
    if (ranges.length === 0) this.#wanted.delete(who)
    else this.#wanted.set(who, ranges)
    this.#askSoon()
  }

  /** Rows were taken back: what was known may be of others. */
  forget(): void {
    this.#generation++
    this.#known.clear()
    this.#latest.clear()
    this.#askSoon()
  }

  dispose(): void {
    this.#disposed = true
  }

  /** Each range once, however many want it. */
  #missing(): RowRange[] {
    const missing = new Map<string, RowRange>()
    for (const ranges of this.#wanted.values()) {
      for (const range of ranges) {
        if (range.to > range.from && !this.#known.has(keyOf(range))) missing.set(keyOf(range), range)
        if (missing.size === batchSize) return [...missing.values()]
      }
    }
    return [...missing.values()]
  }

  #askSoon(): void {
    if (this.#asked || this.#disposed || this.#missing().length === 0) return
    this.#asked = true
    void this.#ask()
  }

  async #ask(): Promise<void> {
    // A frame's wishes are one call.
    await new Promise((resume) => setTimeout(resume))
    const ranges = this.#missing()
    const generation = this.#generation
    // A log that cannot be asked says so by its rows.
    const usages = await this.#fetch(ranges.map(({ from, to }) => ({ from, to }))).catch(() => null)
    if (this.#disposed) return
    this.#failures = usages === null ? this.#failures + 1 : 0
    if (usages !== null && generation === this.#generation) {
      for (const [place, range] of ranges.entries()) this.#keep(range, usages[place] ?? null)
      this.changes.notify()
    }
    const pause = Math.min(longestPauseMs, pauseMs * 2 ** this.#failures)
    await new Promise((resume) => setTimeout(resume, pause))
    this.#asked = false
    this.#askSoon()
  }

  #keep(range: RowRange, usage: Usage | null): void {
    // What is kept is dropped all at once: the ranges that are wanted come anew.
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
