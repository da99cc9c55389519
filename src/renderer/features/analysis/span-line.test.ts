import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packed, type PlacedSpan, SpanLine } from './span-line.ts'

const span = (number: number, from: number, to: number, failed = false): PlacedSpan => ({ number, from, to, failed })

describe('packing', () => {
  test('overlapping spans go to the first line that is free', () => {
    const { lines, beyond } = packed([span(0, 0, 10), span(1, 2, 4), span(2, 4, 6), span(3, 10, 12)], 3)
    expect(lines.map(({ numbers }) => [...numbers])).toEqual([
      [0, 3],
      [1, 2]
    ])
    expect(beyond).toBe(0)
  })

  test('the last line takes what finds no other, and it is counted', () => {
    const { lines, beyond } = packed(
      [0, 1, 2, 3, 4].map((at) => span(at, at, 100)),
      3
    )
    expect(lines.map(({ numbers }) => [...numbers])).toEqual([[0], [1], [2, 3, 4]])
    expect(beyond).toBe(2)
  })

  test('every span is on exactly one line, and only on the last do spans overlap', () => {
    const any = fc.record({ from: fc.nat(100), length: fc.nat(30) })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (given) => {
        const { lines } = packed(
          given.map(({ from, length }, at) => span(at, from, from + length)),
          3
        )
        expect(lines.flatMap(({ numbers }) => [...numbers]).toSorted((a, b) => a - b)).toEqual(given.map((_, at) => at))
        for (const line of lines.slice(0, 2)) {
          for (let at = 1; at < line.length; at++) expect(line.from[at]).toBeGreaterThanOrEqual(line.to[at - 1] ?? 0)
        }
      })
    )
  })
})

describe('a line', () => {
  const line = new SpanLine([span(7, 0, 10), span(8, 2, 4, true), span(9, 20, NaN)])

  test('finds the first span that reaches a place', () => {
    expect([-1, 3, 5, 11, 20, 21].map((place) => line.firstReaching(place))).toEqual([0, 0, 0, 2, 2, 3])
  })

  test('counts failed spans', () => {
    expect([line.failedIn(0, 3), line.failedIn(0, 1), line.hasFailed(1)]).toEqual([1, 0, true])
  })

  test('finds the span at a place, within reach', () => {
    expect([1, 3, 5, 12, 18, 21, 40].map((place) => line.nearest(place, 3))).toEqual([0, 1, 0, 0, 2, 2, -1])
  })
})
