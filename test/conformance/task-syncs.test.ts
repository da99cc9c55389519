import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadDatabase } from '#backend/tasks/task-database.ts'
import { TaskStore } from '#backend/tasks/task-store.ts'
import type { Task } from '#contract/tasks.ts'
import { bundleForNode } from '../node-worker-plugin.ts'
import type { Syncing } from '../task-syncer.ts'

/** The table of tasks under many programs and threads at once, and under programs that are killed. */

const root = mkdtempSync(join(tmpdir(), 'playhead-task-syncs-'))
const processes = new Set<ChildProcess>()
let program = ''
let path = ''
let count = 0

beforeAll(async () => {
  program = await bundleForNode(join(import.meta.dirname, '../task-syncer.ts'), root)
})
beforeEach(() => {
  path = join(root, String(count++), 'tasks.db')
})
afterAll(() => {
  for (const child of processes) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const syncing = (options: Partial<Syncing>): Syncing => ({
  path,
  session: 's',
  writer: 'w',
  rounds: 3,
  size: 5,
  halts: false,
  ...options
})

function startProgram(options: Syncing): ChildProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.add(child)
  child.once('exit', () => processes.delete(child))
  return child
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

async function threadEnded(options: Syncing): Promise<number> {
  const [code] = (await once(new Worker(program, { workerData: options }), 'exit')) as [number]
  return code
}

/** One whole list of one writer, in order. Gives whose. */
function expectWhole(tasks: readonly Task[]): string {
  const words = tasks.map(({ title }) => title.split(' '))
  const [writer, round, size] = words[0] ?? []
  expect(words.map((each) => each.slice(0, 4))).toEqual(tasks.map((_, i) => [writer, round, size, String(i)]))
  expect(String(tasks.length)).toBe(size)
  expect(tasks.map((task) => [task.id, task.sort_order])).toEqual(tasks.map((_, i) => [`sdk-s-${i}`, i]))
  return `${writer} ${round}`
}

async function expectSound(store: TaskStore, mine: Task): Promise<void> {
  const tasks = store.tasks('s')
  expect(tasks.at(-1)).toEqual(mine)
  if (tasks.length > 1) expectWhole(tasks.slice(0, -1))
  const Database = await loadDatabase()
  const db = new Database(path)
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  db.close()
}

test('50 syncs at once, of 25 programs and 25 threads, which also begin the file: one whole list, and a person’s task', async () => {
  const store = await TaskStore.open(path)
  const mine = store.add({ session: 's', title: 'mine' })
  const programs = Array.from({ length: 25 }, (_, i) => ended(startProgram(syncing({ writer: `p${i}` }))))
  const threads = Array.from({ length: 25 }, (_, i) => threadEnded(syncing({ writer: `t${i}` })))
  let isOver = false
  const over = Promise.all([...programs, ...threads]).finally(() => (isOver = true))
  while (!isOver) {
    const tasks = store.tasks('s')
    expect(tasks.at(-1)).toEqual(mine)
    if (tasks.length > 1) expectWhole(tasks.slice(0, -1))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(await over).toEqual(Array.from({ length: 50 }, () => 0))
  await expectSound(store, mine)
  store.close()
})

test('twenty that begin the file at once', async () => {
  const codes = Array.from({ length: 20 }, (_, i) => threadEnded(syncing({ writer: `t${i}`, rounds: 1 })))
  expect(await Promise.all(codes)).toEqual(Array.from({ length: 20 }, () => 0))
  const store = await TaskStore.open(path)
  expectWhole(store.tasks('s'))
  store.close()
})

test('kill -9 in the middle of a sync: what was there before, and the next one goes on', async () => {
  const store = await TaskStore.open(path)
  const mine = store.add({ session: 's', title: 'mine' })
  const child = startProgram(syncing({ rounds: 2, halts: true }))
  await untilSaid(child, 'in the middle')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(expectWhole(store.tasks('s').slice(0, -1))).toBe('w 1')
  await expectSound(store, mine)
  expect(store.syncSdkTasks('s', [{ content: 'next' }])).toBe(true)
  expect(store.tasks('s').map(({ title }) => title)).toEqual(['next', 'mine'])
  store.close()
})

test('a thread that is ended in the middle of a sync gives back what it held', async () => {
  const store = await TaskStore.open(path)
  const mine = store.add({ session: 's', title: 'mine' })
  const worker = new Worker(program, { workerData: syncing({ rounds: 2, halts: true }) })
  await new Promise<void>((resolve) => worker.on('message', (said) => said === 'in the middle' && resolve()))
  await worker.terminate()
  expect(expectWhole(store.tasks('s').slice(0, -1))).toBe('w 1')
  expect(store.syncSdkTasks('s', [{ content: 'next' }])).toBe(true)
  expect(store.tasks('s')).toMatchObject([{ title: 'next' }, mine])
  store.close()
})

test('kill -9 at any moment of large syncs, again and again', async () => {
  const store = await TaskStore.open(path)
  const mine = store.add({ session: 's', title: 'mine' })
  for (let i = 0; i < 8; i++) {
    const child = startProgram(syncing({ writer: `k${i}`, rounds: 0, size: 600 }))
    await untilSaid(child, 'begun')
    await new Promise((resolve) => setTimeout(resolve, i * 7))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(expectWhole(store.tasks('s').slice(0, -1))).toContain(`k${i} `)
    await expectSound(store, mine)
  }
  store.close()
})

async function untilSaid(child: ChildProcess, words: string): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    if (said.includes(words)) return
  }
  throw new Error(`it ended without "${words}"`)
}
