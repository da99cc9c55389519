import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectHost } from '#contract/client.ts'
import { LibraryFound, LibraryStatus } from '#contract/library.ts'
import { memoryTransports } from '../../../test/memory-transport.ts'
import { type Host, methods } from '#contract/methods.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import { everySession } from '../../../test/open-library.ts'
import { type Backend, createBackend, type HandlersOptions } from '../handlers.ts'
import { createWorker } from '../indexer/create-worker.ts'

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-library-host-')))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const fixtures = join(import.meta.dirname, '../../../test/fixtures')
const logs = join(root, 'logs')
fs.cpSync(fixtures, logs, { recursive: true })

let backend: Backend | null = null
let reported: LibraryStatus[] = []
afterEach(async () => await backend?.close())

function hosted(given: Partial<HandlersOptions> = {}): Backend {
  reported = []
  backend = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1.2.3', sample: null, drops: '/drops' },
    notify(name, payload) {
      if (name === 'library.changed') reported.push(LibraryStatus.parse(payload))
    },
    cache: join(root, 'cache'),
    state: join(root, 'state'),
    libraryRoots: [logs],
    ...given
  })
  return backend
}

async function idle({ handlers }: Backend): Promise<LibraryStatus> {
  // As a page that shows it: else its counts would give way to the other tests.
  await handlers['library.watch']({ isShown: true })
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
  expect(reported.at(-1)?.version).toBeGreaterThan(0)
  await host.handlers['library.watch']({ isShown: true })
  await host.handlers['library.pause']({ isPaused: true })
  expect((await host.handlers['library.status']({})).isPaused).toBe(true)
})

describe('two pages', () => {
  let pages: ServedHost[]
  let found: LibraryFound[]
  beforeEach(() => {
    pages = []
    found = []
  })

  function page(of: Backend): { readonly host: Host; close(): void } {
    const [near, far] = memoryTransports()
    pages.push(serveHost(far, of.handlers))
    const host = connectHost(near)
    host.on('library.found', (progress) => void found.push(LibraryFound.parse(progress)))
    return { host, close: () => near.close() }
  }

  const searched = (text: string, regex = false) => ({
    ...{ where: '', without: [] },
    texts: [{ text, regex, caseSensitive: false }]
  })
  /** Lost in any line for longer than a test lasts. */
  const endless = searched('(?:.+)+[\\u0001]$', true)
  const asked = { from: 0, count: 200, perSession: 1 }

  async function over(find: number): Promise<Omit<LibraryFound, 'find'>> {
    const last = (): LibraryFound | undefined => found.findLast((progress) => progress.find === find)
    await expect.poll(() => last()?.searching, { timeout: 60_000 }).toBe(false)
    const { find: _, ...rest } = last()!
    return rest
  }

  /** A backend, how many threads of its searches have begun to listen, and how many are gone. */
  function watched(): { backend: Backend; threads: { ready: number; gone: number } } {
    const threads = { ready: 0, gone: 0 }
    const watching: typeof createWorker = (options) => {
      const worker = createWorker(options)
      if (options.name !== 'library-search') return worker
      worker.once('message', () => threads.ready++)
      worker.once('exit', () => threads.gone++)
      return worker
    }
    const notify: HandlersOptions['notify'] = (name, payload) => {
      for (const each of pages) each.notify(name, payload)
    }
    return { backend: hosted({ createWorker: watching, notify }), threads }
  }

  test('have a search each: another one, and an end, are those of one page', async () => {
    const { backend: of } = watched()
    await idle(of)
    const [{ host: one }, { host: two }] = [page(of), page(of)]
    const { find: lost } = await one.call('library.find', endless)
    const { find: theirs } = await two.call('library.find', searched('type'))
    const all = await over(theirs)
    expect(all.hits).toBeGreaterThan(100)
    const { find: next } = await one.call('library.find', searched('type'))
    expect(await over(next)).toEqual(all)
    await expect(one.call('library.hits', { find: lost, ...asked })).rejects.toMatchObject({ code: 'not-found' })
    await one.call('library.endFind', { find: next })
    await expect(one.call('library.hits', { find: next, ...asked })).rejects.toMatchObject({ code: 'not-found' })
    const { sessions } = await two.call('library.hits', { find: theirs, ...asked })
    expect(sessions).toHaveLength(Math.min(all.sessionsWithHits, asked.count))
  })

  test('end their searches, and the threads of these, when they go', async () => {
    const { backend: of, threads } = watched()
    await idle(of)
    const [gone, { host }] = [page(of), page(of)]
    const { find: lost } = await gone.host.call('library.find', endless)
    await expect.poll(() => threads.ready, { timeout: 60_000 }).toBeGreaterThan(1)
    const { find } = await host.call('library.find', searched('type'))
    await over(find)
    expect(threads.gone).toBe(0)
    gone.close()
    await expect.poll(() => threads.gone, { timeout: 60_000 }).toBeGreaterThan(0)
    await expect(host.call('library.hits', { find: lost, ...asked })).rejects.toMatchObject({ code: 'not-found' })
    expect((await host.call('library.hits', { find, ...asked })).sessions.length).toBeGreaterThan(0)
    // A page that goes before it knows the number of its search leaves none.
    const brief = page(of)
    const begun = brief.host.call('library.find', searched('user')).catch(() => null)
    brief.close()
    expect(await begun).toBeNull()
    const { find: last } = await host.call('library.find', searched('user'))
    await over(last)
    for (let before = 1; before < last; before++) {
      await expect(host.call('library.hits', { find: before, ...asked })).rejects.toMatchObject({ code: 'not-found' })
    }
  })
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
    facts: { host: 'browser', version: '1.2.3', sample: null, drops: '/drops' },
    ...without
  })
  await expect(host.handlers['library.status']({})).rejects.toMatchObject({ code: 'unavailable' })
  await host.close()
  const closed = hosted()
  await idle(closed)
  await closed.close()
  await expect(closed.handlers['library.status']({})).rejects.toMatchObject({ code: 'unavailable' })
})
