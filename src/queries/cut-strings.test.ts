import { describe, expect, test } from 'vitest'
import { CutBudget, cutStrings } from './cut-strings.ts'

const cut = <T>(value: T, limit = 100) => cutStrings(value, limit, new CutBudget())

describe('cutStrings', () => {
  test('leaves what is short as it is', () => {
    const value = { a: ['x', 1, null, true, { b: 'y' }], c: {} }
    expect(cut(value)).toEqual({ value, cut: [] })
  })

  test('names each cut by its path and true length, and never cuts inside a character', () => {
    const long = 'x'.repeat(99) + '😀'.repeat(10)
    const { value, cut: cuts } = cut({ input: { 'odd key': [long], ok: 'short' } })
    expect(value).toEqual({ input: { 'odd key': ['x'.repeat(99)], ok: 'short' } })
    expect(cuts).toEqual([{ path: '$.input["odd key"][0]', length: 119 }])
  })

  test('bounds a value of many parts, and keeps ids, types and statuses', () => {
    const items = Array.from({ length: 100_000 }, (_, i) => ({ text: `item ${i}`, status: 'pending' }))
    const { value, cut: cuts } = cut({ items, type: 'todo_list', todoId: 'id' })
    expect(value).toMatchObject({ type: 'todo_list', todoId: 'id' })
    expect(value.items.length).toBeLessThan(10_000)
    expect(value.items.at(-1)).toEqual({ text: expect.any(String), status: 'pending' })
    expect(cuts).toEqual([{ path: '$.items', length: 100_000 }])
  })

  test('bounds objects that branch, nest, or have keys as long as a text', () => {
    const branch = (depth: number): object =>
      depth === 0 ? {} : Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, branch(depth - 1)]))
    expect(JSON.stringify(cut(branch(4)).value).length).toBeLessThan(500_000)
    let nested: unknown = 'deep'
    for (let i = 0; i < 5000; i++) nested = [nested]
    expect(JSON.stringify(cut(nested).value)).toHaveLength(402)
    const key = 'k'.repeat(5_000_000)
    expect(cut({ input: { [key]: 1 } }).value).toEqual({ input: {} })
  })

  test('several values share one budget', () => {
    const budget = new CutBudget()
    const text = 'x'.repeat(3_000_000)
    expect(cutStrings(text, 4_000_000, budget).value).toHaveLength(3_000_000)
    expect(cutStrings(text, 4_000_000, budget).value).toHaveLength(1_000_000)
    expect(cutStrings(text, 4_000_000, budget).value).toHaveLength(100)
  })
})
