import fc from 'fast-check'
import { expect, test } from 'vitest'
import { todoPairs } from './todo-pairs.ts'

test('equal texts pair first, then those with most words in common', () => {
  const a = ['Write the tests', 'Read the code', 'Write the unit tests first']
  const b = ['read  the code', 'Write the unit tests', 'Write the tests', 'Deploy']
  expect(todoPairs(a, b)).toEqual([2, 0, 1])
})

test('items with little in common stay alone', () => {
  expect(todoPairs(['Write the tests'], ['Write the documentation'])).toEqual([-1])
  expect(todoPairs(['…'], ['!!'])).toEqual([-1])
})

test('each item is in one pair, and swapping the lists swaps the pairs', () => {
  const lists = fc.array(
    fc
      .array(fc.constantFrom('read', 'write', 'test', 'code', 'docs'), { minLength: 1, maxLength: 4 })
      .map((words) => words.join(' ')),
    { maxLength: 8 }
  )
  fc.assert(
    fc.property(lists, lists, (a, b) => {
      const pairs = todoPairs(a, b)
      const partners = pairs.filter((other) => other >= 0)
      expect(new Set(partners).size).toBe(partners.length)
      const back = todoPairs(b, a)
      expect(back.filter((other) => other >= 0)).toHaveLength(partners.length)
      for (const [place, other] of pairs.entries()) if (other >= 0) expect(a[back[other] ?? -1]).toBe(a[place])
    })
  )
})
