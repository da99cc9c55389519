import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostError } from '#contract/host-error.ts'
import { methods } from '#contract/methods.ts'
import { TaskHandlers } from './task-handlers.ts'
import { TaskStore } from './task-store.ts'

const root = mkdtempSync(join(tmpdir(), 'playhead-task-handlers-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
let path: string
let heard: unknown[]
let problems: string[]
let tasks: TaskHandlers

beforeEach(() => {
  path = join(root, String(count++), 'tasks.db')
  heard = []
  problems = []
  tasks = new TaskHandlers({
    path,
    notify: (name, payload) => heard.push([name, payload]),
    problem: (sentence) => problems.push(sentence),
    now: Date.now
  })
})
afterEach(() => tasks.close())

test('every method returns its contract type, and each change is notified', async () => {
  const { handlers } = tasks
  expect(await handlers['task.list']({ session: 's' })).toEqual({ tasks: [] })
  const a = await handlers['task.add']({ session: 's', title: 'a' })
  const b = await handlers['task.add']({ session: 's', title: 'b' })
  expect(await handlers['task.edit']({ task: a.id, status: 'completed' })).toMatchObject({ status: 'completed' })
  expect(await handlers['task.move']({ task: b.id, place: 0 })).toMatchObject({ title: 'b', sort_order: 0 })
  const removed = await handlers['task.remove']({ task: a.id })
  expect(removed).toMatchObject({ title: 'a', sort_order: 1, status: 'completed' })
  expect(await handlers['task.restore']({ task: removed })).toEqual(removed)
  const list = await handlers['task.list']({ session: 's' })
  expect(methods['task.list'].result.parse(list).tasks.map(({ title }) => title)).toEqual(['b', 'a'])
  expect(heard).toEqual(Array.from({ length: 6 }, () => ['task.changed', { session: 's' }]))
  expect(await handlers['tool.result']({ session: 's', tool: 't' })).toEqual({ result: null })
})

test('pages that asked for a session are notified of changes by others', async () => {
  await tasks.handlers['task.list']({ session: 's' })
  await tasks.handlers['tool.result']({ session: 'r', tool: 't' })
  const other = await TaskStore.open(path)
  other.syncSdkTasks('s', [{ content: 'a' }])
  other.reportResult({ session: 'r', tool: 't', content: 'out', isError: false, source: 'hook' })
  other.syncSdkTasks('not asked for', [{ content: 'a' }])
  await vi.waitFor(() => expect(heard).toHaveLength(2), 10_000)
  expect(heard).toEqual([
    ['task.changed', { session: 's' }],
    ['tool.reported', { session: 'r', tool: 't' }]
  ])
  const { result } = await tasks.handlers['tool.result']({ session: 'r', tool: 't' })
  expect(methods['tool.result'].result.parse({ result }).result?.content).toBe('out')
  other.add({ session: 's', title: 'mine' })
  other.close()
  await vi.waitFor(() => expect(heard).toHaveLength(3), 10_000)
  expect(heard[2]).toEqual(['task.changed', { session: 's' }])
})

test('a moved file is notified as a change and reported', async () => {
  await tasks.handlers['task.add']({ session: 's', title: 'a' })
  await tasks.handlers['task.list']({ session: 's' })
  heard.length = 0
  for (const beside of ['-wal', '-shm', '']) rmSync(path + beside, { force: true })
  writeFileSync(path, 'no database')
  await vi.waitFor(() => expect(heard).toEqual([['task.changed', { session: 's' }]]), 10_000)
  expect(problems).toEqual([expect.stringContaining('is not a database. It was moved to')])
  expect(await tasks.handlers['task.list']({ session: 's' })).toEqual({ tasks: [] })
})

test('without the file every method fails with the reason, and opening is tried again', async () => {
  const blocked = join(root, `blocked-${count}`)
  writeFileSync(blocked, '')
  const other = new TaskHandlers({
    path: join(blocked, 'tasks.db'),
    notify: () => {},
    problem: () => {},
    now: Date.now
  })
  const failure = await other.handlers['task.list']({ session: 's' }).catch((error: HostError) => error)
  expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining(blocked) })
  rmSync(blocked)
  expect(await other.handlers['task.list']({ session: 's' })).toEqual({ tasks: [] })
  await other.close()
})
