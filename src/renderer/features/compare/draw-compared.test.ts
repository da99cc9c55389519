import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stepClasses } from '#core/compare/compare-sessions.ts'
import { comparisonOf } from '../../../../test/compared-rows.ts'
import { classOfColumn, comparedColumns } from './draw-compared.ts'

test('a row has a column while there is room, and the column tells how it differs', () => {
  const columns = comparedColumns(comparisonOf('=≠AB'), 400)
  expect(columns.count).toBe(4)
  expect([0, 1, 2, 3].map((column) => classOfColumn(columns, column))).toEqual(['same', 'changed', 'only-a', 'only-b'])
})

test('a column of many rows is marked if one of them differs', () => {
  const columns = comparedColumns(comparisonOf(`${'='.repeat(50)}A${'='.repeat(49)}`), 20)
  expect(columns.count).toBe(10)
  expect(Array.from({ length: 10 }, (_, column) => classOfColumn(columns, column))[5]).toBe('only-a')
})

test('each row is in one column', () => {
  const signs = fc.array(fc.constantFrom('=', '≠', 'A', 'B'), { maxLength: 80 }).map((all) => all.join(''))
  fc.assert(
    fc.property(signs, fc.integer({ min: 0, max: 100 }), (text, width) => {
      const { count, byClass, rowsOf } = comparedColumns(comparisonOf(text), width)
      expect(count).toBeLessThanOrEqual(width / 2)
      if (count === 0) return
      expect([rowsOf(0).from, rowsOf(count - 1).to]).toEqual([0, text.length])
      const rows = stepClasses.flatMap((_, place) => [...(byClass[place] ?? [])])
      expect(rows.reduce((sum, each) => sum + each, 0)).toBe(text.length)
    })
  )
})
