/**
 * A set of ms as ascending pairs of a begin and an end, the end not included: `[0, 5, 8, 9]`. Pairs neither overlap nor
 * touch. All ends are integers.
 */
export type Intervals = Float64Array<ArrayBuffer>

export const noIntervals: Intervals = new Float64Array()

/** What any of the intervals covers. Empty ones, and those with an unknown end (NaN), cover nothing. */
export class IntervalsBuilder {
  private pairs = new Float64Array(16)
  private length = 0
  private lastBegin = -Infinity
  private isSorted = true

  add(begin: number, end: number): void {
    const [from, to] = [Math.round(begin), Math.round(end)]
    if (!(to > from)) return
    if (this.length === this.pairs.length) {
      const grown = new Float64Array(2 * this.length)
      grown.set(this.pairs)
      this.pairs = grown
    }
    this.pairs[this.length++] = from
    this.pairs[this.length++] = to
    if (from < this.lastBegin) this.isSorted = false
    this.lastBegin = from
  }

  union(): Intervals {
    return merged(this.isSorted ? this.pairs.slice(0, this.length) : sorted(this.pairs.subarray(0, this.length)))
  }
}

export function unionOf(...sets: readonly Intervals[]): Intervals {
  const all = new IntervalsBuilder()
  for (const set of sets) for (let i = 0; i < set.length; i += 2) all.add(set[i] ?? NaN, set[i + 1] ?? NaN)
  return all.union()
}

/** What `all` covers and `other` does not. */
export function without(all: Intervals, other: Intervals): Intervals {
  const left = new IntervalsBuilder()
  let next = 0
  for (let i = 0; i < all.length; i += 2) {
    let from = all[i] ?? NaN
    const to = all[i + 1] ?? NaN
    while (next < other.length && (other[next + 1] ?? NaN) <= from) next += 2
    for (let at = next; at < other.length && (other[at] ?? NaN) < to; at += 2) {
      left.add(from, Math.min(to, other[at] ?? NaN))
      from = Math.max(from, other[at + 1] ?? NaN)
    }
    left.add(from, to)
  }
  return left.union()
}

/** How much of `from` … `to` is covered, in ms. */
export function coveredMs(set: Intervals, from: number, to: number): number {
  let sum = 0
  for (let i = firstEndAfter(set, from); i < set.length && (set[i] ?? NaN) < to; i += 2) {
    sum += Math.max(0, Math.min(to, set[i + 1] ?? NaN) - Math.max(from, set[i] ?? NaN))
  }
  return sum
}

/** The most of the given intervals that cover one ms. */
export function mostAtOnce(pairs: Intervals): number {
  const begins = new Float64Array(pairs.length / 2)
  const ends = new Float64Array(pairs.length / 2)
  for (let i = 0; i < begins.length; i++) {
    begins[i] = pairs[2 * i] ?? NaN
    ends[i] = pairs[2 * i + 1] ?? NaN
  }
  begins.sort()
  ends.sort()
  let most = 0
  for (let begun = 0, ended = 0; begun < begins.length; begun++) {
    while ((ends[ended] ?? NaN) <= (begins[begun] ?? NaN)) ended++
    most = Math.max(most, begun + 1 - ended)
  }
  return most
}

/** The place of the first pair that ends after `ms`. */
function firstEndAfter(set: Intervals, ms: number): number {
  let low = 0
  let high = set.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((set[2 * middle + 1] ?? NaN) <= ms) low = middle + 1
    else high = middle
  }
  return 2 * low
}

function sorted(pairs: Float64Array): Intervals {
  const order = Uint32Array.from({ length: pairs.length / 2 }, (_, i) => i)
  order.sort((a, b) => (pairs[2 * a] ?? NaN) - (pairs[2 * b] ?? NaN))
  const ordered = new Float64Array(pairs.length)
  for (let i = 0; i < order.length; i++) {
    const from = 2 * (order[i] ?? 0)
    ordered[2 * i] = pairs[from] ?? NaN
    ordered[2 * i + 1] = pairs[from + 1] ?? NaN
  }
  return ordered
}

/** `pairs` by begin; merged in place. */
function merged(pairs: Intervals): Intervals {
  let kept = 0
  for (let i = 0; i < pairs.length; i += 2) {
    const [begin, end] = [pairs[i] ?? NaN, pairs[i + 1] ?? NaN]
    if (kept > 0 && begin <= (pairs[kept - 1] ?? NaN)) {
      pairs[kept - 1] = Math.max(pairs[kept - 1] ?? NaN, end)
    } else {
      pairs[kept++] = begin
      pairs[kept++] = end
    }
  }
  return kept === pairs.length ? pairs : pairs.slice(0, kept)
}
