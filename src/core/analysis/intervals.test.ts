import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allSteps } from '../steps.ts'
import { coveredMs, type Intervals, IntervalsBuilder, sumWithin, unionOf, within, without } from './intervals.ts'

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -3, max: 20 })), { maxLength: 20 })
type Pairs = readonly (readonly [begin: number, length: number])[]

function builderOf(of: Pairs): IntervalsBuilder {
  const builder = new IntervalsBuilder()
  for (const [begin, length] of of) builder.add(begin, begin + length)
  return builder
}

function setOf(of: Pairs): Intervals {
  return allSteps(builderOf(of).union())
}

/** How many of the intervals cover each ms. */
function counts(of: Pairs): number[] {
  return Array.from(
    { length: 90 },
    (_, ms) => of.filter(([begin, length]) => begin <= ms && ms < begin + length).length
  )
}

function isCovered(set: Intervals): boolean[] {
  return Array.from({ length: 90 }, (_, ms) => coveredMs(set, ms, ms + 1) === 1)
}

test('a union and a difference cover the ms that they should', () => {
  fc.assert(
    fc.property(pairs, pairs, (a, b) => {
      const [one, other] = [setOf(a), setOf(b)]
      const [ofOne, ofOther] = [counts(a).map((count) => count > 0), counts(b).map((count) => count > 0)]
      expect(isCovered(one)).toEqual(ofOne)
      expect(isCovered(allSteps(unionOf(one, other)))).toEqual(ofOne.map((is, ms) => is || ofOther[ms] === true))
      expect(isCovered(allSteps(without(one, other)))).toEqual(ofOne.map((is, ms) => is && ofOther[ms] !== true))
    })
  )
})

test('intervals are ascending and do not touch', () => {
  fc.assert(
    fc.property(pairs, (a) => {
      const ends = [...setOf(a)]
      expect(ends).toEqual([...new Set(ends)].toSorted((x, y) => x - y))
    })
  )
})

test('a part of a range is counted to the ms', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 80 }), (a, from, to) => {
      const covered = counts(a).filter((count, ms) => count > 0 && ms >= from && ms < to).length
      expect(coveredMs(setOf(a), from, to)).toBe(covered)
    })
  )
})

test('the sum of lengths and the most at once are those of the counts of each ms', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: -5, max: 80 }), fc.integer({ min: -5, max: 80 }), (a, from, to) => {
      const bounds = allSteps(builderOf(a).bounds())
      for (const [since, until] of [
        [from, to],
        [-Infinity, Infinity],
        [from, Infinity]
      ] as const) {
        const known = counts(a.filter(([, length]) => length > 0)).filter((_, ms) => ms >= since && ms < until)
        const sum = known.reduce((all, count) => all + count, 0)
        expect(allSteps(sumWithin(bounds, since, until))).toEqual({ ms: sum, most: Math.max(0, ...known) })
      }
    })
  )
})

test('a part of a set covers what the set covers there', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 80 }), (a, from, to) => {
      const set = setOf(a)
      expect(isCovered(within(set, from, to))).toEqual(isCovered(set).map((is, ms) => is && ms >= from && ms < to))
    })
  )
})

test('an interval with an unknown end covers nothing', () => {
  const builder = new IntervalsBuilder()
  builder.add(3, NaN)
  builder.add(NaN, 3)
  expect([...allSteps(builder.union())]).toEqual([])
})
