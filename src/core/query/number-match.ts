import { type Quantity, quantityOf } from './quantities.ts'
import type { Comparison, QueryTest } from './query.ts'
import { type QueryTime, queryTimeOf } from './query-times.ts'

/** Numbers by their ranges: the lowest and the highest of the first one, then of the next. NaN, an unknown number, is in none. */
export type NumberRanges = Float64Array<ArrayBuffer>

/** The numbers that a test of a quantity asks for, in ms, bytes or units. */
export function quantityRanges(test: QueryTest, quantity: Quantity): NumberRanges {
  const number = (word: string): number => quantityOf(word, quantity) ?? NaN
  if (test.type === 'compare') return Float64Array.from(rangeOf(test.by, number(test.to)))
  if (test.type === 'range') return Float64Array.of(number(test.from), number(test.to))
  const wanted = test.type === 'any' ? test.values.map((value) => wordOf(value, number)) : []
  return Float64Array.from(wanted.flatMap((value) => [value, value]))
}

export function isInRanges(ranges: NumberRanges, value: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    if (value >= (ranges[i] ?? NaN) && value <= (ranges[i + 1] ?? NaN)) return true
  }
  return false
}

/** Writes `yes` for the numbers in the ranges and `no` for the others: a loop without calls, as it runs over a million rows. */
export function fillRanges(ranges: NumberRanges, numbers: Column, into: Uint8Array, no: number, yes: number): void {
  const low = ranges[0] ?? NaN
  const high = ranges[1] ?? NaN
  for (let i = 0; i < into.length; i++) {
    const value = numbers[i] ?? NaN
    into[i] = value >= low && value <= high ? yes : no
  }
  for (let next = 2; next < ranges.length; next += 2) {
    const [lowest, highest] = [ranges[next] ?? NaN, ranges[next + 1] ?? NaN]
    for (let i = 0; i < into.length; i++) {
      const value = numbers[i] ?? NaN
      if (value >= lowest && value <= highest) into[i] = yes
    }
  }
}

type Column = Int32Array | Uint32Array | Float64Array

/** Whether a test also holds for every greater value: for counts that a log states as "at least". */
export function isOfAtLeast(test: QueryTest): boolean {
  return test.type === 'compare' && (test.by === '>' || test.by === '>=')
}

/** A stretch of time in which a test has one answer, in ms since the epoch. The end is not in it. */
export interface TimeStretch {
  readonly from: number
  readonly to: number
  readonly holds: boolean
}

/** The stretch around a time. Times of rows next to each other are mostly in one. NaN, an unknown time, is in none. */
export function timeStretches(test: QueryTest): (ms: number) => TimeStretch {
  const matches = timeMatch(test)
  const words = test.type === 'compare' ? [test.to] : test.type === 'range' ? [test.from, test.to] : []
  const values = test.type === 'any' ? test.values.map((value) => wordOf(value, timeOf)) : []
  const times = [...words.map(timeOf), ...values]
  const ends = (type: QueryTime['type']): number[] =>
    times.flatMap((time) => (time.type === type ? [time.from, time.to] : []))
  const [moments, clocks] = [ends('moment'), ends('time of day')]
  const read = timeOfDay()
  /** By quarter of an hour: stretches that were asked for. Sessions beside each other go back and forth. */
  const known = new Map<number, TimeStretch>()
  const find = (ms: number): TimeStretch => {
    const bounds = [...moments]
    if (clocks.length > 0) {
      const quarter = Math.floor(ms / quarterMs) * quarterMs
      const midnight = ms - read(ms)
      bounds.push(quarter, quarter + quarterMs, midnight, midnight + dayMs, ...clocks.map((clock) => midnight + clock))
    }
    const from = Math.max(-Infinity, ...bounds.filter((bound) => bound <= ms))
    const to = Math.min(Infinity, ...bounds.filter((bound) => bound > ms))
    return { from, to, holds: matches(ms) }
  }
  return (ms) => {
    const quarter = Math.floor(ms / quarterMs)
    const last = known.get(quarter)
    if (last !== undefined && ms >= last.from && ms < last.to) return last
    if (known.size >= maxKnown) known.clear()
    const found = find(ms)
    known.set(quarter, found)
    return found
  }
}

const timeOf = (word: string): QueryTime => queryTimeOf(word) ?? { type: 'moment', from: NaN, to: NaN }

/** Matches times in ms since the epoch. NaN, an unknown time, matches nothing. */
function timeMatch(test: QueryTest): MatchesTime {
  if (test.type === 'compare') return momentMatch(timeOf(test.to), test.by)
  if (test.type === 'range') return betweenMatch(timeOf(test.from), timeOf(test.to))
  const matches = test.type === 'any' ? test.values.map((value) => momentMatch(wordOf(value, timeOf), '=')) : []
  return (ms) => matches.some((match) => match(ms))
}

function wordOf<T>(value: { readonly type: string; readonly text?: string }, read: (word: string) => T): T {
  return read(value.text ?? '')
}

function rangeOf(by: Comparison, to: number): [number, number] {
  switch (by) {
    case '<':
      return [-Infinity, below(to)]
    case '<=':
      return [-Infinity, to]
    case '>':
      return [-below(-to), Infinity]
    case '>=':
      return [to, Infinity]
    case '=':
      return [to, to]
  }
}

const double = new DataView(new ArrayBuffer(8))

/** The greatest number below one. */
function below(number: number): number {
  if (number === 0) return -Number.MIN_VALUE
  double.setFloat64(0, number)
  double.setBigInt64(0, double.getBigInt64(0) + (number > 0 ? -1n : 1n))
  return double.getFloat64(0)
}

function momentMatch({ type, from, to }: QueryTime, by: Comparison): MatchesTime {
  const read = type === 'moment' ? (ms: number): number => ms : timeOfDay()
  switch (by) {
    case '<':
      return (ms) => read(ms) < from
    case '<=':
      return (ms) => read(ms) < to
    case '>':
      return (ms) => read(ms) >= to
    case '>=':
      return (ms) => read(ms) >= from
    case '=':
      return (ms) => {
        const time = read(ms)
        return time >= from && time < to
      }
  }
}

/** Both ends count. Of times of day the end may be on the next day: `23:50..00:10`. */
function betweenMatch(first: QueryTime, last: QueryTime): MatchesTime {
  const [since, until] = [momentMatch(first, '>='), momentMatch(last, '<=')]
  const wraps = first.type === 'time of day' && last.type === 'time of day' && last.from < first.from
  return wraps ? (ms) => since(ms) || until(ms) : (ms) => since(ms) && until(ms)
}

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000
const maxKnown = 10_000

/** Ms since local midnight. Offsets of time zones change at quarters of an hour, so one is looked up for each. */
function timeOfDay(): (ms: number) => number {
  let quarter = NaN
  let offsetMs = 0
  return (ms) => {
    const now = Math.floor(ms / quarterMs)
    if (now !== quarter) {
      quarter = now
      offsetMs = new Date(ms).getTimezoneOffset() * 60_000
    }
    const local = (ms - offsetMs) % dayMs
    return local < 0 ? local + dayMs : local
  }
}

type MatchesTime = (ms: number) => boolean
