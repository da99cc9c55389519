import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import type { Task } from '#contract/tasks.ts'
import { loadDatabase } from './task-database.ts'
import { maxResultLength, TaskStore } from './task-store.ts'

const root = mkdtempSync(join(tmpdir(), 'playhead-tasks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
let path: string
let said: string[]
let clock: number
const stores: TaskStore[] = []

beforeEach(() => {
  path = join(root, String(count++), 'tasks.db')
  said = []
  clock = 1000
})
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

async function opened(at = path, waitMs = 10_000): Promise<TaskStore> {
  const store = await TaskStore.open(at, { now: () => clock++, warn: (sentence) => said.push(sentence), waitMs })
  stores.push(store)
  return store
}

const todo = (content: string, status: JsonValue = 'pending'): JsonValue => ({
  content,
  status,
  activeForm: `Doing ${content}`
})
const titles = (tasks: readonly Task[]): string[] => tasks.map(({ title }) => title)
const own = (store: TaskStore, session = 's'): Task[] => store.tasks(session).filter(({ source }) => source === 'user')

describe('the agent’s tasks', () => {
  test('are rows by docs/seeds.md#todowrite-bridge, also after the file is opened again', async () => {
    const store = await opened()
    expect(store.syncSdkTasks('s', [todo('a', 'completed'), todo('b', 'blocked')])).toBe(true)
    const expected = [
      {
        id: 'sdk-s-0',
        session_id: 's',
        title: 'a',
        status: 'completed',
        description: 'Doing a',
        sort_order: 0,
        source: 'sdk',
        created_at: 1000,
        updated_at: 1000
      },
      expect.objectContaining({ id: 'sdk-s-1', title: 'b', status: 'pending', sort_order: 1 })
    ]
    expect(store.tasks('s')).toEqual(expected)
    expect((await opened()).tasks('s')).toEqual(expected)
    expect(store.tasks('other')).toEqual([])
  })

  test('syncing twice equals once, with the same times', async () => {
    const store = await opened()
    const list = [todo('a', 'in_progress'), todo('b')]
    store.syncSdkTasks('s', list)
    const once = store.tasks('s')
    expect(store.syncSdkTasks('s', list)).toBe(false)
    expect(store.tasks('s')).toEqual(once)
  })

  test('a list replaces the previous one: shorter, longer, empty', async () => {
    const store = await opened()
    for (const names of [['a', 'b', 'c'], ['x'], ['a', 'b', 'c', 'd'], []]) {
      store.syncSdkTasks(
        's',
        names.map((name) => todo(name))
      )
      expect(titles(store.tasks('s'))).toEqual(names)
    }
  })

  test('unchanged tasks keep their times', async () => {
    const store = await opened()
    store.syncSdkTasks('s', [todo('a'), todo('b')])
    const [before] = store.tasks('s')
    store.syncSdkTasks('s', [todo('a'), todo('b', 'completed')])
    const [a, b] = store.tasks('s')
    expect(a).toEqual(before)
    expect(b?.updated_at).toBeGreaterThan(b?.created_at ?? Infinity)
  })

  test('long lists and texts are truncated', async () => {
    const store = await opened()
    store.syncSdkTasks('s', [todo('x'.repeat(50_000)), ...Array.from({ length: 5000 }, (_, i) => todo(`t${i}`))])
    const tasks = store.tasks('s')
    expect(tasks).toHaveLength(2000)
    expect(tasks[0]?.title).toBe(`${'x'.repeat(9999)}…`)
  })

  test('texts that SQLite cannot store unchanged are replaced', async () => {
    const store = await opened()
    store.syncSdkTasks('s', [todo('nul \0 and \ud800 half'), todo("'; DROP TABLE tasks; --"), todo('grüße 世界 🌍')])
    expect(titles(store.tasks('s'))).toEqual(['nul ␀ and \ufffd half', "'; DROP TABLE tasks; --", 'grüße 世界 🌍'])
  })

  test('an invalid id is refused', async () => {
    const store = await opened()
    expect(() => store.syncSdkTasks('', [])).toThrow('An id of 0 characters')
    expect(() => store.syncSdkTasks('s'.repeat(201), [])).toThrow('1 to 200')
    const longest = 's'.repeat(200)
    store.syncSdkTasks(longest, [todo('a')])
    expect(store.tasks(longest)).toHaveLength(1)
  })
})

describe('the agent’s tasks, by Task tools', () => {
  const task = (
    id: string,
    content: string | null,
    status: string | null = null,
    activeForm: string | null = null
  ) => ({
    id,
    content,
    status,
    activeForm
  })
  const change = { session: 's', removed: [], isWhole: false }

  test('are collected into a list in the order of their numbers', async () => {
    const store = await opened()
    expect(store.changeAgentTasks({ ...change, set: [task('10', 'ten', 'pending')] })).toBe(true)
    store.changeAgentTasks({ ...change, set: [task('2', 'two', 'pending', 'Doing two')] })
    store.changeAgentTasks({ ...change, set: [task('10', null, 'in_progress')] })
    // Of this one nothing is known but that it goes on.
    store.changeAgentTasks({ ...change, set: [task('7', null, 'completed')] })
    expect(store.tasks('s').map((each) => [each.id, each.title, each.status, each.description])).toEqual([
      ['sdk-s-0', 'two', 'pending', 'Doing two'],
      ['sdk-s-1', 'ten', 'in_progress', null]
    ])
    expect(store.changeAgentTasks({ ...change, set: [task('2', 'two')] })).toBe(false)
    store.changeAgentTasks({ ...change, set: [task('7', 'seven')] })
    store.changeAgentTasks({ ...change, set: [], removed: ['2'] })
    expect(store.tasks('s').map((each) => [each.title, each.status])).toEqual([
      ['seven', 'completed'],
      ['ten', 'in_progress']
    ])
    store.changeAgentTasks({ ...change, set: [task('3', 'three', 'completed')], isWhole: true })
    expect(titles(store.tasks('s'))).toEqual(['three'])
    expect(store.tasks('other')).toEqual([])
  })
})

describe('a person’s tasks', () => {
  test('are appended after the agent’s', async () => {
    const store = await opened()
    const a = store.add({ session: 's', title: 'a' })
    expect(a).toMatchObject({ session_id: 's', status: 'pending', description: null, sort_order: 0, source: 'user' })
    store.add({ session: 's', title: 'b' })
    store.add({ session: 'other', title: 'c' })
    store.syncSdkTasks('s', [todo('agent')])
    expect(titles(store.tasks('s'))).toEqual(['agent', 'a', 'b'])
    expect(own(store).map((task) => task.sort_order)).toEqual([0, 1])
  })

  test('are never changed by a sync', async () => {
    const store = await opened()
    const task = store.edit({ task: store.add({ session: 's', title: 'mine' }).id, status: 'completed' })
    for (const list of [[todo('a'), todo('mine')], [], [todo('b')]]) {
      store.syncSdkTasks('s', list)
      expect(own(store)).toEqual([task])
    }
  })

  test('edit: absent members stay', async () => {
    const store = await opened()
    const { id } = store.add({ session: 's', title: 'a' })
    expect(store.edit({ task: id, description: 'why' })).toMatchObject({ title: 'a', description: 'why' })
    expect(store.edit({ task: id, title: 'b' })).toMatchObject({ title: 'b', description: 'why', status: 'pending' })
    expect(store.edit({ task: id, status: 'in_progress' })).toMatchObject({ title: 'b', status: 'in_progress' })
    const edited = store.edit({ task: id, description: null })
    expect(edited.description).toBeNull()
    expect(edited.updated_at).toBeGreaterThan(edited.created_at)
    expect(store.edit({ task: id, title: 'b' })).toEqual(edited)
    expect(store.tasks('s')).toEqual([edited])
  })

  test('move: to a place among their own, at most the end', async () => {
    const store = await opened()
    const [a, b, c] = ['a', 'b', 'c'].map((title) => store.add({ session: 's', title }).id) as [string, string, string]
    expect(store.move({ task: c, place: 0 }).sort_order).toBe(0)
    expect(titles(own(store))).toEqual(['c', 'a', 'b'])
    expect(store.move({ task: c, place: 99 }).sort_order).toBe(2)
    store.move({ task: a, place: 1 })
    expect(titles(own(store))).toEqual(['b', 'a', 'c'])
    expect(store.move({ task: b, place: 0 })).toEqual(own(store)[0])
  })

  test('remove and restore: unchanged and at the same place', async () => {
    const store = await opened()
    const tasks = ['a', 'b', 'c'].map((title) => store.add({ session: 's', title }))
    store.edit({ task: tasks[1]?.id ?? '', status: 'completed', description: 'why' })
    const before = own(store)
    const removed = store.remove(tasks[1]?.id ?? '')
    expect(removed).toEqual(before[1])
    expect(own(store).map((task) => [task.title, task.sort_order])).toEqual([
      ['a', 0],
      ['c', 1]
    ])
    expect(store.restore(removed)).toEqual(removed)
    expect(own(store)).toEqual(before)
    // Twice is once.
    expect(store.restore(removed)).toEqual(removed)
    expect(own(store)).toEqual(before)
  })

  test('restore: at the end if there are fewer tasks', async () => {
    const store = await opened()
    const [a, b] = ['a', 'b'].map((title) => store.add({ session: 's', title })) as [Task, Task]
    store.remove(b.id)
    store.remove(a.id)
    expect(store.restore(b).sort_order).toBe(0)
  })

  test('restore: any numbers of a page are accepted', async () => {
    const store = await opened()
    const task = store.remove(store.add({ session: 's', title: 'a' }).id)
    const odd = { ...task, sort_order: -7, created_at: 1.5, updated_at: 1e300 }
    expect(store.restore(odd)).toEqual({ ...task, sort_order: 0, created_at: 1, updated_at: 0 })
  })

  test('tasks of the agent and missing tasks cannot be changed', async () => {
    const store = await opened()
    store.syncSdkTasks('s', [todo('a')])
    for (const task of ['sdk-s-0', 'user-none', '']) {
      for (const change of [
        () => store.edit({ task, title: 'x' }),
        () => store.move({ task, place: 0 }),
        () => store.remove(task)
      ])
        expect(change).toThrow(expect.objectContaining({ code: 'not-found' }))
    }
    const [agents] = store.tasks('s') as [Task]
    for (const task of [agents, { ...agents, id: 'sdk-s-1', source: 'user' as const }])
      expect(() => store.restore(task)).toThrow(expect.objectContaining({ code: 'bad-params' }))
  })

  test('after any changes they are numbered from 0 and complete', async () => {
    const store = await opened()
    let session = 0
    const act = fc.oneof(
      fc.record({ act: fc.constant('add' as const) }),
      fc.record({ act: fc.constant('move' as const), which: fc.nat(9), place: fc.nat(12) }),
      fc.record({ act: fc.constant('remove' as const), which: fc.nat(9) }),
      fc.record({ act: fc.constant('restore' as const), which: fc.nat(9) }),
      fc.record({ act: fc.constant('sync' as const), which: fc.nat(5) })
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
        const id = `session-${session++}`
        const expected: string[] = []
        const removed: Task[] = []
        for (const each of acts) {
          const which = 'which' in each ? (expected[each.which] ?? '') : ''
          if (each.act === 'add') expected.push(store.add({ session: id, title: 't' }).id)
          else if (each.act === 'sync') {
            const list = Array.from({ length: each.which }, (_, i) => todo(`t${i}`))
            store.syncSdkTasks(id, list)
          } else if (each.act === 'restore') {
            const task = removed[each.which]
            if (task === undefined) continue
            if (!expected.includes(task.id)) expected.splice(task.sort_order, 0, task.id)
            store.restore(task)
          } else if (which !== '') {
            expected.splice(expected.indexOf(which), 1)
            if (each.act === 'remove') removed.push(store.remove(which))
            else {
              expected.splice(each.place, 0, which)
              store.move({ task: which, place: each.place })
            }
          }
          const tasks = own(store, id)
          expect(tasks.map((task) => task.id)).toEqual(expected)
          expect(tasks.map((task) => task.sort_order)).toEqual(expected.map((_, place) => place))
        }
      }),
      { numRuns: 40 }
    )
  })
})

describe('results of tools', () => {
  const result = { session: 's', tool: 't', content: 'one', isError: false, source: 'hook' as const }

  test('the last one counts, but a hook’s never replaces the agent’s', async () => {
    const store = await opened()
    expect(store.result('s', 't')).toBeNull()
    expect(store.reportResult(result)).toBe(true)
    expect(store.result('s', 't')).toEqual({
      session_id: 's',
      tool_use_id: 't',
      content: 'one',
      cut: false,
      is_error: false,
      source: 'hook',
      updated_at: 1000
    })
    expect(store.reportResult({ ...result, content: 'two' })).toBe(true)
    expect(store.reportResult({ ...result, content: 'three', isError: true, source: 'agent' })).toBe(true)
    expect(store.reportResult({ ...result, content: 'late hook' })).toBe(false)
    expect(store.result('s', 't')).toMatchObject({ content: 'three', is_error: true, source: 'agent' })
    expect(store.reportResult({ ...result, content: 'four', source: 'agent' })).toBe(true)
    expect(store.result('s', 't')).toMatchObject({ content: 'four', is_error: false })
  })

  test('a repeated result is no change', async () => {
    const store = await opened()
    store.reportResult(result)
    const once = store.result('s', 't')
    expect(store.reportResult(result)).toBe(false)
    expect(store.result('s', 't')).toEqual(once)
  })

  test('are separate by session and call', async () => {
    const store = await opened()
    store.reportResult(result)
    store.reportResult({ ...result, tool: 'u', content: 'two' })
    store.reportResult({ ...result, session: 'r', content: 'three' })
    expect([store.result('s', 't'), store.result('s', 'u'), store.result('r', 't')].map((it) => it?.content)).toEqual([
      'one',
      'two',
      'three'
    ])
  })

  test('long results are truncated between characters and marked', async () => {
    const store = await opened()
    store.reportResult({ ...result, content: 'x'.repeat(maxResultLength) })
    expect(store.result('s', 't')).toMatchObject({ cut: false })
    store.reportResult({ ...result, content: `${'x'.repeat(maxResultLength - 1)}🌍` })
    expect(store.result('s', 't')).toMatchObject({ cut: true, content: 'x'.repeat(maxResultLength - 1) })
  })

  test('old ones are deleted, tasks are not', async () => {
    const store = await opened()
    store.syncSdkTasks('s', [todo('a')])
    store.add({ session: 's', title: 'mine' })
    for (let i = 0; i < 4200; i++) store.reportResult({ ...result, tool: `t${i}` })
    const kept = Array.from({ length: 4200 }, (_, i) => i).filter((i) => store.result('s', `t${i}`) !== null)
    expect(kept.length).toBeGreaterThanOrEqual(4000)
    expect(kept.length).toBeLessThan(4100)
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 4200 - kept.length + i))
    expect(store.tasks('s')).toHaveLength(2)
  })

  test('large ones are deleted before they fill the disk', async () => {
    const store = await opened()
    const content = 'x'.repeat(maxResultLength)
    for (let i = 0; i < 192; i++) store.reportResult({ ...result, tool: `t${i}`, content })
    expect(store.result('s', 't0')).toBeNull()
    expect(store.result('s', 't191')).not.toBeNull()
    expect(statSync(path).size).toBeLessThan(210 << 20)
  })
})

describe('changes by another store', () => {
  test('are found by version and changes', async () => {
    const store = await opened()
    const other = await opened()
    const version = store.version()
    const { at } = store.changes('s', null)
    expect(store.version()).toBe(version)
    other.syncSdkTasks('s', [todo('a')])
    other.reportResult({ session: 's', tool: 't', content: '', isError: false, source: 'hook' })
    other.reportResult({ session: 'r', tool: 'u', content: '', isError: false, source: 'hook' })
    expect(store.version()).not.toBe(version)
    const changes = store.changes('s', at)
    expect(changes).toMatchObject({ tasks: true, tools: ['t'] })
    expect(store.changes('s', changes.at)).toEqual({ at: changes.at, tasks: false, tools: [] })
    expect(store.changes('r', at)).toMatchObject({ tasks: false, tools: ['u'] })
    other.add({ session: 'r', title: 'mine' })
    expect(store.changes('r', changes.at)).toMatchObject({ tasks: true, tools: [] })
  })
})

describe('the file', () => {
  test('is created with its folder for this user only', async () => {
    await opened()
    if (process.platform === 'win32') return
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(join(path, '..'))) expect(statSync(join(path, '..', name)).mode & 0o077).toBe(0)
  })

  test.each([
    ['text', (at: string) => writeFileSync(at, 'This is a diary, and no database at all.\n'.repeat(40))],
    ['a few bytes', (at: string) => writeFileSync(at, 'x')],
    ['a folder', (at: string) => mkdirSync(at)]
  ])('%s in its place is put aside, and said', async (_, make) => {
    mkdirSync(join(path, '..'), { recursive: true })
    make(path)
    const before = statSync(path).isFile() ? readFileSync(path) : null
    const store = await opened()
    store.add({ session: 's', title: 'a' })
    expect(said).toEqual([expect.stringContaining(`It was moved to ${path}.aside-1, and a new one was created.`)])
    if (before !== null) expect(readFileSync(`${path}.aside-1`)).toEqual(before)
    expect(existsSync(`${path}.lock`)).toBe(false)
    expect(titles((await opened()).tasks('s'))).toEqual(['a'])
    expect(said).toHaveLength(1)
  })

  test('the database of another program is moved aside', async () => {
    mkdirSync(join(path, '..'), { recursive: true })
    const Database = await loadDatabase()
    const other = new Database(path)
    other.exec('CREATE TABLE tasks (mine TEXT)')
    other.close()
    const store = await opened()
    expect(said).toEqual([expect.stringContaining('is not a Playhead database')])
    expect(store.tasks('s')).toEqual([])
    const aside = new Database(`${path}.aside-1`)
    expect(aside.prepare('SELECT mine FROM tasks').all()).toEqual([])
    aside.close()
  })

  test('one of a newer Playhead is not touched', async () => {
    ;(await opened()).add({ session: 's', title: 'a' })
    const Database = await loadDatabase()
    const newer = new Database(path)
    newer.pragma('user_version = 99')
    newer.close()
    await expect(opened()).rejects.toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('newer version of Playhead') })
    )
    expect(said).toEqual([])
    expect(readdirSync(join(path, '..'))).not.toContain('tasks.db.aside-1')
  })

  test('a damaged one is moved aside, and the next one too', async () => {
    for (const round of [1, 2]) {
      const first = await opened()
      for (let i = 0; i < 40; i++) first.add({ session: 's', title: 'x'.repeat(5000) })
      stores.splice(0).forEach((store) => store.close())
      const Database = await loadDatabase()
      const db = new Database(path)
      db.pragma('wal_checkpoint(TRUNCATE)')
      db.close()
      truncateSync(path, 4096 * 3)
      const store = await opened()
      expect(store.tasks('s')).toEqual([])
      store.add({ session: 's', title: 'new' })
      expect(titles(store.tasks('s'))).toEqual(['new'])
      expect(said).toHaveLength(round)
      expect(existsSync(`${path}.aside-${round}`)).toBe(true)
    }
  })

  test('a store continues after another one moved the file, or it was removed', async () => {
    const store = await opened()
    store.add({ session: 's', title: 'a' })
    for (const name of ['tasks.db', 'tasks.db-wal', 'tasks.db-shm']) rmSync(join(path, '..', name), { force: true })
    expect(store.tasks('s')).toEqual([])
    store.add({ session: 's', title: 'b' })
    expect(titles((await opened()).tasks('s'))).toEqual(['b'])
  })

  test('a read-only folder: unavailable, with its path', async () => {
    const file = join(root, `file-${count}`)
    writeFileSync(file, '')
    await expect(opened(join(file, 'tasks.db'))).rejects.toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(file) })
    )
  })

  test('a long lock of another program: unavailable after the wait, and usable later', async () => {
    const store = await opened(path, 30)
    const Database = await loadDatabase()
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    expect(store.tasks('s')).toEqual([])
    expect(() => store.add({ session: 's', title: 'a' })).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('in use by another program') })
    )
    other.exec('COMMIT')
    other.close()
    expect(store.add({ session: 's', title: 'a' }).title).toBe('a')
  })
})
