import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stepClasses } from '#core/compare/compare-sessions.ts'
import type { ComparedTotals, LogComparison } from '#contract/compare.ts'
import { comparedLines, Comparison, lineOfRow } from './comparison.ts'

const totals: ComparedTotals = {
  ...{ wallMs: null, activeMs: null, turns: 1, calls: 1, failedCalls: 0, inputTokens: null, outputTokens: null },
  ...{ outputAtLeast: false, costUsd: null, todosDone: null, todosTotal: null, filesChanged: 0, model: null }
}

/** Rows by sign: `=` same, `≠` changed, `A`, `B`; `|` begins a section. Events count up on each side. */
function comparison(text: string): Comparison {
  const sections = text.split('|')
  const signs = [...sections.join('')]
  let [a, b] = [0, 0]
  const classes = signs.map((sign) => ({ '=': 0, '≠': 1, A: 2, B: 3 })[sign] ?? 0)
  const answer: LogComparison = {
    sections: sections.map((rows, at) => ({ a: { trackId: at === 0 ? null : `t${at}` }, b: null, rows: rows.length })),
    seqA: Int32Array.from(signs, (sign) => (sign === 'B' ? -1 : a++)).buffer,
    seqB: Int32Array.from(signs, (sign) => (sign === 'A' ? -1 : b++)).buffer,
    class: Uint8Array.from(classes).buffer,
    result: new Uint8Array(signs.length).buffer,
    other: new Int32Array(signs.length).fill(-1).buffer,
    differs: Uint8Array.from(signs, (sign) => Number(sign !== '=')).buffer,
    counts: { same: 0, changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 },
    ...{ a: totals, b: totals, files: [], moreFiles: 0, todos: [], notes: [] },
    lastAnswer: { a: null, b: null, same: null }
  }
  return new Comparison(answer)
}

const linesOf = (text: string, folds = true, opened: readonly number[] = []): string =>
  comparedLines(comparison(text), folds, new Set(opened))
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
      const whole = comparison(text)
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
  const whole = comparison('=≠==A')
  expect([whole.nextDifference(-1, 1), whole.nextDifference(1, 1), whole.nextDifference(4, 1)]).toEqual([1, 4, -1])
  expect(whole.nextDifference(4, -1)).toBe(1)
})

test('a side without a step stands at its last one before, and an event is in the row of its step', () => {
  const whole = comparison('=AB=')
  expect([0, 1, 2, 3].map((row) => whole.eventAt('a', row))).toEqual([0, 1, 1, 2])
  expect([0, 1, 2, 3].map((row) => whole.eventAt('b', row))).toEqual([0, 0, 1, 2])
  expect([0, 1, 2].map((seq) => whole.rowOfEvent('a', seq))).toEqual([0, 1, 3])
  expect(whole.rowOfEvent('b', 99)).toBe(3)
})

test('swapped twice it is the same', () => {
  const whole = comparison('=≠AB')
  const classes = (of: Comparison): string => Array.from({ length: of.rows }, (_, row) => of.classAt(row)).join(' ')
  expect(classes(whole.swapped)).toBe('same changed only-b only-a')
  expect(classes(whole.swapped.swapped)).toBe(classes(whole))
  expect(whole.swapped.seqAt('a', 3)).toBe(whole.seqAt('b', 3))
  expect(stepClasses).toHaveLength(5)
})
