import { expect, test } from 'vitest'
import { createLogStore } from '../../stores/log-store.ts'
import { type CannedRow, testHost } from '../../../../test/page/host.ts'
import { type RowView, rowView } from './row-view.ts'

async function viewsOf(rows: readonly CannedRow[]): Promise<RowView[]> {
  const { host, status } = testHost(rows)
  const store = createLogStore(host, status)
  await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
  const views = rows.map((_, row) => rowView(store.getState(), row))
  store.getState().dispose()
  return views
}

/** The durations that the timeline shows. */
async function tookOf(rows: readonly CannedRow[]): Promise<number[]> {
  return (await viewsOf(rows)).map(({ durationMs }) => durationMs)
}

test('a failed call is known by its first result', async () => {
  const rows: CannedRow[] = [
    ...[{ kind: 'tool', tool: 1 } as const, { kind: 'tool', tool: 1 } as const, { kind: 'todo' } as const],
    ...[{ kind: 'tool-error', pair: 0 } as const, { kind: 'tool-result', pair: 1 } as const],
    ...[{ kind: 'tool-error', pair: 2 } as const, { kind: 'tool-result', pair: 0 } as const],
    ...[{ kind: 'tool-error', pair: 1 } as const, { kind: 'tool', tool: 2 } as const]
  ]
  const failed = (await viewsOf(rows)).map((view) => view.failed)
  expect(failed).toEqual([true, false, true, false, false, false, false, false, false])
})

test('a call has the duration of its last result; other rows have none', async () => {
  const rows: CannedRow[] = [
    { kind: 'prompt' },
    ...[{ kind: 'tool' } as const, { kind: 'tool-result', pair: 1, took: 5 } as const],
    ...[{ kind: 'todo' } as const, { kind: 'tool-error', pair: 3, took: 7 } as const],
    { kind: 'tool-result', pair: 1, took: 0 }
  ]
  expect(await tookOf(rows)).toEqual([NaN, 0, NaN, 7, NaN, NaN])
})

test('the duration is unknown without a result', async () => {
  const rows: CannedRow[] = [
    ...[{ kind: 'tool' } as const, { kind: 'tool-result', pair: 0 } as const],
    ...[{ kind: 'tool' } as const, { kind: 'todo' } as const]
  ]
  expect(await tookOf(rows)).toEqual([NaN, NaN, NaN, NaN])
})
