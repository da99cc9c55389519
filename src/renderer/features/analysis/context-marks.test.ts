import { expect, test } from 'vitest'
import type { ContextRequest } from '#contract/analysis.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { contextMarks } from './context-marks.ts'

const request = (track: number, rowFirst: number, cacheRead: number | null, cacheWrite: number | null) =>
  ({ track, rowFirst, rowLast: rowFirst + 4, cacheRead, cacheWrite }) as ContextRequest

/** Rows 0 to 99; the calls of results are the rows before. */
const columns = { track: new Uint16Array(100), callOf: (row: number) => (row % 2 === 1 ? row - 1 : -1) }
columns.track.fill(1, 50)
const todosAt = (...rows: number[]) =>
  ({ count: rows.length, rowAt: (index: number) => rows[index] ?? -1 }) as unknown as TodoSnapshots

test('a cache is lost against the request before on the same track', () => {
  const requests = [
    request(0, 10, 0, 40_000),
    request(1, 50, 0, 1000),
    request(0, 20, 41_000, 500),
    request(0, 30, 12_000, 30_000),
    request(1, 60, 0, 1200),
    request(0, 40, null, null)
  ]
  const marks = contextMarks(requests, { columns, todos: todosAt() }, [], 0)
  expect([...marks]).toEqual([[3, { lost: true, subagents: [], todos: [] }]])
})

test('subagents and todo changes belong to the request that made their calls', () => {
  const requests = [request(0, 10, 1, 1), request(0, 20, 1, 1), request(1, 50, 1, 1)]
  const tracks = [{ call: -1 }, { call: 12 }, { call: 20 }, { call: 2 }, { call: 90 }]
  const marks = contextMarks(requests, { columns, todos: todosAt(15, 23, 52) }, tracks, 0)
  expect([...marks]).toEqual([
    [0, { lost: false, subagents: [12], todos: [15] }],
    [1, { lost: false, subagents: [20], todos: [23] }],
    [2, { lost: false, subagents: [], todos: [52] }]
  ])
})
