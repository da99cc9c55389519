import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SparseNumbers } from './sparse-numbers.ts'

test('is like a map, in any order of rows', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat())), (given) => {
      const numbers = new SparseNumbers('uint32')
      for (const [row, number] of given) numbers.set(row, number)
      const map = new Map(given)
      for (let row = 0; row <= 51; row++) {
        expect(numbers.at(row)).toBe(map.get(row))
        expect(numbers.has(row)).toBe(map.has(row))
      }
    })
  )
})
