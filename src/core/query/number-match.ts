import { type Quantity, quantityOf } from './quantities.ts'
import type { Comparison, QueryTest } from './query.ts'
import { type QueryTime, queryTimeOf } from './query-times.ts'

export type MatchesNumber = (value: number) => boolean

/** Matches what a test of a quantity asks for, in ms, bytes or units. NaN, an unknown value, matches nothing. */
export function quantityMatch(test: QueryTest, quantity: Quantity): MatchesNumber {
  const number = (word: string): number => quantityOf(word, quantity) ?? NaN
  if (test.type === 'compare') return comparison(test.by, number(test.to))
  if (test.type === 'range') {
    const [from, to] = [number(test.from), number(test.to)]
    return (value) => value >= from && value <= to
  }
  const wanted = new Set(test.type === 'any' ? test.values.map((value) => wordOf(value, number)) : [])
  return (value) => wanted.has(value)
}

/** Whether a test also holds for every greater value: for counts that a log states as "at least". */
export function isOfAtLeast(test: QueryTest): boolean {
  return test.type === 'compare' && (test.by === '>' || test.by === '>=')
}

/** Matches times in ms since the epoch. NaN, an unknown time, matches nothing. */
export function timeMatch(test: QueryTest): MatchesNumber {
  const time = (word: string): QueryTime => queryTimeOf(word) ?? { type: 'moment', from: NaN, to: NaN }
  if (test.type === 'compare') return momentMatch(time(test.to), test.by)
  if (test.type === 'range') return betweenMatch(time(test.from), time(test.to))
  const matches = test.type === 'any' ? test.values.map((value) => momentMatch(wordOf(value, time), '=')) : []
  return (ms) => matches.some((match) => match(ms))
}

function wordOf<T>(value: { readonly type: string; readonly text?: string }, read: (word: string) => T): T {
  return read(value.text ?? '')
}

function comparison(by: Comparison, to: number): MatchesNumber {
  switch (by) {
    case '<':
      return (value) => value < to
    case '<=':
      return (value) => value <= to
    case '>':
      return (value) => value > to
    case '>=':
      return (value) => value >= to
    case '=':
      return (value) => value === to
  }
}

function momentMatch({ type, from, to }: QueryTime, by: Comparison): MatchesNumber {
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
function betweenMatch(first: QueryTime, last: QueryTime): MatchesNumber {
  const [since, until] = [momentMatch(first, '>='), momentMatch(last, '<=')]
  const wraps = first.type === 'time of day' && last.type === 'time of day' && last.from < first.from
  return wraps ? (ms) => since(ms) || until(ms) : (ms) => since(ms) && until(ms)
}

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000

/** Ms since local midnight. Offsets of time zones change at quarters of an hour, so one is looked up for each. */
function timeOfDay(): MatchesTime {
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

type MatchesTime = (ms: number) => number
