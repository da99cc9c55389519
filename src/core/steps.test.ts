import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allSteps, itemsOfStep, sortList, sortNumbers } from './steps.ts'

/** Numbers of a simple generator: as random as sorting needs. */
function numbers(count: number, seed: number): number[] {
  let state = seed
  return Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647))
}

const counts = [0, 1, 2, 8 * itemsOfStep, 8 * itemsOfStep + 1, 50_000, 100_001]

test.each(counts)('%i numbers are sorted', (count) => {
  const some = numbers(count, count + 1)
  const sorted = Float64Array.from(some)
  allSteps(sortNumbers(sorted))
  expect(sorted).toEqual(Float64Array.from(some).sort())
})

test.each(counts)('a list of %i is sorted, and equal ones keep their order', (count) => {
  const list = numbers(count, 7).map((number, at) => ({ key: number % 1000, at }))
  const sorted = [...list]
  allSteps(sortList(sorted, (a, b) => a.key - b.key))
  expect(sorted).toEqual(list.toSorted((a, b) => a.key - b.key))
})

test('short lists are sorted', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (some) => {
      const sorted = [...some]
      allSteps(sortList(sorted, (a, b) => a - b))
      expect(sorted).toEqual(some.toSorted((a, b) => a - b))
    })
  )
})

test('a long sort stops often', () => {
  let steps = 0
  for (const _ of sortNumbers(Float64Array.from(numbers(100_000, 3)))) steps++
  expect(steps).toBeGreaterThan(20)
})
