import { expect, it } from 'vitest'
import { firstWhere } from './first-where.ts'

it('finds the first number that holds, or the count', () => {
  for (let count = 0; count < 9; count++) {
    for (let first = 0; first <= count; first++) expect(firstWhere(count, (at) => at >= first)).toBe(first)
  }
})
