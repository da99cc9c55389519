import { firstWhere } from '#core/first-where.ts'
import { grown } from './grown.ts'

/** Hits that came out of order are sorted in when they are this part of those that are, so that millions stay cheap. */
const sortedInPart = 1 / 8
/** So few are always sorted in at once. */
const few = 100_000

/** The rows a search has found, as they come: kept in the order found, since the host counts them so, and sorted by row for the page. */
export class FindHits {
  /** How many are here. */
  count = 0
  #found = new Uint32Array(1024)
  /** As long as rows came in order, the list is sorted as it is. */
  #ascending = true
  /** The first `#taken` of those found, sorted, once they are not so as they are. */
  #sorted: Uint32Array = new Uint32Array()
  #taken = 0
  /** The lowest row that came or went since the last `flush`. */
  #changedFrom = 0

  /** Takes in what was found next. */
  add(rows: Uint32Array): void {
    this.#reserve(this.count + rows.length)
    let lowest = this.#changedFrom
    let before = this.count === 0 ? -1 : (this.#found[this.count - 1] ?? -1)
    for (const row of rows) {
      if (row < before) this.#ascending = false
      if (row < lowest) lowest = row
      before = row
    }
    this.#found.set(rows, this.count)
    this.count += rows.length
    this.#changedFrom = lowest
  }

  /** Forgets the hits from `row` on. */
  truncate(row: number): void {
    this.#changedFrom = Math.min(this.#changedFrom, row)
    if (this.#ascending) {
      this.count = firstHitFrom(this.#found.subarray(0, this.count), row)
      return
    }
    const kept = this.#found.subarray(0, this.count).filter((hit) => hit < row)
    this.#found.set(kept)
    this.count = kept.length
    this.#sorted = kept.toSorted()
    this.#taken = kept.length
  }

  /**
   * The rows, ascending, and from which row on they are others than at the last call; Infinity: they are the same. All of
   * them for `all`, else those that are sorted in so far. Good until something is added or taken away.
   */
  flush(all: boolean): { rows: Uint32Array; from: number } {
    if (!this.#ascending && !this.#sortIn(all)) return { rows: this.#sorted, from: Infinity }
    const from = this.#changedFrom
    this.#changedFrom = Infinity
    return { rows: this.#ascending ? this.#found.subarray(0, this.count) : this.#sorted, from }
  }

  /** Sorts in what waits for it, if there is reason to. False while some of it waits. */
  #sortIn(all: boolean): boolean {
    const waiting = this.count - this.#taken
    if (waiting === 0) return true
    if (!all && this.count > few && waiting < this.#sorted.length * sortedInPart) return false
    this.#sorted = merged(this.#sorted, this.#found.slice(this.#taken, this.count).sort())
    this.#taken = this.count
    return true
  }

  #reserve(count: number): void {
    if (count <= this.#found.length) return
    this.#found = grown(this.#found, new Uint32Array(Math.max(count, this.#found.length * 2)))
  }
}

/** Two ascending lists as one. */
function merged(left: Uint32Array, right: Uint32Array): Uint32Array {
  const all = new Uint32Array(left.length + right.length)
  let [l, r] = [0, 0]
  for (let at = 0; at < all.length; at++) {
    const takeLeft = r >= right.length || (l < left.length && (left[l] ?? 0) <= (right[r] ?? 0))
    all[at] = (takeLeft ? left[l++] : right[r++]) ?? 0
  }
  return all
}

/** The position of the first hit at or after `row`. */
export function firstHitFrom(hits: Uint32Array, row: number): number {
  return firstWhere(hits.length, (at) => (hits[at] ?? 0) >= row)
}

/** The position of `row` among the hits, -1 if it is none. */
export function hitAt(hits: Uint32Array, row: number): number {
  const position = firstHitFrom(hits, row)
  return hits[position] === row ? position : -1
}

/** Whether any row from `from` up to `to` (exclusive) is a hit. */
export function hasHitIn(hits: Uint32Array, from: number, to: number): boolean {
  return (hits[firstHitFrom(hits, from)] ?? Infinity) < to
}

/**
 * The hit to go to from `row`, of those whose rows are shown; going round at the ends. While there may be more to come, only one
 * that is sure to be the next, and not round the end. -1: none, or none yet.
 */
export function hitFrom(
  { hits, searching }: { readonly hits: Uint32Array; readonly searching: boolean },
  row: number,
  direction: 1 | -1,
  isShown: (row: number) => boolean
): number {
  const here = firstHitFrom(hits, row)
  if (searching && direction < 0 && here === hits.length) return -1
  let index = direction > 0 ? firstHitFrom(hits, row + 1) : here - 1
  for (let tried = 0; tried < hits.length; tried++, index += direction) {
    if (index < 0 || index >= hits.length) {
      if (searching) return -1
      index = (index + hits.length) % hits.length
    }
    if (isShown(hits[index] ?? -1)) return index
  }
  return -1
}
