import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashNumbers } from './hash-numbers.ts'

test('hashes are numbered in the order in which they are met, each once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.maxSafeNat(), { minLength: 1, maxLength: 3000 }), (hashes) => {
      const numbers = new HashNumbers()
      const [stranger = 0, ...met] = hashes
      expect(met.map((hash) => numbers.add(hash))).toEqual(met.map((_, number) => number))
      expect(met.map((hash) => numbers.add(hash))).toEqual(met.map(() => null))
      expect(met.map((hash) => numbers.numberOf(hash))).toEqual(met.map((_, number) => number))
      expect([numbers.length, numbers.numberOf(stranger)]).toEqual([met.length, -1])
    }),
    { numRuns: 30 }
  )
})
