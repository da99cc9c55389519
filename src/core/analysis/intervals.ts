import { itemsOfStep, sortNumbers, type Steps } from '../steps.ts'

/**
 * A set of ms as ascending pairs of a begin and an end, the end not included: `[0, 5, 8, 9]`. Pairs neither overlap nor
 * touch. All ends are integers.
 */
export type Intervals = Float64Array<ArrayBuffer>

export const noIntervals: Intervals = new Float64Array()

/** The begins and the ends of intervals that may overlap, each in ascending order: not in pairs. */
export interface Bounds {
  readonly begins: Float64Array<ArrayBuffer>
  readonly ends: Float64Array<ArrayBuffer>
}

const firstRoom = 4

/** Collects intervals. Empty ones, and those with an unknown end (NaN), are left out. */
export class IntervalsBuilder {
  private begins = new Float64Array(firstRoom)
  private ends = new Float64Array(firstRoom)
  private length = 0
  private isSorted = true

  add(begin: number, end: number): void {
    const [from, to] = [Math.round(begin), Math.round(end)]
    if (!(to > from)) return
    const { length } = this
    if (length === this.begins.length) {
      this.begins = withRoom(this.begins)
      this.ends = withRoom(this.ends)
    }
    if (length > 0 && (from < (this.begins[length - 1] ?? NaN) || to < (this.ends[length - 1] ?? NaN))) {
      this.isSorted = false
    }
    this.begins[length] = from
    this.ends[length] = to
    this.length++
  }

  *bounds(): Steps<Bounds> {
    const [begins, ends] = [this.begins.slice(0, this.length), this.ends.slice(0, this.length)]
    if (this.isSorted) return { begins, ends }
    yield* sortNumbers(begins)
    yield* sortNumbers(ends)
    return { begins, ends }
  }

  /** What any of the intervals covers. */
  *union(): Steps<Intervals> {
    return yield* coveredBy(yield* this.bounds())
  }
}

/** What any of the intervals covers. */
export function* coveredBy({ begins, ends }: Bounds): Steps<Intervals> {
  const pairs = new Float64Array(2 * begins.length)
  let kept = 0
  let begun = 0
  for (let ended = 0; ended < ends.length; ended++) {
    if (ended % itemsOfStep === 0) yield
    const at = ends[ended] ?? NaN
    if (begun === ended) pairs[kept++] = begins[begun] ?? NaN
    // A begin at an end goes on with the same pair.
    while (begun < begins.length && (begins[begun] ?? NaN) <= at) begun++
    if (begun === ended + 1) pairs[kept++] = at
  }
  return pairs.slice(0, kept)
}

export function* unionOf(...sets: readonly Intervals[]): Steps<Intervals> {
  const all = new IntervalsBuilder()
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) {
      if (i % itemsOfStep === 0) yield
      all.add(set[i] ?? NaN, set[i + 1] ?? NaN)
    }
  }
  return yield* all.union()
}

/** What `all` covers and `other` does not. */
export function* without(all: Intervals, other: Intervals): Steps<Intervals> {
  const left = new IntervalsBuilder()
  let next = 0
  for (let i = 0; i < all.length; i += 2) {
    if (i % itemsOfStep === 0) yield
    let from = all[i] ?? NaN
    const to = all[i + 1] ?? NaN
    while (next < other.length && (other[next + 1] ?? NaN) <= from) next += 2
    for (let at = next; at < other.length && (other[at] ?? NaN) < to; at += 2) {
      if (at % itemsOfStep === 0) yield
      left.add(from, Math.min(to, other[at] ?? NaN))
      from = Math.max(from, other[at + 1] ?? NaN)
    }
    left.add(from, to)
  }
  return yield* left.union()
}

/** The part of a set between two times. */
export function within(set: Intervals, from: number, to: number): Intervals {
  const part: number[] = []
  for (let i = firstEndAfter(set, from); i < set.length && (set[i] ?? NaN) < to; i += 2) {
    part.push(Math.max(from, set[i] ?? NaN), Math.min(to, set[i + 1] ?? NaN))
  }
  return Float64Array.from(part)
}

/** How much of `from` … `to` is covered, in ms. */
export function coveredMs(set: Intervals, from: number, to: number): number {
  let sum = 0
  for (let i = firstEndAfter(set, from); i < set.length && (set[i] ?? NaN) < to; i += 2) {
    sum += Math.max(0, Math.min(to, set[i + 1] ?? NaN) - Math.max(from, set[i] ?? NaN))
  }
  return sum
}

/** Of the parts of intervals between two times: the sum of their lengths, and the most that cover one ms. */
export function* sumWithin(
  { begins, ends }: Bounds,
  from: number,
  to: number
): Steps<{ readonly ms: number; readonly most: number }> {
  if (!(to > from)) return { ms: 0, most: 0 }
  let begun = firstAfter(begins, from)
  let ended = firstAfter(ends, from)
  let most = begun - ended
  let ms = 0
  for (let at = from, running = most; ;) {
    if ((begun + ended) % itemsOfStep === 0) yield
    const [begin, end] = [begins[begun] ?? Infinity, ends[ended] ?? Infinity]
    const next = Math.min(begin, end, to)
    if (running > 0) ms += running * (next - at)
    if (next === to) return { ms, most }
    at = next
    if (end <= begin) ended++
    else begun++
    running = begun - ended
    most = Math.max(most, running)
  }
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

/** The place of the first number above `ms`. */
function firstAfter(sorted: Float64Array, ms: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? NaN) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

function withRoom(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(2 * numbers.length)
  grown.set(numbers)
  return grown
}
