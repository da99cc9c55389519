import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOfText, cutEnd, cutStart, padded } from './text-columns.ts'

test('characters of East Asia and pictures take two columns, accents none', () => {
  expect(columnsOfText('abc')).toBe(3)
  expect(columnsOfText('日本')).toBe(4)
  expect(columnsOfText('e\u0301')).toBe(1)
  expect(columnsOfText('🚀')).toBe(2)
})

test('a text is cut at its end or its start, and padded', () => {
  expect(cutEnd('abcdef', 4)).toBe('abc…')
  expect(cutEnd('日本語', 5)).toBe('日本…')
  expect(cutEnd('日本語', 6)).toBe('日本語')
  expect(cutStart('~/code/playhead', 9)).toBe('…playhead')
  expect(padded('日', 4)).toBe('日  ')
})

test('what is cut fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
      for (const cut of [cutEnd(text, columns), cutStart(text, columns)])
        expect(columnsOfText(cut)).toBeLessThanOrEqual(columns)
    })
  )
})
