import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tiersOf } from './tiers.ts'

const calls = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 20 })), { maxLength: 30 })
  .map((list) => list.toSorted(([a], [b]) => a - b).map(([begin, length]) => ({ begin, end: begin + length })))

test('calls of one tier do not overlap, and each has the first tier that is free', () => {
  fc.assert(
    fc.property(calls, (list) => {
      const tiers = [
        ...tiersOf(
          list.map(({ begin }) => begin),
          list.map(({ end }) => end)
        )
      ]
      for (const [i, { begin }] of list.entries()) {
        const running = tiers.slice(0, i).filter((_, other) => (list[other]?.end ?? 0) > begin)
        let first = 0
        while (running.includes(first)) first++
        expect(tiers[i]).toBe(first)
      }
    })
  )
})

test('a call of unknown length takes the room of its tick', () => {
  expect([...tiersOf([0, 1, 9], [NaN, 2, 10], 5)]).toEqual([0, 1, 0])
  expect([...tiersOf([NaN, 1], [NaN, 2])]).toEqual([0, 0])
})
