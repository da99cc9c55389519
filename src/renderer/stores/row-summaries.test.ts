import { expect, test } from 'vitest'
import type { RowSummary } from '#contract/methods.ts'
import { RowSummaries } from './row-summaries.ts'

test('a row whose call has a new result is loaded again, and keeps its old summary meanwhile', async () => {
  const asked: number[][] = []
  const summaries = new RowSummaries(
    async (rows) => {
      asked.push(rows)
      const text = `answer ${asked.length}`
      return rows.map((row): RowSummary => ({ row, text, detail: '', mono: false, badges: [], todo: null, issues: [] }))
    },
    (run) => setTimeout(run)
  )
  summaries.request('timeline', [1, 2])
  await expect.poll(() => summaries.get(1)?.text).toBe('answer 1')
  summaries.renew([-1, 1, 9])
  expect(summaries.get(1)?.text).toBe('answer 1')
  await expect.poll(() => summaries.get(1)?.text).toBe('answer 2')
  expect(asked).toEqual([[1, 2], [1]])
  summaries.renew([-1, 9])
  expect(asked).toHaveLength(2)
})
