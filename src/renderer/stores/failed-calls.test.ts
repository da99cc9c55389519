import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CannedRow, columnsOf } from '../../../test/page/host.ts'
import { FailedCalls } from './failed-calls.ts'
import { LogColumns } from './log-columns.ts'

const all = () => true

/** Columns and what failed in them, told of each page. */
function readIn(pages: readonly (readonly CannedRow[])[]) {
  const columns = new LogColumns()
  const failed = new FailedCalls(columns)
  const rows: CannedRow[] = []
  for (const page of pages) {
    const from = rows.length
    rows.push(...page)
    columns.append(columnsOf(rows, from, page.length))
    failed.onGrown(from)
  }
  return { columns, failed }
}

const call: CannedRow = { kind: 'tool', tool: 1 }
const failure = (pair: number): CannedRow => ({ kind: 'tool-error', tool: 1, pair })

it('counts a call once, and steps from one to the next', () => {
  const { failed } = readIn([
    [call, call, failure(1), failure(1)],
    [failure(0), { kind: 'tool-error', pair: -1 }]
  ])
  expect(Array.from(failed.results)).toEqual([2, 4])
  expect([failed.countIn(0, 2), failed.countIn(2, 5), failed.countIn(0, 6), failed.countIn(3, 4)]).toEqual([
    0,
    2 - 0,
    2,
    0
  ])
  expect([-1, 0, 2, 3, 4].map((row) => failed.next(row, 1, all))).toEqual([2, 2, 4, 4, -1])
  expect([5, 4, 3, 2].map((row) => failed.next(row, -1, all))).toEqual([4, 2, 2, -1])
  expect(failed.next(0, 1, (row) => row > 2)).toBe(4)
})

it('is the same in any pages', () => {
  const rowOf = fc.constantFrom<CannedRow['kind']>('tool', 'todo', 'tool-result', 'tool-error', 'record')
  const log = fc.array(fc.tuple(rowOf, fc.nat(10), fc.nat(2)), { maxLength: 40 }).map((drawn) => {
    const rows: CannedRow[] = []
    for (const [kind, back, tool] of drawn) {
      const at = rows.length - 1 - back
      const isAnswered = rows[at]?.kind === 'tool' || rows[at]?.kind === 'todo'
      rows.push(kind.startsWith('tool-') ? { kind, tool, pair: isAnswered ? at : -1 } : { kind, tool })
    }
    return rows
  })
  fc.assert(
    fc.property(log, fc.nat(40), (rows, cut) => {
      const whole = readIn([rows]).failed.results
      expect(readIn([rows.slice(0, cut), rows.slice(cut)].filter((page) => page.length > 0)).failed.results).toEqual(
        whole
      )
    })
  )
})
