import { expect, test } from 'vitest'
import type { LineRun } from '#contract/files.ts'
import { FileRows } from './file-rows.ts'

const known = { author: 'before', confidence: 'seen', confirmed: 3, stale: null } as const
const run = (count: number, of: LineRun['known']): LineRun => ({ count, known: of })

test('lines that are not known take one row together', () => {
  const rows = new FileRows({
    runs: [run(2, known), run(100, null), run(1, { ...known, author: 9 })],
    ...{ length: 103, total: 103, deleted: false }
  })
  expect(rows.count).toBe(4)
  expect([0, 1, 2, 3, 4].map((row) => rows.at(row))).toEqual([
    { kind: 'line', line: 0, known, isFirst: true },
    { kind: 'line', line: 1, known, isFirst: false },
    { kind: 'unknown', from: 2, to: 102 },
    { kind: 'line', line: 102, known: { ...known, author: 9 }, isFirst: true },
    undefined
  ])
  expect([0, 1, 2, 50, 101, 102, 500].map((line) => rows.rowOf(line))).toEqual([0, 1, 2, 2, 2, 3, 3])
})

test('a file whose length is not known ends with a row that says so, unless it is deleted', () => {
  const part = { runs: [run(3, known)], length: 3, total: null }
  const rows = new FileRows({ ...part, deleted: false })
  expect(rows.at(3)).toEqual({ kind: 'unknown', from: 3, to: null })
  expect(rows.rowOf(7)).toBe(3)
  expect(new FileRows({ ...part, deleted: true }).count).toBe(3)
  expect(new FileRows({ runs: [], length: 0, total: null, deleted: false }).at(0)).toEqual({
    ...{ kind: 'unknown', from: 0, to: null }
  })
})
