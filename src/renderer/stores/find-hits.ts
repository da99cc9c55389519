import { firstWhere } from '#core/first-where.ts'
import { grown } from './grown.ts'

/** Unordered matches are merged when there are this many per sorted match, so that millions stay fast. */
const sortedInPart = 1 / 8
/** Up to this number, they are merged at once. */
const few = 100_000

/** The rows found by a search: in the order of the host, which counts them so, and sorted for the page. */
export class FindHits {
  /** Number of loaded matches. */
  count = 0
  #found = new Uint32Array(1024)
  /** Rows that arrive in order need no sorting. */
  #ascending = true
  /** The first `#taken` matches, sorted. */
  #sorted: Uint32Array = new Uint32Array()
  #taken = 0
  /** The lowest row added or removed since the last `flush`. */
  #changedFrom = 0

  /** Adds the next matches. */
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

  /** Removes the matches from `row` on. */
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

  /** A copy of the matches before `row`: the rows that were flushed stay as they are. */
  copyBelow(row: number): FindHits {
    const copy = new FindHits()
    copy.add(this.#found.subarray(0, this.count).filter((hit) => hit < row))
    copy.#changedFrom = Math.min(this.#changedFrom, row)
    return copy
  }

  /** The sorted rows, valid until the next change, and the first new one (Infinity: none). `all`: all matches. */
  flush(all: boolean): { rows: Uint32Array; from: number } {
    if (!this.#ascending && !this.#sortIn(all)) return { rows: this.#sorted, from: Infinity }
    const from = this.#changedFrom
    this.#changedFrom = Infinity
    return { rows: this.#ascending ? this.#found.subarray(0, this.count) : this.#sorted, from }
  }

  /** Merges waiting matches if it is worth it. False if some still wait. */
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

/** Merges two ascending lists. */
function merged(left: Uint32Array, right: Uint32Array): Uint32Array {
  const all = new Uint32Array(left.length + right.length)
  let [l, r] = [0, 0]
  for (let at = 0; at < all.length; at++) {
    const takeLeft = r >= right.length || (l < left.length && (left[l] ?? 0) <= (right[r] ?? 0))
    all[at] = (takeLeft ? left[l++] : right[r++]) ?? 0
  }
  return all
}

/** The index of the first match at or after `row`. */
export function firstHitFrom(hits: Uint32Array, row: number): number {
  return firstWhere(hits.length, (at) => (hits[at] ?? 0) >= row)
}

/** The index of `row` among the matches; -1 for none. */
export function hitAt(hits: Uint32Array, row: number): number {
  const position = firstHitFrom(hits, row)
  return hits[position] === row ? position : -1
}

/** Whether there is a match in rows `from` to `to` (exclusive). */
export function hasHitIn(hits: Uint32Array, from: number, to: number): boolean {
  return (hits[firstHitFrom(hits, from)] ?? Infinity) < to
}

/** The next visible match from `row`, then from the other end; during a search only if it is certain. -1 for none. */
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
