import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RecentLog } from '#contract/methods.ts'
import { RecentLogs } from './recent-logs.ts'
import { stateFolder } from './state-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-recent-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function log(name: string): RecentLog {
  const path = join(folder, name)
  return { path, name, bytes: 3, format: null, openedAt: 1, events: 2, malformed: 0, violation: 0, todo: null }
}

describe('recent logs', () => {
  test('are listed once, latest first, also after a restart', async () => {
    const recent = new RecentLogs(join(folder, 'state'))
    for (const name of ['a', 'b', 'a']) {
      writeFileSync(join(folder, name), 'four')
      await recent.remember(log(name), 'opened')
    }
    const expected = [
      { ...log('a'), bytes: 4 },
      { ...log('b'), bytes: 4 }
    ]
    expect(await recent.list()).toEqual(expected)
    expect(await new RecentLogs(join(folder, 'state')).list()).toEqual(expected)
    expect(readdirSync(join(folder, 'state'))).toEqual(['recent-logs.json'])
  })

  test('that have grown keep their places with current counts; forgotten ones stay forgotten', async () => {
    const recent = new RecentLogs(folder)
    await recent.remember(log('a'), 'opened')
    await recent.remember(log('b'), 'opened')
    const grown = { ...log('a'), openedAt: 2, events: 5, malformed: 1, todo: { completed: 1, total: 3 } }
    await recent.remember(grown, 'grown')
    expect((await recent.list()).map(({ name, openedAt, events }) => [name, openedAt, events])).toEqual([
      ['b', 1, 2],
      ['a', 1, 5]
    ])
    await recent.clear()
    await recent.remember(grown, 'grown')
    expect(await recent.list()).toEqual([])
  })

  test('can be cleared', async () => {
    const recent = new RecentLogs(folder)
    await recent.remember(log('a'), 'opened')
    await recent.clear()
    expect([await recent.list(), await new RecentLogs(folder).list()]).toEqual([[], []])
    await recent.remember(log('b'), 'opened')
    expect((await new RecentLogs(folder).list()).map(({ name }) => name)).toEqual(['b'])
  })

  test('of two Playheads are merged, and cleared ones do not return', async () => {
    const [one, other] = [new RecentLogs(folder), new RecentLogs(folder)]
    await Promise.all([one.list(), other.list()])
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).remember(log(`${i}`), 'opened')))
    const names = (await one.list()).map(({ name }) => Number(name)).sort((a, b) => a - b)
    expect(names).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(await other.list()).toEqual(await one.list())
    await one.clear()
    await other.remember(log('after'), 'opened')
    expect((await one.list()).map(({ name }) => name)).toEqual(['after'])
    expect(readdirSync(folder)).toEqual(['recent-logs.json'])
  })

  test('an abandoned lock is removed', async () => {
    const lock = join(folder, 'recent-logs.json.lock')
    writeFileSync(lock, '')
    utimesSync(lock, 1, 1)
    await Promise.all([
      new RecentLogs(folder).remember(log('a'), 'opened'),
      new RecentLogs(folder).remember(log('b'), 'opened')
    ])
    expect(await new RecentLogs(folder).list()).toHaveLength(2)
    expect(readdirSync(folder)).toEqual(['recent-logs.json'])
  })

  test('show that a file is gone', async () => {
    const recent = new RecentLogs(folder)
    await recent.remember(log('never there'), 'opened')
    expect(await recent.list()).toEqual([{ ...log('never there'), bytes: null }])
  })

  test('are at most thirty', async () => {
    const recent = new RecentLogs(folder)
    await Promise.all(Array.from({ length: 40 }, (_, i) => recent.remember(log(`${i}`), 'opened')))
    const names = (await new RecentLogs(folder).list()).map(({ name }) => name)
    expect([names.length, names[0]]).toEqual([30, '39'])
  })

  test.each(['', 'not json', '[]', '{"version":9,"recent":[]}'])(
    'a file that holds %j counts as empty and is written anew',
    async (content) => {
      writeFileSync(join(folder, 'recent-logs.json'), content)
      const recent = new RecentLogs(folder)
      expect(await recent.list()).toEqual([])
      await recent.remember(log('a'), 'opened')
      expect(JSON.parse(readFileSync(join(folder, 'recent-logs.json'), 'utf8'))).toMatchObject({
        recent: [{ name: 'a' }]
      })
    }
  )

  test('with a read-only folder they stay in memory, with an error', async () => {
    mkdirSync(join(folder, 'recent-logs.json'))
    const recent = new RecentLogs(folder)
    await expect(recent.remember(log('a'), 'opened')).rejects.toThrow(
      `${join(folder, 'recent-logs.json')} cannot be written: it is a folder.`
    )
    expect(await recent.list()).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(['recent-logs.json'])
  })
})

describe('the state folder', () => {
  test.each<[NodeJS.ProcessEnv, NodeJS.Platform, string]>([
    [{ PLAYHEAD_STATE_DIR: '/s', XDG_STATE_HOME: '/x' }, 'linux', '/s'],
    [{ XDG_STATE_HOME: '/x' }, 'linux', join('/x', 'playhead')],
    [{ XDG_STATE_HOME: '' }, 'linux', join(homedir(), '.local', 'state', 'playhead')],
    [{}, 'darwin', join(homedir(), 'Library', 'Application Support', 'Playhead')],
    [{ APPDATA: '/roaming' }, 'win32', join('/roaming', 'Playhead')]
  ])('%j on %s', (env, platform, expected) => {
    expect(stateFolder(env, platform)).toBe(expected)
  })
})
