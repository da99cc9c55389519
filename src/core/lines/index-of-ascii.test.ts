import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexOfAscii } from './index-of-ascii.ts'

test('finds what indexOf of a string finds', () => {
  const letter = fc.constantFrom(...'"ab-e_\n')
  const text = fc.string({ unit: letter, minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 60 }), text, fc.nat(70), (all, wanted, from) => {
      expect(indexOfAscii(new TextEncoder().encode(all), wanted, from)).toBe(all.indexOf(wanted, from))
    })
  )
})
