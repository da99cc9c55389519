import { expect, test } from 'vitest'
import type { Handlers } from '#contract/methods.ts'
import { HostError } from '#contract/host-error.ts'
import { noSettings, type SettingsState, viewsText } from '#contract/settings.ts'
import { testHost } from '../../../test/page/host.ts'
import { createSettingsStore } from './settings-store.ts'

const view = { name: 'Failed', query: 'status:error' }
const kept = (change: Partial<SettingsState> = {}): SettingsState => ({ ...noSettings, file: '/s.json', ...change })

function settings(handlers: Partial<Handlers>) {
  const served = testHost([], {}, handlers)
  return { ...served, store: createSettingsStore(served.host) }
}

test('shows what the host has, and what other pages change', async () => {
  const { store, say } = settings({
    'settings.get': async () => kept({ settings: { views: [view], keys: { bookmark: ['q'], find: ['q'] } } })
  })
  await store.getState().load()
  expect(store.getState().settings.views).toEqual([view])
  expect(store.getState().keys.commandOf.get('q')).toBe('bookmark')
  expect(store.getState().keys.problems).toHaveLength(1)
  say('settings.changed', kept())
  await expect.poll(() => store.getState().settings.views).toEqual([])
  expect(store.getState().keys.commandOf.get('b')).toBe('bookmark')
})

test('a change that was not saved is a fault until one is', async () => {
  let problem: string | null = 'settings.json cannot be written: the disk is full.'
  const { store } = settings({
    'settings.changeViews': async ({ add }) => {
      if (problem !== null) throw new HostError('unavailable', problem)
      return kept({ settings: { views: add, keys: {} } })
    }
  })
  expect(await store.getState().changeViews({ add: [view] })).toBe(false)
  expect(store.getState().fault).toBe(problem)
  problem = null
  expect(await store.getState().changeViews({ add: [view] })).toBe(true)
  expect(store.getState()).toMatchObject({ fault: null, settings: { views: [view] } })
})

test('imports what was exported, and says why another file is not taken', async () => {
  const { store } = settings({
    'settings.changeViews': async ({ add }) => kept({ settings: { views: add, keys: {} } })
  })
  const { importViews } = store.getState()
  expect(await importViews(viewsText([view, { name: 'b', query: 'c' }]))).toBe('2 views imported.')
  expect(store.getState().settings.views).toHaveLength(2)
  for (const text of ['', '{', 'null', '[]', '{"views":[]}', '{"views":7}', '{"views":[{"name":7}]}']) {
    expect(await importViews(text)).toMatch(/^This file has no views/)
  }
  expect(store.getState().settings.views).toHaveLength(2)
})

test('without a file the history lasts as long as the page, and is not sent', () => {
  const sent: unknown[] = []
  const { store } = settings({
    'settings.remember': async (used) => {
      sent.push(used)
      return {}
    }
  })
  for (const query of ['a', 'b', 'a']) store.getState().remember({ query })
  store.getState().remember({ command: 'find' })
  expect(store.getState().history).toEqual({ queries: ['a', 'b'], commands: ['find'] })
  expect(sent).toEqual([])
})
