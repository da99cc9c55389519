import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { looking } from '#backend/indexer/indexer-messages.ts'
import { v8Flags } from '#backend/indexer/log-worker.ts'
import { connectHost } from '#contract/client.ts'
import type { Host, LogStatus } from '#contract/methods.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport } from '#contract/port-transport.ts'
import packaging from '../../packaging/electron-builder.config.js'
import { fakeElectron, FakeContents, type FakeMenuItem, FakePageWindow } from './fake-electron.ts'

vi.mock(import('node:v8'), async (original) => ({ ...(await original()), setFlagsFromString: vi.fn() }))

const record = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
let folder = ''
let log = ''
let argv: string[] = []

type App = ReturnType<typeof fakeElectron>['electron']

/** The apps that a test has started. */
const apps: App[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead électron '))
  log = join(folder, 'a run.jsonl')
  writeFileSync(log, `${record}\n`)
  vi.stubEnv('PLAYHEAD_STATE_DIR', join(folder, 'state'))
  vi.stubEnv('PLAYHEAD_CACHE_DIR', join(folder, 'cache'))
  argv = process.argv
  process.argv = ['electron', '.', '--no-sandbox', log]
})
afterEach(async () => {
  // What an app still writes would stand in the way of removing the folder, and be another test's.
  await Promise.all(apps.splice(0).map(endOf))
  process.argv = argv
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.doUnmock('electron')
  vi.resetModules()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts main, then the preload in its window, then connects as the page would. */
async function boot(options: Parameters<typeof fakeElectron>[0] = {}) {
  const fake = fakeElectron(options)
  vi.doMock('electron', () => fake.electron)
  await import('../../src/main/index.ts')
  apps.push(fake.electron)
  await until(() => expect(fake.windows[0]?.webContents.getURL()).toBe('playhead://app/'))
  const page = new FakePageWindow()
  vi.stubGlobal('window', page)
  await import('../../src/preload/index.ts')
  const host: Host = connectHost(portTransport(page.askForPort()), { checkResults: true })
  const [window] = fake.windows
  if (!window) throw new Error('there is no window')
  return { ...fake, page, host, window, contents: window.webContents }
}

/** However slow the machine is. */
function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, 120_000)
}

/** Quits, unless it has, and waits until it is over: then nothing of it goes on in the next test. */
async function endOf({ app }: App): Promise<void> {
  app.emit('will-quit', { preventDefault() {} })
  await until(() => expect(app.exit).toHaveBeenCalled())
}

/** The log's status once it is read. */
async function read(host: Host, id: string): Promise<LogStatus> {
  return until(async () => {
    const status = await host.call('log.status', { log: id })
    expect(status.phase).toBe('done')
    return status
  })
}

describe('the contract through main and preload', () => {
  test('the log of the command line is open, and its columns come through the port', async () => {
    const { host, electron } = await boot()
    expect(electron.app.requestSingleInstanceLock).toHaveBeenCalledWith({ files: [log], links: [] })
    const { logs } = await host.call('log.list', {})
    expect(logs.map((status) => status.path)).toEqual([log])
    const status = await read(host, logs[0]?.log ?? '')
    expect([status.lines, status.format]).toEqual([1, 'claude-stream-json'])
    const columns = await host.call('log.columns', { log: status.log, from: 0, count: 10 })
    expect([...new Uint32Array(columns.line)]).toEqual([1])
  })

  test('the host returns its capabilities and shows native dialogs', async () => {
    const { host } = await boot()
    expect(await host.call('host.capabilities', {})).toMatchObject({
      host: 'electron',
      version: '9.9.9',
      openDialog: true,
      drops: null,
      sample: expect.stringMatching(/resources.sample-run\.jsonl$/)
    })
    expect(await host.call('dialog.open', { what: 'files' })).toEqual({ paths: ['/logs/chosen.jsonl'] })
    expect(await host.call('dialog.open', { what: 'folder' })).toEqual({ paths: ['/logs/chosen.jsonl'] })
  })

  test('a second start shows its file in the first', async () => {
    const { host, electron, window } = await boot()
    const other = join(folder, 'other.jsonl')
    writeFileSync(other, `${record}\n`)
    const shown = new Promise<string>((resolve) => host.on('log.show', (notice) => resolve(notice.log)))
    window.minimized = true
    electron.app.emit('second-instance', {}, [], folder, { files: [other], links: [] })
    expect((await read(host, await shown)).path).toBe(other)
    expect([window.restore.mock.calls.length, window.focus.mock.calls.length]).toEqual([1, 1])
    electron.app.emit('second-instance', {}, [], folder, { files: [join(folder, 'missing.jsonl')], links: [] })
    await until(() => expect(electron.dialog.showErrorBox).toHaveBeenCalledOnce())
    electron.app.emit('second-instance', {}, [], folder, { files: [7] })
    expect((await host.call('log.list', {})).logs).toHaveLength(2)
  })

  test('a file of the system, before or after the app is ready, is opened once', async () => {
    const [early, late] = [join(folder, 'early.jsonl'), join(folder, 'late.jsonl')]
    for (const path of [early, late]) writeFileSync(path, `${record}\n`)
    const { host, electron } = await boot({
      onStep: (step, { app }) => step === 'starting' && app.emit('open-file', { preventDefault() {} }, early)
    })
    const shown: string[] = []
    host.on('log.show', (notice) => shown.push(notice.log))
    electron.app.emit('open-file', { preventDefault() {} }, late)
    const paths = async () => (await host.call('log.list', {})).logs.map(({ path }) => path)
    await until(async () => expect(await paths()).toEqual([log, early, late]))
    await until(() => expect(shown).toHaveLength(1))
    expect((await read(host, shown[0] ?? '')).path).toBe(late)
  })

  test('requests during the start are served once, in order', async () => {
    const step = { starting: 1, ready: 2, window: 3, loading: 4 }
    const path = (name: string): string => join(folder, `${name}.jsonl`)
    const opened = Object.keys(step).flatMap((name) => [path(`${name}-1`), path(`${name}-2`)])
    for (const each of opened) writeFileSync(each, `${record}\n`)
    const { host, electron, window } = await boot({
      onStep(name, { app, dialog }) {
        dialog.showMessageBox.mockResolvedValue({ response: 0 })
        const event = { preventDefault: vi.fn() }
        // The event of a second start comes after ready (electron.d.ts, 'second-instance').
        if (name === 'starting') app.emit('open-file', event, path(`${name}-1`))
        else app.emit('second-instance', {}, [], folder, { files: [path(`${name}-1`)], links: [] })
        app.emit('open-file', event, path(`${name}-2`))
        app.emit('open-url', event, `playhead://open?path=${encodeURIComponent(path(`${name}-2`))}&seq=${step[name]}`)
        expect(event.preventDefault).toHaveBeenCalledTimes(name === 'starting' ? 3 : 2)
      }
    })
    const shown: unknown[] = []
    host.on('log.show', ({ seq }) => shown.push(seq))
    await until(() => expect(shown.filter((seq) => seq !== undefined)).toEqual([1, 2, 3, 4]))
    const { logs } = await host.call('log.list', {})
    expect(logs.map((status) => status.path)).toEqual([log, ...opened])
    expect(electron.dialog.showMessageBox).toHaveBeenCalledTimes(4)
    expect(window.focus).toHaveBeenCalled()
    electron.app.emit('second-instance', {}, [], folder, { files: [path('ready-1')], links: [] })
    const before = shown.length
    await until(() => expect(shown).toHaveLength(before + 1))
  })

  test('V8 gets the heap flags before any thread starts', async () => {
    const told = vi.mocked(setFlagsFromString).mockClear()
    const begun = vi.spyOn(Worker.prototype, 'postMessage')
    await boot()
    expect(told.mock.calls).toEqual([[v8Flags]])
    expect(told.mock.invocationCallOrder[0]).toBeLessThan(begun.mock.invocationCallOrder[0] ?? 0)
  })

  test('on Windows the app has the id of its shortcut', async () => {
    for (const platform of ['win32', 'linux', 'darwin'] as const) {
      vi.resetModules()
      const fake = fakeElectron({ primary: false })
      vi.doMock('electron', () => fake.electron)
      const own = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
      Object.defineProperty(process, 'platform', { ...own, value: platform })
      await import('../../src/main/index.ts').finally(() => Object.defineProperty(process, 'platform', own))
      expect(fake.electron.app.setAppUserModelId.mock.calls).toEqual(platform === 'win32' ? [[packaging.appId]] : [])
    }
  })

  test('a packed app registers for links, after --; a checkout does not', async () => {
    for (const isPackaged of [true, false]) {
      vi.resetModules()
      const fake = fakeElectron({ primary: false, isPackaged })
      vi.doMock('electron', () => fake.electron)
      const link = 'playhead://open?path=/a'
      process.argv = [...(isPackaged ? ['playhead'] : ['electron', '.']), '--', link, '--gpu-launcher=cmd', '/b']
      Object.assign(process, { resourcesPath: folder })
      await import('../../src/main/index.ts')
      const { setAsDefaultProtocolClient, requestSingleInstanceLock } = fake.electron.app
      expect(setAsDefaultProtocolClient.mock.calls).toEqual(isPackaged ? [['playhead', process.execPath, ['--']]] : [])
      expect(requestSingleInstanceLock).toHaveBeenCalledWith({ files: [], links: [link] })
    }
  })

  test('a failed start ends the process', async () => {
    const fake = fakeElectron()
    fake.electron.app.whenReady = async () => Promise.reject(new Error('no display'))
    vi.doMock('electron', () => fake.electron)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await import('../../src/main/index.ts')
    await until(() => expect(fake.electron.app.exit).toHaveBeenCalledWith(1))
  })

  test('closing a window before its page is loaded is no failure', async () => {
    const fake = fakeElectron({ closesEarly: true })
    apps.push(fake.electron)
    vi.doMock('electron', () => fake.electron)
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    await import('../../src/main/index.ts')
    await until(() => expect(fake.windows).toHaveLength(1))
    await new Promise((resolve) => setImmediate(resolve))
    expect([fake.electron.app.exit.mock.calls, said.mock.calls]).toEqual([[], []])
  })

  test('a second start itself opens nothing', async () => {
    const fake = fakeElectron({ primary: false })
    vi.doMock('electron', () => fake.electron)
    await import('../../src/main/index.ts')
    expect(fake.electron.app.quit).toHaveBeenCalledOnce()
    expect(fake.windows).toEqual([])
  })

  test('the page gets only a port and paths of dropped files', async () => {
    const { exposed, page } = await boot()
    expect(Object.keys(exposed)).toEqual(['playheadFiles'])
    expect(Object.keys(exposed['playheadFiles'] ?? {})).toEqual(['pathOf'])
    expect(exposed['playheadFiles']?.pathOf({ path: '/logs/dropped.jsonl' })).toBe('/logs/dropped.jsonl')
    const posted = { message: { type: portMessage }, origin: 'playhead://app', ports: [expect.anything()] }
    expect(page.posted).toEqual([posted])
    // One that lost its port gets another; who else posts into the window gets none.
    page.askForPort()
    page.dispatchEvent(Object.assign(new Event('message'), { source: null, data: { type: portMessage }, ports: [] }))
    page.postMessage('hello', 'playhead://app')
    expect(page.posted).toEqual([posted, posted])
  })
})

describe('access', () => {
  test('the page has no Node, no shared world and a sandboxed process', async () => {
    const { window, electron, schemes } = await boot()
    const { preload, ...preferences } = window.options.webPreferences
    expect(basename(String(preload))).toBe('index.cjs')
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      navigateOnDragDrop: false,
      webviewTag: false,
      spellcheck: false
    })
    expect(electron.app.enableSandbox).toHaveBeenCalledOnce()
    expect(schemes).toEqual([
      { scheme: 'playhead', privileges: { standard: true, secure: true, supportFetchAPI: true } }
    ])
  })

  test('only the main frame of our page gets a port', async () => {
    const { contents, page, send } = await boot()
    const posted: string[] = []
    const frame = (url: string) => ({ url, parent: contents.mainFrame, postMessage: () => void posted.push(url) })
    send(portMessage, contents, null)
    send(portMessage, contents, frame('playhead://app/'))
    const { mainFrame } = contents
    for (const url of ['https://evil.example/', 'playhead://app.evil.example/', 'playhead://other/', 'file:///x', '']) {
      mainFrame.url = url
      send(portMessage, contents, mainFrame)
    }
    expect(posted).toEqual([])
    expect(page.posted).toHaveLength(1)
  })

  test('navigation, frames, redirects and webviews are denied', async () => {
    const { contents } = await boot()
    const stopped = (name: string, details: object = {}): boolean => contents.isStopped(name, details)
    for (const url of ['https://evil.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'playhead://other/']) {
      expect([url, stopped('will-navigate', { url })]).toEqual([url, true])
      expect([url, stopped('will-frame-navigate', { url, isMainFrame: true })]).toEqual([url, true])
    }
    expect(stopped('will-navigate', { url: 'playhead://app/' })).toBe(false)
    expect(stopped('will-frame-navigate', { url: 'playhead://app/', isMainFrame: false })).toBe(true)
    expect(stopped('will-redirect')).toBe(true)
    expect(stopped('will-attach-webview')).toBe(true)
  })

  test('new windows are denied; a web address opens outside after a question', async () => {
    const { contents, electron } = await boot()
    const { showMessageBox } = electron.dialog
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share', 'not a url']) {
      expect(contents.openHandler({ url })).toEqual({ action: 'deny' })
    }
    expect(showMessageBox).not.toHaveBeenCalled()
    expect(contents.openHandler({ url: 'https://example.org/a' })).toEqual({ action: 'deny' })
    await until(() => expect(showMessageBox).toHaveBeenCalledOnce())
    // One question at a time, however many windows are asked for.
    contents.openHandler({ url: 'https://example.org/c' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(showMessageBox).toHaveBeenCalledOnce()
    expect(electron.shell.openExternal).not.toHaveBeenCalled()
    showMessageBox.mockResolvedValueOnce({ response: 0 })
    contents.openHandler({ url: 'https://example.org/b' })
    await until(() => expect(electron.shell.openExternal).toHaveBeenCalledWith('https://example.org/b'))
    expect(electron.shell.openExternal).toHaveBeenCalledOnce()
  })

  test('every permission except copying is denied', async () => {
    const { contents, electron } = await boot()
    const asked = (permission: string, from: FakeContents = contents): boolean => {
      let granted: boolean | null = null
      from.session.permissionRequest(from, permission, (answer) => (granted = answer))
      return granted === true && from.session.permissionCheck(from, permission, from.getURL())
    }
    expect(contents.session).toBe(electron.session.defaultSession)
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'fileSystem'
    ]) {
      expect([permission, asked(permission)]).toEqual([permission, false])
      expect(contents.session.permissionCheck(null, permission, 'playhead://app/')).toBe(false)
    }
    expect(asked('clipboard-sanitized-write')).toBe(true)
    expect(contents.session.permissionCheck(null, 'clipboard-sanitized-write', 'https://evil.example/')).toBe(false)
  })

  test('only the built page is served', async () => {
    const { defaultSession } = await boot()
    const get = (url: string, method = 'GET') => defaultSession.served(new Request(url, { method }))
    for (const url of [
      'playhead://app/../index.ts',
      'playhead://app/..%2findex.ts',
      'playhead://other/',
      'playhead://app/nothing.js'
    ]) {
      const answer = await get(url)
      expect([url, answer.status]).toEqual([url, 404])
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const page = await get('playhead://app/')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).not.toContain('unsafe')
    for (const rule of ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect((await get('playhead://app/', 'POST')).status).toBe(404)
  })

  test('downloads, devices and network requests are denied', async () => {
    const { contents } = await boot()
    const { session } = contents
    const event = { preventDefault: vi.fn() }
    session.emit('will-download', event)
    expect(event.preventDefault).toHaveBeenCalledOnce()
    for (const deviceType of ['hid', 'serial', 'usb']) expect(session.devicePermission({ deviceType })).toBe(false)
    const isStopped = (url: string): boolean => {
      let stopped: boolean | undefined
      session.beforeRequest({ url }, ({ cancel }) => (stopped = cancel))
      return stopped === true
    }
    const outside = [
      'https://example.org/a.png',
      'http://127.0.0.1:1/',
      'ws://127.0.0.1/',
      'file:///etc/passwd',
      'playhead://open'
    ]
    expect(outside.filter((url) => !isStopped(url))).toEqual([])
    const inside = [
      'playhead://app/',
      'playhead://app/assets/a.js',
      'blob:playhead://app/1',
      'data:image/png;base64,',
      'devtools://x'
    ]
    expect(inside.filter(isStopped)).toEqual([])
  })
})

/** What the menu that is set now does. */
function itemNamed(electron: ReturnType<typeof fakeElectron>['electron'], label: string): FakeMenuItem | undefined {
  const all = (items: readonly FakeMenuItem[]): FakeMenuItem[] =>
    items.flatMap((item) => [item, ...all(item.submenu ?? [])])
  return all(electron.Menu.setApplicationMenu.mock.lastCall?.[0] ?? []).find((item) => item.label === label)
}

describe('the shell', () => {
  test('a command of a menu reaches the page', async () => {
    const { host, electron } = await boot()
    const heard = new Promise<string>((resolve) => host.on('host.command', ({ command }) => resolve(command)))
    itemNamed(electron, 'Next todo change')?.click?.()
    expect(await heard).toBe('next-todo')
  })

  test('recent logs are in the menu and known to the system until they are cleared', async () => {
    const { host, electron } = await boot()
    await until(() => expect(itemNamed(electron, log)).toBeDefined())
    expect(electron.app.addRecentDocument).toHaveBeenCalledWith(log)
    const shown = new Promise<string>((resolve) => host.on('log.show', (notice) => resolve(notice.log)))
    itemNamed(electron, log)?.click?.()
    expect((await read(host, await shown)).path).toBe(log)
    const changed = new Promise((resolve) => host.on('recent.changed', resolve))
    itemNamed(electron, '&Clear')?.click?.()
    await changed
    expect(electron.app.clearRecentDocuments).toHaveBeenCalledOnce()
    expect((await host.call('recent.list', {})).recent).toEqual([])
    expect(itemNamed(electron, log)).toBeUndefined()
  })

  test('a link opens a log at an event after a question', async () => {
    const { host, electron } = await boot()
    const { showMessageBox } = electron.dialog
    const shown: unknown[] = []
    host.on('log.show', ({ seq }) => shown.push(seq))
    const follow = (link: string) => electron.app.emit('open-url', { preventDefault() {} }, link)
    const link = `playhead://open?path=${encodeURIComponent(log)}&seq=3`
    follow('playhead://open?path=relative.jsonl')
    await until(() => expect(showMessageBox).toHaveBeenCalledOnce())
    expect(showMessageBox.mock.lastCall?.[1]).toMatchObject({ message: 'This link is not valid' })
    await new Promise((resolve) => setImmediate(resolve))
    follow(link)
    await until(() => expect(showMessageBox).toHaveBeenCalledTimes(2))
    expect(showMessageBox.mock.lastCall?.[1]).toMatchObject({ detail: log, defaultId: 1, cancelId: 1 })
    showMessageBox.mockResolvedValueOnce({ response: 0 })
    electron.app.emit('second-instance', {}, [], folder, { files: [], links: [link, link, link] })
    await until(() => expect(shown).toEqual([3]))
    expect(showMessageBox).toHaveBeenCalledTimes(3)
  })

  test('updates are checked only with an address and on request', async () => {
    const { electron } = await boot()
    expect(itemNamed(electron, 'Check for &updates…')).toBeUndefined()
    await endOf(electron)
    vi.resetModules()
    vi.stubEnv('PLAYHEAD_UPDATE_URL', 'https://updates.example/playhead.json')
    let answer = JSON.stringify({ version: '9.9.10', url: 'https://updates.example/get' })
    const second = await boot()
    const { dialog, shell, session } = second.electron
    expect(session.fromPartition).not.toHaveBeenCalled()
    // Not that of the page, which reaches no network.
    const outside = session.fromPartition('outside')
    outside.answer = async () => new Response(answer)
    const { asked } = outside
    const look = async (times: number): Promise<void> => {
      itemNamed(second.electron, 'Check for &updates…')?.click?.()
      await until(() => expect(dialog.showMessageBox).toHaveBeenCalledTimes(times))
    }
    await look(1)
    expect(asked).toEqual(['https://updates.example/playhead.json'])
    expect(session.defaultSession.asked).toEqual([])
    expect(session.fromPartition).toHaveBeenLastCalledWith('outside', { cache: false })
    expect(dialog.showMessageBox.mock.lastCall?.[1]).toMatchObject({
      message: 'Version 9.9.10 is available',
      defaultId: 1
    })
    expect(shell.openExternal).not.toHaveBeenCalled()
    dialog.showMessageBox.mockResolvedValueOnce({ response: 0 })
    await look(2)
    await until(() => expect(shell.openExternal).toHaveBeenCalledWith('https://updates.example/get'))
    answer = JSON.stringify({ version: '9.9.9', url: 'https://updates.example/get' })
    await look(3)
    expect(dialog.showMessageBox.mock.lastCall?.[1]).toMatchObject({ message: 'Playhead is up to date' })
    answer = 'gone'
    await look(4)
    expect(dialog.showMessageBox.mock.lastCall?.[1]).toMatchObject({
      type: 'warning',
      detail: expect.stringMatching(/not JSON/)
    })
  })

  test('a page that crashed or hangs can be reloaded', async () => {
    const { contents, window, electron } = await boot()
    const { showMessageBox } = electron.dialog
    contents.emit('render-process-gone', {}, { reason: 'clean-exit' })
    expect(showMessageBox).not.toHaveBeenCalled()
    showMessageBox.mockResolvedValueOnce({ response: 0 })
    contents.emit('render-process-gone', {}, { reason: 'oom' })
    await until(() => expect(contents.reload).toHaveBeenCalledOnce())
    contents.emit('render-process-gone', {}, { reason: 'crashed' })
    await until(() => expect(electron.app.quit).toHaveBeenCalledOnce())
    window.emit('unresponsive')
    await until(() => expect(showMessageBox).toHaveBeenCalledTimes(3))
    expect(contents.forcefullyCrashRenderer).not.toHaveBeenCalled()
    showMessageBox.mockResolvedValueOnce({ response: 0 })
    // Crashing it is how a page that hangs is ended: nobody is asked again, though that is heard of later.
    window.emit('unresponsive')
    await until(() => expect(contents.reload).toHaveBeenCalledTimes(2))
    expect(contents.forcefullyCrashRenderer).toHaveBeenCalledOnce()
    contents.emit('render-process-gone', {}, { reason: 'killed' })
    expect(showMessageBox).toHaveBeenCalledTimes(4)
    contents.emit('did-finish-load')
    contents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(showMessageBox).toHaveBeenCalledTimes(5)
  })

  test('the window opens at its last place, on an existing display', async () => {
    const first = await boot()
    expect(first.window.options).toMatchObject({ width: 1440, height: 900, backgroundColor: '#ffffff' })
    first.window.bounds = { x: 2500, y: 80, width: 1200, height: 800 }
    first.window.emit('close')
    await endOf(first.electron)
    vi.resetModules()
    const displays = [
      { x: 0, y: 0, width: 1920, height: 1080 },
      { x: 1920, y: 0, width: 1920, height: 1080 }
    ]
    const second = await boot({ displays })
    expect(second.window.options).toMatchObject(first.window.bounds)
    await endOf(second.electron)
    vi.resetModules()
    const third = await boot()
    expect(third.window.options).toMatchObject({ x: 360, y: 140, width: 1200, height: 800 })
  })

  test('closing a window with running agents needs agreement and stops them', async () => {
    const { electron, host, window } = await boot()
    const asked = electron.dialog.showMessageBoxSync
    const isStopped = (): boolean => {
      let stopped = false
      window.emit('close', { preventDefault: () => (stopped = true) })
      return stopped
    }
    expect([isStopped(), asked.mock.calls.length]).toEqual([false, 0])
    const command = join(folder, 'agent')
    writeFileSync(command, '#!/bin/sh\nwhile :; do sleep 0.05; done\n', { mode: 0o755 })
    await host.call('agent.setCommand', { agent: 'claude', command })
    const request = {
      agent: 'claude',
      prompt: 'Wait',
      cwd: folder,
      model: null,
      mode: null,
      timeLimitMs: null,
      resumes: null
    } as const
    const { run } = await host.call('run.start', { request: { ...request, extraArguments: [] }, confirmed: false })
    expect(isStopped()).toBe(true)
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ message: 'An agent is running', defaultId: 1 }))
    asked.mockReturnValueOnce(0)
    expect(isStopped()).toBe(false)
    await endOf(electron)
    await until(() => expect(electron.app.exit).toHaveBeenCalledOnce())
    const manifest = join(folder, 'state', 'runs', run, 'run.json')
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ state: 'ended', finishReason: 'cancelled' })
  })

  test('the window has the colour of the page', () => {
    const tokens = readFileSync(new URL('../../src/renderer/styles/tokens.css', import.meta.url), 'utf8')
    const source = readFileSync(new URL('../../src/main/window.ts', import.meta.url), 'utf8')
    const [, light, dark] = /--bg-surface: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? []
    expect(source).toContain(`shouldUseDarkColors ? '${dark}' : '${light}'`)
  })

  test('after sleep every thread checks its files', async () => {
    const { host, electron } = await boot()
    await host.call('log.list', {})
    const told = vi.spyOn(Worker.prototype, 'postMessage')
    electron.powerMonitor.emit('resume')
    expect(told.mock.calls).toContainEqual([looking])
  })

  test('the end of a run is notified if no window has the focus; a click shows it', async () => {
    const { host, window, notifications, electron } = await boot()
    const [status] = (await host.call('log.list', {})).logs
    await read(host, status?.log ?? '')
    const shown = new Promise<string>((resolve) => host.on('log.show', (notice) => resolve(notice.log)))
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'All done', session_id: 's' }
    appendFileSync(log, `${JSON.stringify(result)}\n`)
    await until(() => expect(notifications.map(({ words }) => words.title)).toEqual(['a run.jsonl: done']))
    notifications[0]?.emit('click')
    expect(await shown).toBe(status?.log)
    expect(window.focus).toHaveBeenCalledOnce()
    window.focused = true
    appendFileSync(log, `${JSON.stringify(result)}\n`)
    await until(() => expect(electron.BrowserWindow.getFocusedWindow).toHaveBeenCalledTimes(2))
    expect(notifications).toHaveLength(1)
  })

  test('quitting waits for the threads', async () => {
    const { electron } = await boot()
    const event = { preventDefault: vi.fn() }
    electron.app.emit('will-quit', event)
    expect(event.preventDefault).toHaveBeenCalledOnce()
    expect(electron.app.exit).not.toHaveBeenCalled()
    await until(() => expect(electron.app.exit).toHaveBeenCalledOnce())
  })

  test('main and preload have less than 500 lines', () => {
    const lines = ['main', 'preload'].flatMap((layer) => {
      const folderOf = new URL(`../../src/${layer}/`, import.meta.url)
      const files = readdirSync(folderOf).filter((name) => name.endsWith('.ts'))
      return files.flatMap((name) => readFileSync(new URL(name, folderOf), 'utf8').trimEnd().split('\n'))
    })
    expect(lines.length).toBeLessThan(500)
  })
})
