import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeStretches } from './number-match.ts'
import { parseQuery } from './parse-query.ts'
import type { Query } from './query.ts'
import { timeRangeOf, timeRangeTerm } from './time-range.ts'

function queryOf(text: string): Query | null {
  const { query, error } = parseQuery(text, 'rows')
  expect(error).toBeNull()
  return query
}

test('a range across midnight is one term, to the ms', () => {
  const from = Date.UTC(2026, 10, 22, 23, 59, 59, 500)
  expect(timeRangeTerm({ from, to: from + 1000 })).toBe('at:2026-11-22T23:59:59.500Z..2026-11-23T00:00:00.499Z')
})

test('rows of the range meet the term, and no others, in every time zone', () => {
  const ms = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9900, 0, 1) })
  fc.assert(
    fc.property(ms, fc.integer({ min: 1, max: 1e11 }), (from, length) => {
      const range = { from, to: from + length }
      const query = queryOf(timeRangeTerm(range) ?? '')
      expect(timeRangeOf(query)).toEqual(range)
      if (query?.op !== 'term') throw new Error('it is one term')
      const stretchAt = timeStretches(query.test)
      const ends = [from - 1, from, range.to - 1, range.to]
      expect(ends.map((at) => stretchAt(at).holds)).toEqual([false, true, true, false])
    })
  )
})

test('a range without a ms has no term, and what is no range of moments is none', () => {
  expect(timeRangeTerm({ from: 5, to: 5 })).toBeNull()
  expect(timeRangeTerm({ from: NaN, to: 5 })).toBeNull()
  expect(timeRangeTerm({ from: 0, to: 1e300 })).toBeNull()
  for (const text of ['at:14:05..14:10', 'at:2026-11-22', 'seq:1..2', 'at:2026-11-22..2026-11-23 a', 'a']) {
    expect(timeRangeOf(queryOf(text))).toBeNull()
  }
  const day = timeRangeOf(queryOf('at:2026-11-22T00:00Z..2026-11-22T23:59Z'))
  expect(day && day.to - day.from).toBe(24 * 3_600_000)
})
