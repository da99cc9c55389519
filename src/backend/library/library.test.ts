import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { LibraryStatus } from '#contract/library.ts'
import { methods } from '#contract/methods.ts'
import { everySession } from '../../../test/open-library.ts'
import { type Backend, createBackend, type HandlersOptions } from '../handlers.ts'
import { createWorker } from '../indexer/create-worker.ts'

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-library-host-')))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const fixtures = join(import.meta.dirname, '../../../test/fixtures')
const logs = join(root, 'logs')
fs.cpSync(fixtures, logs, { recursive: true })

let backend: Backend | null = null
let told: LibraryStatus[] = []
afterEach(async () => await backend?.close())

function hosted(given: Partial<HandlersOptions> = {}): Backend {
  told = []
  backend = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1.2.3', sample: null, dropUpload: true },
    recent: { list: async () => [], remember: async () => {} },
    reviews: { get: async () => ({ bookmarks: [], breakpoints: [] }), set: async () => {} },
    notify(name, payload) {
      if (name === 'library.changed') told.push(LibraryStatus.parse(payload))
    },
    cache: join(root, 'cache'),
    state: join(root, 'state'),
    libraryRoots: [logs],
    ...given
  })
  return backend
}

async function idle({ handlers }: Backend): Promise<LibraryStatus> {
  for (;;) {
    const status = await handlers['library.status']({})
    if (status.phase === 'idle') return status
    await pause(10)
  }
}

test('a host has a library once it is asked for, in a thread of its own', async () => {
  const host = hosted()
  await pause(20)
  expect(fs.existsSync(join(root, 'cache'))).toBe(false)
  const status = await idle(host)
  expect(methods['library.status'].result.parse(status)).toEqual(status)
  expect(status.roots.map(({ path, kind }) => [path, kind])).toEqual([
    [logs, 'agent'],
    [join(root, 'state/runs'), 'runs']
  ])
  expect(status.sessions).toBeGreaterThan(5)
  const overview = await host.handlers['library.overview']({ query: { ...everySession, group: 'project' } })
  expect(methods['library.overview'].result.parse(overview)).toEqual(overview)
  expect(overview.total).toBe(status.sessions)
  const { cards } = await host.handlers['library.cards']({ query: everySession, from: 0, count: 500 })
  expect(cards).toHaveLength(status.sessions)
  for (const { id, path, state } of cards) {
    const session = await host.handlers['library.session']({ session: id })
    expect(methods['library.session'].result.parse(session)).toEqual(session)
    if (state !== 'unreadable' && state !== 'empty') expect([path, session.card.counts !== null]).toEqual([path, true])
  }
  expect(told.at(-1)?.version).toBeGreaterThan(0)
  await host.handlers['library.watch']({ isShown: true })
  await host.handlers['library.pause']({ isPaused: true })
  expect((await host.handlers['library.status']({})).isPaused).toBe(true)
})

test('only files of the library are revealed, and none where no programs are started', async () => {
  const host = hosted({ noRuns: 'No programs here.' })
  await idle(host)
  const { cards } = await host.handlers['library.cards']({ query: everySession, from: 0, count: 1 })
  await expect(host.handlers['library.reveal']({ session: cards[0]?.id ?? '' })).rejects.toThrow('No programs here.')
  await host.close()
  const other = hosted()
  await expect(other.handlers['library.reveal']({ session: 'nothing' })).rejects.toMatchObject({ code: 'not-found' })
})

test('a host without a cache folder has none, and a closed one answers no more', async () => {
  const { cache: _, ...without } = { cache: '', notify: () => {} }
  const host = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1.2.3', sample: null, dropUpload: true },
    recent: { list: async () => [], remember: async () => {} },
    reviews: { get: async () => ({ bookmarks: [], breakpoints: [] }), set: async () => {} },
    ...without
  })
  await expect(host.handlers['library.status']({})).rejects.toMatchObject({ code: 'unavailable' })
  await host.close()
  const closed = hosted()
  await idle(closed)
  await closed.close()
  await expect(closed.handlers['library.status']({})).rejects.toMatchObject({ code: 'unavailable' })
})
