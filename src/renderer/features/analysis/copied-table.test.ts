import { expect, test } from 'vitest'
import type { CallRow } from '#contract/analysis.ts'
import { copiedTable } from './copied-table.ts'
import { costGaps, pricedCost } from '../../../../test/costs.ts'

const row = (name: string, more: Partial<CallRow> = {}): CallRow => ({
  ...{ name, term: null, calls: 3, failed: 1, unknownLengths: 1, statedLengths: 1, totalMs: 9000.1 + 0.2 },
  ...{ selfMs: 8000, longestMs: 7000, longestRow: 2, p50Ms: 2000, p95Ms: 7000, bytesOut: 1200, tokensOut: 90 },
  tokensAtLeast: true,
  cost: { cost: pricedCost(0.5), gaps: null },
  ...more
})

const cellsOf = (rows: readonly CallRow[]) =>
  copiedTable('Tool', rows, ({ name }) => name ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

test('a table is copied with plain numbers, their units and where they are from', () => {
  const [heads = [], cells = []] = cellsOf([row('Bash')])
  expect(Object.fromEntries(heads.map((head, at) => [head, cells[at]]))).toEqual({
    ...{ Tool: 'Bash', Calls: '3', Failed: '1', 'Lengths stated': '1', 'Lengths derived': '1' },
    ...{ 'Lengths unknown, in no time': '1', 'Total ms': '9000.3', 'Self ms, derived': '8000', 'Longest ms': '7000' },
    ...{ 'Half under ms': '2000', '95 % under ms': '7000', 'Output bytes, derived': '1200' },
    ...{ 'Tokens out, allocated': '90', 'Tokens out are': 'at least', 'Cost USD': '0.5', 'Cost is': 'estimated' }
  })
})

test('what is not known is an empty cell, not 0', () => {
  const gaps = costGaps({ lacking: 1 })
  const unknown = { totalMs: null, selfMs: null, longestMs: null, p50Ms: null, p95Ms: null, tokensOut: null }
  const [heads = [], cells = []] = cellsOf([row('Bash', { ...unknown, cost: { cost: null, gaps } })])
  const empty = heads.filter((_, at) => cells[at] === '')
  expect(empty).toEqual([
    ...['Total ms', 'Self ms, derived', 'Longest ms', 'Half under ms', '95 % under ms', 'Tokens out, allocated'],
    'Cost USD'
  ])
  expect(cells.filter((cell) => cell === 'unknown')).toHaveLength(2)
})

test('a name is one cell, and no formula', () => {
  const names = ['a\tb\nc', '=HYPERLINK("x")', '-1+1', '+1', '@sum', 'src/a.ts']
  const rows = cellsOf(names.map((name) => row(name)))
  expect(new Set(rows.map((cells) => cells.length)).size).toBe(1)
  expect(rows.slice(1).map(([name]) => name)).toEqual([
    ...[expect.stringMatching(/^a.b.c$/), '\'=HYPERLINK("x")', "'-1+1", "'+1", "'@sum", 'src/a.ts']
  ])
})
