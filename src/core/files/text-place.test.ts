import { expect, test } from 'vitest'
import { textPlace } from './text-place.ts'

test('is where the text stands, also in texts that repeat themselves', () => {
  const [a, half] = ['a'.repeat(400_000), 'a'.repeat(100_000)]
  const wanted = `${half}b${half}`
  expect(textPlace(a, wanted)).toBe(-1)
  expect(textPlace(`${a}b${a}`, wanted)).toBe(300_000)
  expect(textPlace(`x${wanted}y${wanted}`, wanted, 2)).toBe(wanted.length + 2)
  expect(textPlace(a, 'a', 7)).toBe(7)
  expect(textPlace('a', 'aa')).toBe(-1)
})
