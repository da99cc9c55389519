import type { CallRow } from '#contract/analysis.ts'
import { oneLine } from '#core/index/one-line.ts'

/** Units and origins stand in the heads: a cell is a plain number, empty where it is not known. */
const columns: readonly (readonly [head: string, cell: (row: CallRow) => string | number | null])[] = [
  ['Calls', ({ calls }) => calls],
  ['Failed', ({ failed }) => failed],
  ['Lengths stated', ({ statedLengths }) => statedLengths],
  ['Lengths derived', ({ calls, statedLengths, unknownLengths }) => calls - statedLengths - unknownLengths],
  ['Lengths unknown, in no time', ({ unknownLengths }) => unknownLengths],
  ['Total ms', ({ totalMs }) => totalMs],
  ['Self ms, derived', ({ selfMs }) => selfMs],
  ['Longest ms', ({ longestMs }) => longestMs],
  ['Half under ms', ({ p50Ms }) => p50Ms],
  ['95 % under ms', ({ p95Ms }) => p95Ms],
  ['Output bytes, derived', ({ bytesOut }) => bytesOut],
  ['Tokens out, allocated', ({ tokensOut }) => tokensOut],
  [
    'Tokens out are',
    ({ tokensOut, tokensAtLeast }) => (tokensOut === null ? 'unknown' : tokensAtLeast ? 'at least' : 'all')
  ],
  ['Cost USD', ({ cost: { cost } }) => cost?.usd ?? null],
  [
    'Cost is',
    ({ cost: { cost } }) =>
      cost === null ? 'unknown' : cost.atLeast ? 'at least' : cost.from === 'stated' ? 'allocated' : 'estimated'
  ]
]

/** A table of calls for a spreadsheet: a line for each group, cells between tabs. `nameOf`: the first cell of a row. */
export function copiedTable(head: string, rows: readonly CallRow[], nameOf: (row: CallRow) => string): string {
  const lines = [
    [head, ...columns.map(([name]) => name)],
    ...rows.map((row) => [textCell(nameOf(row)), ...columns.map(([, cell]) => numberCell(cell(row)))])
  ]
  return lines.map((cells) => `${cells.join('\t')}\n`).join('')
}

/** Sums of fractions have digits that mean nothing; costs have many. */
function numberCell(value: string | number | null): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(12))) : (value ?? '')
}

/** A text of a log on one line. A spreadsheet would run it as a formula if it began like one. */
function textCell(text: string): string {
  const line = oneLine(text).replaceAll('\t', ' ')
  return /^[=+\-@]/.test(line) ? `'${line}` : line
}
