import { firstWhere } from '#core/first-where.ts'

/** A span on a line: its number among all spans, and its ends as places of a scale. `to` is NaN if the length is unknown. */
export interface PlacedSpan {
  readonly number: number
  readonly from: number
  readonly to: number
  readonly failed: boolean
}

/** Spans in the order in which they begin, as arrays. They may overlap. */
export class SpanLine {
  readonly numbers: Int32Array
  readonly from: Float64Array
  /** NaN: unknown. */
  readonly to: Float64Array
  /** By index: where the spans up to it have ended. Ascending. */
  readonly #reach: Float64Array
  /** By index: the failed spans before it. */
  readonly #failedBefore: Uint32Array

  constructor(spans: readonly PlacedSpan[]) {
    this.numbers = Int32Array.from(spans, ({ number }) => number)
    this.from = Float64Array.from(spans, ({ from }) => from)
    this.to = Float64Array.from(spans, ({ to }) => to)
    this.#reach = new Float64Array(spans.length)
    this.#failedBefore = new Uint32Array(spans.length + 1)
    let reach = -Infinity
    for (const [index, { from, to, failed }] of spans.entries()) {
      reach = Math.max(reach, from, Number.isNaN(to) ? from : to)
      this.#reach[index] = reach
      this.#failedBefore[index + 1] = (this.#failedBefore[index] ?? 0) + Number(failed)
    }
  }

  get length(): number {
    return this.numbers.length
  }

  /** The first span that ends at or after `place`, or one before it; `length` for none. */
  firstReaching(place: number): number {
    return firstWhere(this.length, (index) => (this.#reach[index] ?? 0) >= place)
  }

  /** The first span that begins at or after `place`; `length` for none. */
  firstFrom(place: number): number {
    return firstWhere(this.length, (index) => (this.from[index] ?? 0) >= place)
  }

  /** How many of the spans `first` … `last` (exclusive) failed. */
  failedIn(first: number, last: number): number {
    return (this.#failedBefore[last] ?? 0) - (this.#failedBefore[first] ?? 0)
  }

  hasFailed(index: number): boolean {
    return this.failedIn(index, index + 1) > 0
  }

  /** The span nearest to `place`, the latest begun of those that cover it; -1 if none is within `reach`. */
  nearest(place: number, reach: number): number {
    let best = -1
    let distance = reach
    // The last spans that begin before the place are the nearest; a few more may overlap them.
    const last = this.firstFrom(place + reach)
    for (let index = last - 1; index >= Math.max(0, last - maxOverlapping); index--) {
      const from = this.from[index] ?? 0
      const to = this.to[index] ?? NaN
      const end = Number.isNaN(to) ? from : to
      const away = place < from ? from - place : place > end ? place - end : 0
      if (away < distance || (away === 0 && best < 0)) {
        best = index
        distance = away
      }
      if (away === 0) break
    }
    return best
  }
}

/** So many spans that began before a point are looked at for one that covers it. */
const maxOverlapping = 64

/** The spans in lines without overlaps, each in the first line that is free. Beyond `most` lines all are in the last. */
export function packed(spans: readonly PlacedSpan[], most: number): { lines: SpanLine[]; beyond: number } {
  const lines: PlacedSpan[][] = []
  const ends: number[] = []
  let beyond = 0
  for (const span of spans.toSorted((a, b) => a.from - b.from || a.number - b.number)) {
    const end = Number.isNaN(span.to) ? span.from : span.to
    let line = ends.findIndex((each) => each <= span.from)
    if (line < 0) line = ends.length
    if (line >= most) beyond++
    line = Math.min(line, most - 1)
    ends[line] = Math.max(ends[line] ?? -Infinity, end)
    ;(lines[line] ??= []).push(span)
  }
  return { lines: lines.map((line) => new SpanLine(line)), beyond }
}
