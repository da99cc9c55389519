import { describe, expect, it } from 'vitest'
import { type Handlers, HostError, type LogStatus } from '#contract/methods.ts'
import { type CannedRow, testHost } from '../test-host.ts'
import { createAppStore, type PathOfFile } from './app-store.ts'

const memory = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value)
  }
}

const rows: CannedRow[] = [{ kind: 'prompt' }]

/** A host with logs `open` of its own, that opens any path but "/missing", each under an id of its own. */
function hostWith(open: string[], listed = new Set(open)) {
  const starts = { count: 1 }

  const statusOf = (path: string): LogStatus => ({
    ...testHost(rows).status,
    log: `${starts.count} ${path}`,
    path,
    name: path.slice(1)
  })
  const handlers: Partial<Handlers> = {
    'log.list': async () => ({ logs: [...listed].map(statusOf) }),
    'log.open': async ({ path }) => {
      if (path === '/missing') throw new HostError('not-found', 'There is no file /missing.')
      listed.add(path)
      return statusOf(path)
    }
  }
  const recent = [statusOf('/z')].map(({ path, name }) => ({
    path,
    name,
    bytes: 1,
    format: null,
    openedAt: 0,
    events: 0,
    malformed: 0,
    violation: 0,
    todo: null
  }))
  handlers['recent.list'] = async () => ({ recent: recent.splice(0) })
  /** The host is started anew: it has no logs open, and gives other ids. */
  const restart = () => {
    listed.clear()
    starts.count++
  }
  const { host, say } = testHost(rows, {}, handlers)
  return { host, say, restart }
}

async function connected(open: string[], pathOfFile: PathOfFile = async () => null) {
  const { host, say, restart } = hostWith(open)
  const storage = memory()
  const store = createAppStore(host, { pathOfFile, storage })
  store.getState().setConnection('open')
  await expect.poll(() => store.getState().connection).toBe('open')
  const names = () => store.getState().logs.map((log) => log.name)
  const shown = () => store.getState().logs.find((log) => log.log === store.getState().active)?.name
  return { store, app: store.getState(), names, shown, restart, say, host, storage }
}

describe('the app', () => {
  it('shows the last of the logs the host has open', async () => {
    const { names, shown } = await connected(['/a', '/b'])
    expect([names(), shown()]).toEqual([['a', 'b'], 'b'])
  })

  it('opens a log and shows it; a log that is open already is shown again', async () => {
    const { store, app, names, shown } = await connected(['/a'])
    await app.openLog('/c')
    await app.openLog('/a')
    expect([names(), shown(), store.getState().opening]).toEqual([['a', 'c'], 'a', null])
  })

  it('says why a log could not be opened and leaves the others', async () => {
    const { store, app, names } = await connected(['/a'])
    await app.openLog('/missing')
    expect(store.getState().openError).toEqual({
      path: '/missing',
      code: 'not-found',
      message: 'There is no file /missing.'
    })
    expect(names()).toEqual(['a'])
    app.dismissError()
    expect(store.getState().openError).toBeNull()
  })

  it('shows another log when the one that is shown is closed', async () => {
    const { store, app, shown } = await connected(['/a', '/b'])
    await app.closeLog('1 /b')
    expect([shown(), [...store.getState().logStores.keys()]]).toEqual(['a', ['1 /a']])
    app.setDialog('filter')
    await app.closeLog('1 /a')
    expect(store.getState()).toMatchObject({ active: null, dialog: 'none' })
  })

  it('opens a log again whose reading failed, in the place of the one it was, where the person was', async () => {
    const { store, app, names, restart } = await connected(['/a'])
    const before = store.getState().logStores.get('1 /a')
    await expect.poll(() => before?.getState().isComplete).toBe(true)
    before?.getState().movePlayhead(0)
    restart()
    await app.reopenLog('1 /a')
    expect([names(), store.getState().active]).toEqual([['a'], '2 /a'])
    await expect.poll(() => store.getState().logStores.get('2 /a')?.getState().whereabouts()).not.toBeNull()
    await app.reopenLog('none')
    expect(names()).toEqual(['a'])
  })

  it('goes to the event that the host wants shown, and says so where there is none', async () => {
    const { store, say } = await connected(['/a', '/b'])
    say('log.show', { log: '1 /a', seq: 0 })
    await expect.poll(() => store.getState().active).toBe('1 /a')
    await expect.poll(() => store.getState().logStores.get('1 /a')?.getState().moved).toBe(true)
    expect(store.getState().openError).toBeNull()
    say('log.show', { log: '1 /a', seq: 9 })
    await expect.poll(() => store.getState().openError?.message).toContain('events run from 0 to 0')
  })

  it('asks again for the recent logs when they have changed', async () => {
    const { store, say } = await connected([])
    await expect.poll(() => store.getState().recent.length).toBe(1)
    say('recent.changed', {})
    await expect.poll(() => store.getState().recent.length).toBe(0)
  })

  it('opens dropped files where the host has a way to, and says so where it has none', async () => {
    const withPath = await connected([], async (file) => `/${file.name}`)
    await withPath.app.openFiles([new File([], 'x'), new File([], 'y')])
    expect(withPath.names()).toEqual(['x', 'y'])
    const without = await connected([])
    await without.app.openFiles([new File([], 'x')])
    expect(without.store.getState().openError).toMatchObject({ path: 'x', code: 'unavailable' })
  })

  it('opens again what a host that was started anew has lost', async () => {
    const { store, app, names, shown, restart } = await connected(['/a', '/b'])
    app.activate('1 /a')
    store.getState().setConnection('lost')
    restart()
    store.getState().setConnection('open')
    await expect.poll(() => [store.getState().connection, ...names()]).toEqual(['open', 'a', 'b'])
    await expect.poll(shown).toBe('a')
    expect(store.getState().active).toBe('2 /a')
  })

  it('keeps the theme', async () => {
    const { app, host, storage } = await connected([])
    app.setTheme('dark')
    expect(createAppStore(host, { pathOfFile: async () => null, storage }).getState().theme).toBe('dark')
  })
})
