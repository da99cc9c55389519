import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery } from '#core/query/parse-query.ts'
import { printQuery } from '#core/query/print-query.ts'
import { besideRanges, rangeInForce, rangesOf, withRange, withRanges } from './ranging.ts'

const of = (text: string) => parseQuery(text, 'rows').query

test('ranges are the seq terms at the top level, the outermost first', () => {
  const query = of('tool:Bash seq:10..200 (seq:1..2 OR a) seq:50..60 seq:>3 -seq:5..6')
  expect(rangesOf(query)).toEqual([
    { from: 10, to: 200 },
    { from: 50, to: 60 }
  ])
  expect(rangeInForce(query)).toEqual({ from: 50, to: 60 })
  expect(printQuery(besideRanges(query))).toBe('tool:Bash (seq:1..2 OR a) seq:>3 -seq:5..6')
  expect(printQuery(withRanges(query, 1))).toBe('tool:Bash seq:10..200 (seq:1..2 OR a) seq:>3 -seq:5..6')
})

test('without ranges, the whole session is meant', () => {
  expect(rangeInForce(null)).toBeNull()
  expect(rangeInForce(of('tool:Bash'))).toBeNull()
  expect(withRanges(of('seq:1..2'), 0)).toBeNull()
})

test('ranges that share nothing mean nothing', () => {
  expect(rangeInForce(of('seq:1..2 seq:8..9'))).toEqual({ from: 8, to: 2 })
})

test('a range is kept by the text of its query, and widening takes it away', () => {
  const range = fc.record({ from: fc.nat(1e9), to: fc.nat(1e9) })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 5 }), fc.constantFrom('', 'tool:Bash', 'a OR b'), (ranges, rest) => {
      const query = ranges.reduce((all, each) => withRange(all, each), of(rest))
      const again = of(printQuery(query))
      expect(rangesOf(again)).toEqual(ranges)
      expect(printQuery(withRanges(again, 0))).toBe(printQuery(of(rest)))
    })
  )
})
