import { expect, test } from 'vitest'
import { TextTuples } from './text-tuples.ts'

test('alternating texts keep their numbers, and every number returns its texts', () => {
  const tuples = new TextTuples()
  const numbers = Array.from({ length: 60 }, (_, i) => tuples.numberOf(`s${i % 3}`, i % 2 === 0 ? undefined : 'b'))
  expect(new Set(numbers).size).toBe(6)
  for (const [i, number] of numbers.entries()) {
    expect(tuples.at(number)).toEqual([`s${i % 3}`, i % 2 === 0 ? undefined : 'b'])
  }
  const many = Array.from({ length: 100 }, (_, i) => tuples.numberOf(`other ${i}`, undefined))
  expect(many.map((number) => tuples.at(number)[0])).toEqual(many.map((_, i) => `other ${i}`))
  expect(tuples.at(tuples.numberOf('s0', undefined))).toEqual(['s0', undefined])
})
