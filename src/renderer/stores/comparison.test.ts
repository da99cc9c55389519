import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stepClasses } from '#core/compare/compare-sessions.ts'
import { comparisonOf } from '../../../test/compared-rows.ts'
import { comparedLines, type Comparison, lineOfRow } from './comparison.ts'

const linesOf = (text: string, folds = true, opened: readonly number[] = []): string =>
  comparedLines(comparisonOf(text), folds, new Set(opened))
    .map((line) => (line.kind === 'row' ? line.row : line.kind === 'section' ? `§${line.section}` : `[${line.count}]`))
    .join(' ')

test('rows without a difference are one line, but for three around a difference', () => {
  expect(linesOf('=======≠=======')).toBe('[4] 4 5 6 7 8 9 10 [4]')
  expect(linesOf('======')).toBe('[6]')
  expect(linesOf('======', false)).toBe('0 1 2 3 4 5')
})

test('two rows are not folded, and an opened fold shows its rows', () => {
  expect(linesOf('==≠')).toBe('0 1 2')
  expect(linesOf('=======≠', true, [0])).toBe('0 1 2 3 4 5 6 7')
})

test('each section has a head if there are several', () => {
  expect(linesOf('=≠|A')).toBe('§0 0 1 §1 2')
})

test('each row has one line, whatever is folded', () => {
  const texts = fc
    .array(fc.constantFrom('=', '=', '=', '≠', 'A', 'B', '|'), { maxLength: 60 })
    .map((signs) => signs.join(''))
  fc.assert(
    fc.property(texts, fc.boolean(), (text, folds) => {
      const whole = comparisonOf(text)
      const lines = comparedLines(whole, folds, new Set())
      for (let row = 0; row < whole.rows; row++) expect(lineOfRow(lines, row)).toBeGreaterThanOrEqual(0)
      const shown = lines.reduce(
        (sum, line) => sum + (line.kind === 'row' ? 1 : line.kind === 'equal' ? line.count : 0),
        0
      )
      expect(shown).toBe(whole.rows)
    })
  )
})

test('steps lead from difference to difference', () => {
  const whole = comparisonOf('=≠==A')
  expect([whole.nextDifference(-1, 1), whole.nextDifference(1, 1), whole.nextDifference(4, 1)]).toEqual([1, 4, -1])
  expect(whole.nextDifference(4, -1)).toBe(1)
})

test('a side without a step stands at its last one before, and an event is in the row of its step', () => {
  const whole = comparisonOf('=AB=')
  expect([0, 1, 2, 3].map((row) => whole.eventAt('a', row))).toEqual([0, 1, 1, 2])
  expect([0, 1, 2, 3].map((row) => whole.eventAt('b', row))).toEqual([0, 0, 1, 2])
  expect([0, 1, 2].map((seq) => whole.rowOfEvent('a', seq))).toEqual([0, 1, 3])
  expect(whole.rowOfEvent('b', 99)).toBe(3)
})

test('the events of the main agents have places on a line of the rows', () => {
  const whole = comparisonOf('=AB=|==')
  const [a, b] = [whole.scaleOf('a'), whole.scaleOf('b')]
  expect([a.total, b.total]).toEqual([4, 4])
  expect([0, 1, 2, 3].map((seq) => a.placeOf(seq))).toEqual([0.5, 1.5, 3.5, 3.5])
  expect([0, 1, 2].map((seq) => b.placeOf(seq))).toEqual([0.5, 2.5, 3.5])
  expect([0, 1.2, 2.9, 3.9].map((place) => a.seqAt(place))).toEqual([0, 1, 1, 2])
  expect([whole.differencesIn(0), whole.differencesIn(1)]).toEqual([2, 0])
})

test('swapped twice it is the same', () => {
  const whole = comparisonOf('=≠AB')
  const classes = (of: Comparison): string => Array.from({ length: of.rows }, (_, row) => of.classAt(row)).join(' ')
  expect(classes(whole.swapped)).toBe('same changed only-b only-a')
  expect(classes(whole.swapped.swapped)).toBe(classes(whole))
  expect(whole.swapped.seqAt('a', 3)).toBe(whole.seqAt('b', 3))
  expect(stepClasses).toHaveLength(5)
})
