import { describe, expect, it } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Host, LogStatus } from '#contract/methods.ts'
import { type CannedRow, testHandlers, testHost } from '../../../test/page/host.ts'
import { listOf, runsHost, testRun } from '../../../test/page/runs.ts'
import { createAppStore } from './app-store.ts'
import { givenFiles } from './given-files.ts'
import type { FileAccess } from './opening-files.ts'

const memory = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value)
  }
}

const rows: CannedRow[] = [{ kind: 'prompt' }]

/** A host with logs `open`, which opens any path but "/missing" with a new id. */
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
  /** Restarts the host: it has no open logs and assigns other ids. */
  const restart = () => {
    listed.clear()
    starts.count++
  }
  const { host, say } = testHost(rows, {}, handlers)
  return { host, say, restart }
}

async function connected(open: string[], files?: FileAccess) {
  const { host, say, restart } = hostWith(open)
  const storage = memory()
  const store = createAppStore(host, { ...(files && { files }), storage })
  store.getState().setConnection('open')
  await expect.poll(() => store.getState().connection).toBe('open')
  const names = () => store.getState().logs.map((log) => log.name)
  const shown = () => store.getState().logs.find((log) => log.log === store.getState().active)?.name
  return { store, app: store.getState(), names, shown, restart, say, host, storage }
}

describe('the app', () => {
  it('shows the last open log of the host', async () => {
    const { names, shown } = await connected(['/a', '/b'])
    expect([names(), shown()]).toEqual([['a', 'b'], 'b'])
  })

  it('opens and shows a log; an open log is only shown', async () => {
    const { store, app, names, shown } = await connected(['/a'])
    await app.openLog('/c')
    await app.openLog('/a')
    expect([names(), shown(), store.getState().opening]).toEqual([['a', 'c'], 'a', null])
  })

  it('reports an error when a log cannot be opened, and keeps the others', async () => {
    const { store, app, names } = await connected(['/a'])
    await app.openLog('/missing')
    expect(store.getState().openError).toEqual({
      path: '/missing',
      code: 'not-found',
      message: 'There is no file /missing.'
    })
    expect(names()).toEqual(['a'])
    app.dismissTyped()
    expect(store.getState().openError).toBeNull()
  })

  it('shows another log when the shown one is closed', async () => {
    const { store, app, shown } = await connected(['/a', '/b'])
    await app.closeLog('1 /b')
    expect([shown(), [...store.getState().logStores.keys()]]).toEqual(['a', ['1 /a']])
    app.setDialog('filter')
    await app.closeLog('1 /a')
    expect(store.getState()).toMatchObject({ active: null, dialog: 'none' })
  })

  it('opens a failed log again at the same place', async () => {
    const { store, app, names, restart } = await connected(['/a'])
    const before = store.getState().logStores.get('1 /a')
    await expect.poll(() => before?.getState().isComplete).toBe(true)
    before?.getState().playhead.placeEvent(0)
    restart()
    await app.reopenLog('1 /a')
    expect([names(), store.getState().active]).toEqual([['a'], '2 /a'])
    await expect.poll(() => store.getState().logStores.get('2 /a')?.getState().resuming.currentPlace()).not.toBeNull()
    await app.reopenLog('none')
    expect(names()).toEqual(['a'])
  })

  it('goes to the event that the host shows, or reports that there is none', async () => {
    const { store, say } = await connected(['/a', '/b'])
    say('log.show', { log: '1 /a', seq: 0 })
    await expect.poll(() => store.getState().active).toBe('1 /a')
    await expect.poll(() => store.getState().logStores.get('1 /a')?.getState().moved).toBe(true)
    expect(store.getState().openError).toBeNull()
    say('log.show', { log: '1 /a', where: 'kind:prompt' })
    await expect.poll(() => store.getState().logStores.get('1 /a')?.getState().filter.text).toBe('kind:prompt')
    say('log.show', { log: '1 /a', seq: 9 })
    await expect.poll(() => store.getState().openError?.message).toContain('events run from 0 to 0')
  })

  it('loads the recent logs again when they have changed', async () => {
    const { store, say } = await connected([])
    await expect.poll(() => store.getState().recent.length).toBe(1)
    say('recent.changed', {})
    await expect.poll(() => store.getState().recent.length).toBe(0)
  })

  it('opens dropped files by path, or reports that the host accepts none', async () => {
    const withPath = await connected([], { pathOf: (file) => (file.name === 'memory' ? null : `/${file.name}`) })
    await withPath.app.openFiles(givenFiles([new File([], 'x')]))
    expect(withPath.names()).toEqual(['x'])
    await withPath.app.openFiles(givenFiles([new File([], 'y'), new File([], 'memory')]))
    expect(withPath.store.getState().openError).toMatchObject({ path: 'y', code: 'unavailable' })
    const without = await connected([])
    await without.app.openFiles(givenFiles([new File([], 'x')]))
    expect(without.store.getState().openError).toMatchObject({ path: 'x', code: 'unavailable' })
  })

  it('opens logs again after a restart of the host', async () => {
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
    expect(createAppStore(host, { storage }).getState().theme).toBe('dark')
  })
})

describe('live runs', () => {
  async function runsOf(runs: readonly LiveRun[], handlers: Partial<Handlers> = {}) {
    const opened: { path: string; format?: string | undefined }[] = []
    const host = runsHost(runs, { handlers })
    const listening = {
      ...host.host,
      call: ((method, params) => {
        if (method === 'log.open') opened.push(params as { path: string })
        return host.host.call(method, params)
      }) as Host['call']
    }
    const store = createAppStore(listening, { storage: memory() })
    store.getState().setConnection('open')
    await expect.poll(() => store.getState().connection).toBe('open')
    const paths = () => store.getState().logs.map(({ path }) => path)
    const shown = () =>
      store
        .getState()
        .logStores.get(store.getState().active ?? '')
        ?.getState()
    return { host, store, app: store.getState(), opened, paths, shown }
  }

  it('are known when the page is first shown, and open in their format, at the end while running', async () => {
    const over = testRun({ run: 'b', state: 'ended', format: 'codex-exec-json' })
    const { store, app, opened, shown } = await runsOf([testRun({ run: 'a' }), over])
    expect(app.liveRuns.getState().runs.length).toBe(2)
    await app.openRun(testRun({ run: 'a' }))
    expect([opened.at(-1), shown()?.following]).toEqual([
      { path: '/state/runs/a/stdout.jsonl', format: 'claude-stream-json' },
      true
    ])
    await app.openLog(over.recording)
    expect([opened.at(-1)?.format, shown()?.following]).toEqual(['codex-exec-json', false])
    await app.openLog('/logs/other.jsonl')
    expect(opened.at(-1)).toEqual({ path: '/logs/other.jsonl' })
    expect(store.getState().openError).toBeNull()
  })

  it('are started by the form, which closes, and shown', async () => {
    const { store, app, paths } = await runsOf([])
    await app.openLog('/logs/other.jsonl')
    app.showRunForm()
    expect(store.getState().dialog).toBe('new-run')
    await app.startRun(false)
    expect(store.getState().dialog).toBe('new-run')
    app.newRun.getState().change({ prompt: 'Do it', cwd: '/home/me' })
    await app.startRun(false)
    expect(store.getState().dialog).toBe('none')
    expect(paths()).toEqual(['/logs/other.jsonl', '/state/runs/started-1/stdout.jsonl'])
  })

  it('are not requested in a dialog when the form is on the page', async () => {
    const { store, app } = await runsOf([])
    app.showRunForm()
    expect([store.getState().dialog, app.newRun.getState().focusRequests]).toEqual(['none', 1])
  })

  it('are started again at once, or the form shows why not', async () => {
    const run = testRun({ run: 'a', state: 'lost' })
    const { host, store, app, paths } = await runsOf([run])
    await app.runAgain(run)
    expect(paths()).toEqual(['/state/runs/started-1/stdout.jsonl'])
    expect(app.liveRuns.getState().seen.has('a')).toBe(true)
    await app.runAgain(testRun({ run: 'b', mode: 'anything' }))
    expect([store.getState().dialog, host.started.length]).toEqual(['new-run', 1])
    expect(app.newRun.getState().asking).toContain('Skip permissions')
  })

  it('are closed when they are deleted', async () => {
    const run = testRun({ run: 'a', state: 'ended' })
    const { host, app, paths } = await runsOf([run])
    await app.openRun(run)
    await app.removeRun(run)
    expect([host.removed, paths(), app.liveRuns.getState().runs]).toEqual([['a'], [], []])
  })

  it('are not loaded on a host without runs', async () => {
    let asked = 0
    const { app } = await runsOf([], {
      'host.capabilities': testHandlers([])['host.capabilities'],
      'run.list': async () => {
        asked++
        return listOf([])
      }
    })
    expect([app.liveRuns.getState().runsError, asked]).toEqual([null, 0])
  })
})
