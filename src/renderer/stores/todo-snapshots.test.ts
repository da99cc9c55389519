import { describe, expect, it } from 'vitest'
import { type CannedRow, testHost } from '../../../test/page/host.ts'
import { TodoSnapshots } from './todo-snapshots.ts'

const item = { text: 'Write it', status: 'pending' as const }
const rows: CannedRow[] = [
  { kind: 'prompt' },
  { kind: 'todo', items: [item] },
  { kind: 'todo', items: [item], track: 1 },
  { kind: 'tool' },
  { kind: 'todo', items: [{ ...item, status: 'completed' }] }
]

const noLanes = () => Promise.reject(new Error('nobody wants lanes'))

async function snapshotsOfHost() {
  const { host, status } = testHost(rows)
  const calls: [number, number][] = []
  const todos = new TodoSnapshots(async (from, count) => {
    calls.push([from, count])
    return (await host.call('log.todos', { log: status.log, from, count })).snapshots
  }, noLanes)
  todos.append(await host.call('log.todoColumns', { log: status.log, from: 0 }))
  return { todos, calls }
}

describe('TodoSnapshots', () => {
  it('finds the snapshot in force after any event, of one track or all', async () => {
    const { todos } = await snapshotsOfHost()
    expect([-1, 0, 1, 2, 3, 4, 9].map((seq) => todos.indexAt(seq))).toEqual([-1, -1, 0, 1, 1, 2, 2])
    expect([0, 1, 2, 3, 4].map((seq) => todos.indexAt(seq, 0))).toEqual([-1, 0, 0, 0, 2])
    expect([1, 2, 4].map((seq) => todos.indexAt(seq, 1))).toEqual([-1, 1, 1])
    expect(todos.indexAt(4, 7)).toBe(-1)
    expect([todos.seqAt(2), todos.rowAt(2), todos.completedAt(2), todos.totalAt(2)]).toEqual([4, 4, 1, 1])
  })

  it('loads visible lists and their neighbours once', async () => {
    const { todos, calls } = await snapshotsOfHost()
    const came = new Promise<void>((resolve) => todos.changes.subscribe(resolve))
    expect(todos.snapshot(1)).toBeUndefined()
    expect(todos.snapshot(2)).toBeUndefined()
    await came
    expect(todos.snapshot(2)?.items).toEqual([{ text: 'Write it', status: 'completed' }])
    expect(todos.snapshot(0)?.seq).toBe(1)
    expect(calls).toEqual([[0, 3]])
  })

  it('reports a read error, and retries only on request', async () => {
    let failing = true
    const todos = new TodoSnapshots(async () => {
      if (failing) throw new Error('The file is gone.')
      return []
    }, noLanes)
    const { host, status } = testHost(rows)
    todos.append(await host.call('log.todoColumns', { log: status.log, from: 0 }))
    const failed = new Promise<void>((resolve) => todos.changes.subscribe(resolve))
    todos.snapshot(0)
    await failed
    expect(todos.error).toBe('The file is gone.')
    failing = false
    todos.retry()
    expect(todos.error).toBeNull()
  })
})
