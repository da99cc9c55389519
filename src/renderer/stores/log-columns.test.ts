import { describe, expect, it } from 'vitest'
import { columnsOf, testStart, type CannedRow } from '../../../test/page/host.ts'
import { LogColumns } from './log-columns.ts'

const rows: CannedRow[] = [
  { kind: 'record', severity: 'malformed' },
  { kind: 'session' },
  { kind: 'tool', tool: 1 },
  { kind: 'record' },
  { kind: 'tool-error', pair: 2 },
  { kind: 'tool-result', pair: 2, took: 0.5 }
]

function columnsIn(pages: number[]): LogColumns {
  const columns = new LogColumns()
  for (const count of pages) columns.append(columnsOf(rows, columns.rows, count))
  return columns
}

describe('LogColumns', () => {
  it('contains the rows of the host, in pages of any size', () => {
    for (const pages of [[6], [1, 2, 3], [3, 3]]) {
      const columns = columnsIn(pages)
      expect([columns.rows, columns.events]).toEqual([6, 4])
      expect([0, 2, 4].map((row) => columns.kindAt(row))).toEqual(['record', 'tool', 'tool-error'])
      expect([columns.severityAt(0), columns.severityAt(1)]).toEqual(['malformed', 'none'])
      expect(Array.from(columns.rowOfSeq.subarray(0, 4))).toEqual([1, 2, 4, 5])
      expect(Array.from(columns.durationMs.subarray(2, 6))).toEqual([NaN, NaN, NaN, 0.5])
    }
  })

  it('refuses a page that does not start at its end', () => {
    const columns = columnsIn([2])
    expect(columns.append(columnsOf(rows, 3, 2))).toBe(false)
    expect(columns.append(columnsOf(rows, 0, 2))).toBe(false)
    expect(columns.append(columnsOf(rows, 2, 0))).toBe(false)
    expect(columns.rows).toBe(2)
  })

  it('pairs a call with its last completion, and each completion with the call', () => {
    const { pairOf } = columnsIn([4, 2])
    expect([pairOf[2], pairOf[4], pairOf[5], pairOf[1]]).toEqual([5, 2, 2, -1])
  })

  it('finds the event of a row', () => {
    const columns = columnsIn([6])
    expect([0, 1, 3, 5].map((row) => columns.seqAtOrBefore(row))).toEqual([-1, 0, 1, 3])
  })

  it('finds rows by line and by time', () => {
    const columns = columnsIn([6])
    expect([columns.rowAtLine(3), columns.rowAtLine(7)]).toEqual([2, -1])
    expect([columns.rowAtTime(testStart + 2500), columns.rowAtTime(testStart + 9000)]).toEqual([4, -1])
  })

  it('grows beyond its first capacity', () => {
    const many: CannedRow[] = Array.from({ length: 10_000 }, (_, took) => ({ kind: 'tool', took }))
    const columns = new LogColumns()
    columns.append(columnsOf(many, 0, 100))
    columns.append(columnsOf(many, 100, 9900))
    expect([columns.rows, columns.line[9999], columns.rowOfSeq[9999]]).toEqual([10_000, 10_000, 9999])
    expect([columns.durationMs[99], columns.durationMs[9999]]).toEqual([99, 9999])
  })

  it('states which rows do not count, also after changes', () => {
    const columns = columnsIn([6])
    expect(columns.markAt(2)).toBeNull()
    const marked = rows.map((row, at) => (at < 2 || at > 4 ? row : { ...row, mark: 'abandoned' as const }))
    expect(columns.setMarks(columnsOf(marked, 1, 5))).toBe(true)
    expect([0, 1, 2, 3, 4, 5].map((row) => columns.markAt(row) !== null)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false
    ])
    expect(columns.setMarks(columnsOf(marked, 1, 5))).toBe(false)
  })

  it('finds a line of the log itself, or of another file of its run', () => {
    const columns = new LogColumns()
    columns.append(columnsOf([{ kind: 'prompt' }, { kind: 'assistant', file: 1 }, { kind: 'tool' }]))
    expect([1, 2, 3, 4].map((line) => columns.rowAtLine(line))).toEqual([0, 2, 2, -1])
    expect([1, 2, 3].map((line) => columns.rowAtLine(line, 1))).toEqual([1, 1, -1])
  })
})
