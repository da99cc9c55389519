import type { Query } from './query.ts'
import { printQuery } from './print-query.ts'
import { queryTimeOf } from './query-times.ts'

/** A range of time in ms since the epoch, without `to`. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/**
 * The term that rows of a range meet, to the ms and in UTC, so that it means the same on every machine:
 * `at:2026-11-22T23:59:59.500Z..2026-11-23T00:00:00.499Z`. Null if the range is empty, or not in the years 0 to 9999.
 */
export function timeRangeTerm({ from, to }: TimeRange): string | null {
  // Both ends of a term count.
  const [first, last] = [Math.ceil(from), Math.ceil(to) - 1]
  if (!(first <= last) || first < firstMs || last > lastMs) return null
  const iso = (ms: number): string => new Date(ms).toISOString()
  return printQuery({ op: 'term', key: 'at', test: { type: 'range', from: iso(first), to: iso(last) } })
}

/** The range that a query asks for, if it is one such term. Null if it is not, or if a time of day recurs. */
export function timeRangeOf(query: Query | null): TimeRange | null {
  if (query?.op !== 'term' || query.key !== 'at' || query.test.type !== 'range') return null
  const [first, last] = [queryTimeOf(query.test.from), queryTimeOf(query.test.to)]
  if (first?.type !== 'moment' || last?.type !== 'moment' || last.to <= first.from) return null
  return { from: first.from, to: last.to }
}

const firstMs = Date.parse('0000-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
