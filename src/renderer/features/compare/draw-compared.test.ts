import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stepClasses } from '#core/compare/compare-sessions.ts'
import { comparisonOf } from '../../../../test/compared-rows.ts'
import { classOfColumn, comparedColumns } from './draw-compared.ts'

test('a row has a column while there is room, and the column tells how it differs', () => {
  const columns = comparedColumns(comparisonOf('=≠AB'), { from: 0, to: 4 }, 400)
  expect(columns.count).toBe(4)
  expect([0, 1, 2, 3].map((column) => classOfColumn(columns, column))).toEqual(['same', 'changed', 'only-a', 'only-b'])
})

test('a column of many rows is marked if one of them differs', () => {
  const columns = comparedColumns(comparisonOf(`${'='.repeat(50)}A${'='.repeat(49)}`), { from: 0, to: 100 }, 20)
  expect(columns.count).toBe(10)
  expect(Array.from({ length: 10 }, (_, column) => classOfColumn(columns, column))[5]).toBe('only-a')
})

test('each visible row is in one column, and a part is cut as the whole is', () => {
  const signs = fc.array(fc.constantFrom('=', '≠', 'A', 'B'), { minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(
      signs,
      fc.integer({ min: 1, max: 100 }),
      fc.nat(79),
      fc.integer({ min: 1, max: 40 }),
      (all, width, at, span) => {
        const comparison = comparisonOf(all.join(''))
        const view = { from: Math.min(at, Math.max(0, all.length - span)), to: Math.min(all.length, at + span) }
        const { first, length, count, byClass } = comparedColumns(comparison, view, width)
        expect(count).toBeLessThanOrEqual(width / 2 + 2)
        expect(first).toBeLessThanOrEqual(view.from)
        expect(first + count * length).toBeGreaterThanOrEqual(view.to)
        expect(first % length).toBe(0)
        const rows = stepClasses.flatMap((_, place) => [...(byClass[place] ?? [])])
        expect(rows.reduce((sum, each) => sum + each, 0)).toBe(Math.min(all.length, first + count * length) - first)
      }
    )
  )
})
