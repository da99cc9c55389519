import { expect, test } from 'vitest'
import { createLogStore } from '../../stores/log-store.ts'
import { type CannedRow, testHost } from '../../test-host.ts'
import { rowView } from './row-view.ts'

/** What the timeline shows of how long each row took. */
async function tookOf(rows: readonly CannedRow[]): Promise<number[]> {
  const { host, status } = testHost(rows)
  const store = createLogStore(host, status)
  await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
  const took = rows.map((_, row) => rowView(store.getState(), row).took)
  store.getState().dispose()
  return took
}

test('a call, and a list that one wrote, took what their last result says; other rows say nothing of it', async () => {
  const rows: CannedRow[] = [
    { kind: 'prompt' },
    ...[{ kind: 'tool' } as const, { kind: 'tool-result', pair: 1, took: 5 } as const],
    ...[{ kind: 'todo' } as const, { kind: 'tool-error', pair: 3, took: 7 } as const],
    { kind: 'tool-result', pair: 1, took: 0 }
  ]
  expect(await tookOf(rows)).toEqual([NaN, 0, NaN, 7, NaN, NaN])
})

test('it is not known by the times of the rows, nor where no result is there', async () => {
  const rows: CannedRow[] = [
    ...[{ kind: 'tool' } as const, { kind: 'tool-result', pair: 0 } as const],
    ...[{ kind: 'tool' } as const, { kind: 'todo' } as const]
  ]
  expect(await tookOf(rows)).toEqual([NaN, NaN, NaN, NaN])
})
