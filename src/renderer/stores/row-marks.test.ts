import { describe, expect, it } from 'vitest'
import type { RowMark } from '#core/formats/log-format.ts'
import { columnsOf } from '../../../test/page/host.ts'
import { LogColumns } from './log-columns.ts'
import { RowMarks } from './row-marks.ts'

const rows = 10_000

/** Unmarked loaded rows, and a host that can mark them. */
function open() {
  const columns = new LogColumns()
  const hosted = new Map<number, RowMark>()
  const asked: number[] = []
  const said: string[] = []
  const page = (from: number, count: number) =>
    columnsOf(
      Array.from({ length: rows }, (_, row) => ({ kind: 'assistant' as const, mark: hosted.get(row) })).map(
        ({ kind, mark }) => (mark === undefined ? { kind } : { kind, mark })
      ),
      from,
      Math.min(count, rows - from)
    )
  columns.append(page(0, rows))
  let broken = false
  const marks = new RowMarks(
    columns,
    async (from, count) => {
      asked.push(from)
      if (broken) throw new Error('The host is gone.')
      return page(from, count)
    },
    { onChange: () => said.push('changed'), onError: (message) => said.push(message) }
  )
  marks.added(0, rows, 0)
  return {
    columns,
    marks,
    asked,
    said,
    mark: (row: number, mark: RowMark) => hosted.set(row, mark),
    break: (now: boolean) => (broken = now)
  }
}

describe('RowMarks', () => {
  it('loads the marks of visible rows again when the host has marked rows', async () => {
    const { columns, marks, asked, said, mark } = open()
    marks.request('timeline', 20, 60)
    expect(asked).toEqual([])
    mark(30, 'abandoned')
    mark(9000, 'duplicate')
    marks.onMarked(2)
    await expect.poll(() => columns.markAt(30)).toBe('abandoned')
    expect(asked).toEqual([0])
    expect(columns.markAt(9000)).toBeNull()
    marks.request('timeline', 8990, 9010)
    await expect.poll(() => columns.markAt(9000)).toBe('duplicate')
    expect(said).toEqual(['changed', 'changed'])
  })

  it('loads nothing without new marks, and reports only changes', async () => {
    const { marks, asked, said, mark } = open()
    mark(9000, 'retracted')
    marks.onMarked(1)
    marks.request('timeline', 0, 40)
    await expect.poll(() => asked).toEqual([0])
    marks.request('timeline', 10, 50)
    marks.request('inspector', 7, 7)
    expect(asked).toEqual([0])
    expect(said).toEqual([])
  })

  it('reports an error once, and tries again at the next count of the host', async () => {
    const { columns, marks, asked, said, mark, break: breaks } = open()
    breaks(true)
    mark(3, 'retracted')
    marks.onMarked(1)
    marks.request('timeline', 0, 40)
    await expect.poll(() => said).toEqual(['The host is gone.'])
    marks.request('timeline', 1, 41)
    expect(asked).toHaveLength(1)
    breaks(false)
    marks.onMarked(1)
    await expect.poll(() => columns.markAt(3)).toBe('retracted')
  })
})
