import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WindowMemory } from './desktop/window-place.ts'
import { AddedFolders } from './library/added-folders.ts'
import { Agents } from './live-runs/agents.ts'
import { RecentLogs } from './recent-logs.ts'
import { Reviews } from './reviews.ts'
import { UserSettings } from './user-settings.ts'

/** All state files that people's choices are in: docs/stored-data.md. */

let folder: string
let problems: string[]
const problem = (message: string): void => void problems.push(message)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-state-'))
  problems = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const place = { file: null, line: 3, ordinal: 0, kind: 'tool' as const, time: 5, text: 'npm test' }
const recent = (name: string) => ({
  ...{ path: `/logs/${name}`, name, bytes: null, format: null, openedAt: 1, events: 1, malformed: 0, violation: 0 },
  todo: null
})
const agents = () => new Agents({ state: folder, variables: { PATH: '' }, platform: 'linux', problem })
const settings = () => new UserSettings(folder, { onChange: () => {}, problem }).handlers
const screen = [{ x: 0, y: 0, width: 2000, height: 2000 }]

interface Kept {
  readonly file: string
  /** Adds an entry, in a new process. */
  add(name: string): Promise<unknown>
  /** The names of the entries. */
  list(): Promise<readonly string[]>
  /** The member with the entries; null: no list and no table. */
  readonly member: string | null
  /** Holds one entry at most. */
  readonly isSingle?: true
  /** A person edits it, so an invalid one is refused, and stays. */
  readonly isEdited?: true
}

const files: Record<string, Kept> = {
  'the review of a log': {
    file: 'reviews/',
    member: 'bookmarks',
    add: async (name) =>
      await new Reviews(folder, problem).change('/log', ({ bookmarks, breakpoints }) => ({
        bookmarks: [...bookmarks, { id: name, place, note: name }],
        breakpoints
      })),
    list: async () => (await new Reviews(folder, problem).get('/log')).bookmarks.map(({ note }) => note)
  },
  'the programs of agents': {
    file: 'agents.json',
    member: 'commands',
    isSingle: true,
    add: async (name) => await agents().setCommand('claude', name),
    list: async () => [(await agents().find('claude')).chosen].filter((name) => name !== null)
  },
  'the folders of the library': {
    file: 'library-folders.json',
    member: 'folders',
    add: async (name) => await new AddedFolders(folder, problem).add(name),
    list: async () => await new AddedFolders(folder, problem).list()
  },
  'the history': {
    file: 'history.json',
    member: 'queries',
    add: async (name) => await settings()['settings.remember']({ query: name }),
    list: async () => (await settings()['settings.get']({})).history.queries
  },
  'the recent logs': {
    file: 'recent-logs.json',
    member: 'recent',
    add: async (name) => await new RecentLogs(folder, problem).remember(recent(name), 'opened'),
    list: async () => (await new RecentLogs(folder, problem).list()).map(({ name }) => name)
  },
  'the place of the window': {
    file: 'window.json',
    member: null,
    isSingle: true,
    add: async (name) => {
      const failed = new WindowMemory(folder, problem).keep({ x: name.length, y: 0, width: 900, height: 700 }, false)
      if (failed !== null) throw new Error(failed)
    },
    list: async () => {
      const { x } = new WindowMemory(folder, problem).place(screen)
      return x === undefined ? [] : ['x'.repeat(x)]
    }
  },
  'the settings': {
    file: 'settings.json',
    member: null,
    isEdited: true,
    add: async (name) => await settings()['settings.changeViews']({ remove: [], add: [{ name, query: 'a' }] }),
    list: async () => {
      const { settings: used, problem: why } = await settings()['settings.get']({})
      if (why !== null) problem(why)
      return used.views.map(({ name }) => name)
    }
  }
}

describe.each(Object.entries(files))('%s', (_, { file: shown, add, list, member, isSingle, isEdited }) => {
  /** A review's name is a hash. */
  const file = (): string => {
    if (shown !== 'reviews/') return join(folder, shown)
    const [name = ''] = readdirSync(join(folder, 'reviews')).toSorted()
    return join(folder, 'reviews', name.replace(/\.json\..*$/, '.json'))
  }
  const text = (path = file()): string => readFileSync(path, 'utf8')
  /** The files beside it. */
  const beside = (): string[] => {
    const own = file()
    const names = readdirSync(dirname(own)).map((name) => join(dirname(own), name))
    return names.filter((name) => name.startsWith(`${own}.`)).toSorted()
  }

  test('is as it was written', async () => {
    await add('x')
    await add('xx')
    expect((await list()).toSorted()).toEqual(isSingle ? ['xx'] : ['x', 'xx'])
    expect([problems, beside()]).toEqual([[], []])
  })

  test('is kept beside the new one wherever it is cut, and told', async () => {
    await add('x')
    const whole = text()
    const cuts = Array.from({ length: 20 }, (_, i) =>
      whole.slice(0, Math.floor((i * (whole.trimEnd().length - 1)) / 20))
    )
    const found = new Set<string>()
    for (const cut of [...cuts, '\0'.repeat(whole.length), '[]', '7', '{"version":"1"}']) {
      problems = []
      writeFileSync(file(), cut)
      expect(await list()).toEqual([])
      expect([text(), beside().length]).toEqual([cut, found.size])
      expect(problems.join()).toContain(file())
      if (isEdited) {
        await expect(add('xx')).rejects.toThrow('is not used until it is corrected')
        expect(text()).toBe(cut)
        continue
      }
      expect(problems.join()).toContain(`The next change keeps a copy as ${file()}.aside-${found.size + 1}.`)
      problems = []
      await add('xx')
      found.add(cut)
      expect(await list()).toEqual(['xx'])
      expect(new Set(beside().map((path) => text(path)))).toEqual(found)
      const told = problems.find((message) => message.includes('It is kept as '))
      const aside = /kept as (\S+), and a new file takes its place/.exec(told ?? '')?.[1] ?? ''
      expect([told?.startsWith(`${file()} is damaged (`), text(aside)]).toEqual([true, cut])
    }
  })

  test('of a newer Playhead is not changed by reading, and kept beside by a change', async () => {
    if (isEdited) return
    await add('x')
    const newer = JSON.stringify({ version: 2, [member ?? 'x']: { new: 'shape' } })
    writeFileSync(file(), newer)
    expect(await list()).toEqual([])
    expect([text(), beside()]).toEqual([newer, []])
    expect(problems[0]).toContain(`${file()} was written by a newer version of Playhead (version 2). It is not used: `)
    await add('xx')
    expect(await list()).toEqual(['xx'])
    expect(beside().map((path) => [path, text(path)])).toEqual([[`${file()}.aside-1`, newer]])
  })

  test('keeps members and entries that it does not know', async () => {
    await add('x')
    const before = JSON.parse(text()) as Record<string, unknown>
    const strange =
      member === null
        ? {}
        : {
            [member]: Array.isArray(before[member])
              ? [...before[member], { new: 1 }]
              : { ...(before[member] as object), new: { deep: 1 } }
          }
    writeFileSync(file(), JSON.stringify({ ...before, later: [1], toString: 'x', ...strange }))
    expect(await list()).toEqual(['x'])
    if (member !== null)
      expect(problems.join()).toContain(
        `${file()} has 1 entry that this version of Playhead does not understand. The file keeps it.`
      )
    await add('xx')
    const after = JSON.parse(text()) as Record<string, unknown>
    expect([after['later'], after['toString']]).toEqual([[1], 'x'])
    if (member !== null)
      expect(JSON.stringify(after[member])).toContain(Array.isArray(after[member]) ? '{"new":1}' : '"new":{"deep":1}')
    expect(beside()).toEqual([])
  })

  test('loses nothing of 40 changes of each of two Playheads', async () => {
    if (isSingle) return
    const names = Array.from({ length: 40 }, (_, i) => `${i}`)
    const limit = shown === 'recent-logs.json' ? 30 : shown === 'history.json' ? 50 : 80
    const one = names.map((name) => `a${name}`)
    const other = names.map((name) => `b${name}`)
    await Promise.all(
      [one, other].map(async (own) => {
        for (const name of own) await add(name)
      })
    )
    const found = await list()
    expect(found).toHaveLength(limit)
    expect(new Set(found).size).toBe(limit)
    if (limit === 80) expect(found.toSorted()).toEqual([...one, ...other].toSorted())
    expect([problems, beside()]).toEqual([[], []])
  })
})

test('a member of a known entry that only a newer Playhead knows stays', async () => {
  const file = join(folder, 'recent-logs.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify({ version: 1, recent: [{ ...recent('a'), pinned: true }] }))
  const logs = new RecentLogs(folder, problem)
  await logs.remember(recent('b'), 'opened')
  await logs.remember({ ...recent('a'), events: 9 }, 'opened')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    recent: [{ name: 'a', events: 9, pinned: true }, { name: 'b' }]
  })
})
