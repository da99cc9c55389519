import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SettingsState } from '#contract/settings.ts'
import { UserSettings } from './user-settings.ts'

let folder: string
let sent: SettingsState[]
let settings: UserSettings['handlers']
const file = () => join(folder, 'settings.json')

let problems: string[]
const settingsOf = (onChange: (state: SettingsState) => void = () => {}) =>
  new UserSettings(folder, { onChange, problem: (message) => problems.push(message) }).handlers

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playhead-settings-'))
  sent = []
  problems = []
  settings = settingsOf((state) => sent.push(state))
})
afterEach(() => rm(folder, { recursive: true }))

const failed = { name: 'Failed', query: 'status:error' }
const edits = { name: 'Edits', query: 'tool:edit' }

test('starts empty and keeps views, in order, for other processes', async () => {
  expect(await settings['settings.get']({})).toEqual({
    file: file(),
    settings: { views: [], keys: {} },
    history: { queries: [], commands: [] },
    prices: { table: null, problem: null },
    problem: null
  })
  await settings['settings.changeViews']({ remove: [], add: [failed, edits] })
  const changed = { name: 'FAILED ', query: 'has:error' }
  const state = await settings['settings.changeViews']({ remove: [], add: [changed] })
  expect(state.settings.views).toEqual([{ ...changed, name: 'FAILED' }, edits])
  expect(sent.at(-1)).toEqual(state)
  const other = settingsOf()
  const { settings: found } = await other['settings.changeViews']({ remove: [{ name: 'failed' }], add: [] })
  expect(found.views).toEqual([edits])
})

test('a view of sessions may have the name of one of rows', async () => {
  const sessions = { name: 'Failed', query: 'state:failed', of: 'sessions' as const }
  await settings['settings.changeViews']({ remove: [], add: [failed, sessions] })
  expect((await settings['settings.get']({})).settings.views).toEqual([failed, sessions])
  const state = await settings['settings.changeViews']({ remove: [{ name: 'failed', of: 'sessions' }], add: [] })
  expect(state.settings.views).toEqual([failed])
})

test('one view too many is refused with the number, and nothing changes', async () => {
  const views = Array.from({ length: 500 }, (_, number) => ({ name: `view ${number}`, query: 'a' }))
  await settings['settings.changeViews']({ remove: [], add: views })
  await expect(settings['settings.changeViews']({ remove: [], add: [failed] })).rejects.toThrow(
    'At most 500 views can be saved. Remove some.'
  )
  expect((await settings['settings.get']({})).settings.views).toEqual(views)
})

test('two processes lose nothing of each other', async () => {
  const other = settingsOf()
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      (number % 2 === 0 ? settings : other)['settings.changeViews']({
        remove: [],
        add: [{ name: `view ${number}`, query: 'a' }]
      })
    )
  )
  expect((await settings['settings.get']({})).settings.views).toHaveLength(20)
})

test('what a person wrote is read again, and members it does not know stay', async () => {
  await writeFile(file(), JSON.stringify({ $schema: 'x', later: 1, keys: { bookmark: ['q'] } }))
  expect((await settings['settings.get']({})).settings).toEqual({ views: [], keys: { bookmark: ['q'] } })
  await settings['settings.changeViews']({ remove: [], add: [failed] })
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({
    $schema: 'x',
    later: 1,
    keys: { bookmark: ['q'] },
    views: [failed]
  })
})

test.each([
  ['{', 'expected object'],
  ['[]', 'expected object'],
  ['{"keys":{"find":"x"}}', 'keys.find: '],
  ['{"views":[{"name":"","query":"x"}]}', 'views.0.name: ']
])('a damaged file is named, not used and not overwritten: %s', async (text, reason) => {
  await writeFile(file(), text)
  const { problem, settings: used } = await settings['settings.get']({})
  expect(problem).toContain(`${file()} is not used until it is corrected. `)
  expect(problem).toContain(reason)
  expect(used).toEqual({ views: [], keys: {} })
  await expect(settings['settings.changeViews']({ remove: [], add: [failed] })).rejects.toThrow(problem ?? '')
  expect(await readFile(file(), 'utf8')).toBe(text)
})

test('the history has the latest first, once each, and is bounded; a damaged one begins anew', async () => {
  for (const query of ['a', 'b', 'a']) await settings['settings.remember']({ query })
  await settings['settings.remember']({ command: 'find' })
  expect((await settings['settings.get']({})).history).toEqual({ queries: ['a', 'b'], commands: ['find'] })
  for (let number = 0; number < 60; number++) await settings['settings.remember']({ query: `q${number}` })
  const { queries } = (await settings['settings.get']({})).history
  expect([queries.length, queries[0], queries[49]]).toEqual([50, 'q59', 'q10'])
  await writeFile(join(folder, 'history.json'), '{"version":1,"queries":7}')
  await settings['settings.remember']({ query: 'new' })
  expect((await settings['settings.get']({})).history.queries).toEqual(['new'])
})
