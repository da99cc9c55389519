import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupedText } from './measure-text.ts'

test('integers have commas where en-US has them', () => {
  expect([0, 7, 999, 1000, -1000, 12_345, 1_234_567, 2 ** 53].map(groupedText)).toEqual([
    ...['0', '7', '999', '1,000', '-1,000', '12,345', '1,234,567', '9,007,199,254,740,992']
  ])
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(groupedText(value)).toBe((value + 0).toLocaleString('en-US'))
    })
  )
})

test('a fraction is rounded', () => {
  expect([999.5, 12.4, 123_456.7].map(groupedText)).toEqual(['1,000', '12', '123,457'])
})
