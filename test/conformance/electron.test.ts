import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { heapFlags } from '#backend/indexer/log-worker.ts'
import { connectHost } from '#contract/client.ts'
import type { Host, LogStatus } from '#contract/methods.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport } from '#contract/port-transport.ts'
import { fakeElectron, FakeContents } from './fake-electron.ts'

/** A page's `window`, as much as the preload touches. */
class FakePageWindow extends EventTarget {
  readonly location = { origin: 'playhead://app' }
  readonly posted: { message: unknown; origin: string; ports: MessagePort[] }[] = []
  postMessage(message: unknown, origin: string, ports: MessagePort[]): void {
    this.posted.push({ message, origin, ports })
    this.dispatchEvent(new Event('posted'))
  }
}

const record = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
let folder = ''
let log = ''
let argv: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead électron '))
  log = join(folder, 'a run.jsonl')
  writeFileSync(log, `${record}\n`)
  vi.stubEnv('PLAYHEAD_STATE_DIR', join(folder, 'state'))
  vi.stubEnv('PLAYHEAD_CACHE_DIR', join(folder, 'cache'))
  argv = process.argv
  process.argv = ['electron', '.', '--no-sandbox', log]
})
afterEach(() => {
  process.argv = argv
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.doUnmock('electron')
  vi.resetModules()
  rmSync(folder, { recursive: true })
})

/** Starts main, then the preload in its window, then connects as the page would. */
async function boot(options: Parameters<typeof fakeElectron>[0] = {}) {
  const fake = fakeElectron(options)
  vi.doMock('electron', () => fake.electron)
  await import('../../src/main/index.ts')
  await vi.waitFor(() => expect(fake.windows[0]?.webContents.getURL()).toBe('playhead://app/'), 20_000)
  const page = new FakePageWindow()
  vi.stubGlobal('window', page)
  await import('../../src/preload/index.ts')
  page.dispatchEvent(new Event('load'))
  const host: Host = connectHost(portTransport(pagePort(page)), { checkResults: true })
  const [window] = fake.windows
  if (!window) throw new Error('there is no window')
  return { ...fake, page, host, window, contents: window.webContents }
}

function pagePort(page: FakePageWindow): MessagePort {
  const port = page.posted.at(-1)?.ports[0]
  if (!port) throw new Error('the page got no port')
  return port
}

/** The log's status once it is read. */
async function read(host: Host, id: string): Promise<LogStatus> {
  return vi.waitFor(async () => {
    const status = await host.call('log.status', { log: id })
    expect(status.phase).toBe('done')
    return status
  }, 20_000)
}

describe('the contract through main and preload', () => {
  test('the log of the command line is open, and its columns come through the port', async () => {
    const { host, electron } = await boot()
    expect(electron.app.requestSingleInstanceLock).toHaveBeenCalledWith({ files: [log] })
    const { logs } = await host.call('log.list', {})
    expect(logs.map((status) => status.path)).toEqual([log])
    const status = await read(host, logs[0]?.log ?? '')
    expect([status.lines, status.format]).toEqual([1, 'claude-stream-json'])
    const columns = await host.call('log.columns', { log: status.log, from: 0, count: 10 })
    expect([...new Uint32Array(columns.line)]).toEqual([1])
    electron.app.emit('will-quit')
  })

  test('the host says what it can do, and asks with the native dialog', async () => {
    const { host, electron } = await boot()
    expect(await host.call('host.capabilities', {})).toMatchObject({
      host: 'electron',
      version: '9.9.9',
      openDialog: true,
      dropUpload: false,
      sample: expect.stringMatching(/resources.sample-run\.jsonl$/)
    })
    expect(await host.call('dialog.open', {})).toEqual({ paths: ['/logs/chosen.jsonl'] })
    electron.app.emit('will-quit')
  })

  test('a second start shows its file in the first', async () => {
    const { host, electron } = await boot()
    const other = join(folder, 'other.jsonl')
    writeFileSync(other, `${record}\n`)
    const shown = new Promise<string>((resolve) => host.on('log.show', (notice) => resolve(notice.log)))
    electron.app.emit('second-instance', {}, [], folder, { files: [other] })
    expect((await read(host, await shown)).path).toBe(other)
    electron.app.emit('second-instance', {}, [], folder, { files: [join(folder, 'missing.jsonl')] })
    await vi.waitFor(() => expect(electron.dialog.showErrorBox).toHaveBeenCalledOnce())
    electron.app.emit('will-quit')
  })

  test('a file the system names, before the app is ready or after, is opened once', async () => {
    const [early, late] = [join(folder, 'early.jsonl'), join(folder, 'late.jsonl')]
    for (const path of [early, late]) writeFileSync(path, `${record}\n`)
    const { host, electron } = await boot({ openedBeforeReady: early })
    const shown: string[] = []
    host.on('log.show', (notice) => shown.push(notice.log))
    electron.app.emit('open-file', { preventDefault() {} }, late)
    const paths = async () => (await host.call('log.list', {})).logs.map(({ path }) => path)
    await vi.waitFor(async () => expect(await paths()).toEqual([log, early, late]))
    await vi.waitFor(() => expect(shown).toHaveLength(1))
    expect((await read(host, shown[0] ?? '')).path).toBe(late)
    electron.app.emit('will-quit')
  })

  test('a start that fails ends the process', async () => {
    const fake = fakeElectron()
    fake.electron.app.whenReady = async () => Promise.reject(new Error('no display'))
    vi.doMock('electron', () => fake.electron)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await import('../../src/main/index.ts')
    await vi.waitFor(() => expect(fake.electron.app.exit).toHaveBeenCalledWith(1))
  })

  test('a second start itself opens nothing', async () => {
    const fake = fakeElectron({ primary: false })
    vi.doMock('electron', () => fake.electron)
    await import('../../src/main/index.ts')
    expect(fake.electron.app.quit).toHaveBeenCalledOnce()
    expect(fake.windows).toEqual([])
  })

  test('the page gets one port and paths of dropped files, nothing else', async () => {
    const { exposed, page, electron } = await boot()
    expect(Object.keys(exposed)).toEqual(['playheadFiles'])
    expect(Object.keys(exposed['playheadFiles'] ?? {})).toEqual(['pathOf'])
    expect(exposed['playheadFiles']?.pathOf({ path: '/logs/dropped.jsonl' })).toBe('/logs/dropped.jsonl')
    expect(page.posted).toEqual([
      { message: { type: portMessage }, origin: 'playhead://app', ports: [expect.anything()] }
    ])
    electron.app.emit('will-quit')
  })
})

describe('what is denied', () => {
  test('the page has no Node, no other world and no unsandboxed process', async () => {
    const { window, electron, schemes } = await boot()
    const { preload, ...preferences } = window.options.webPreferences
    expect(basename(String(preload))).toBe('index.cjs')
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false
    })
    expect(electron.app.enableSandbox).toHaveBeenCalledOnce()
    expect(electron.app.commandLine.appendSwitch).toHaveBeenCalledWith('js-flags', heapFlags)
    expect(schemes).toEqual([
      { scheme: 'playhead', privileges: { standard: true, secure: true, supportFetchAPI: true } }
    ])
    electron.app.emit('will-quit')
  })

  test('only the main frame of our page gets a port', async () => {
    const { contents, page, send, electron } = await boot()
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
    electron.app.emit('will-quit')
  })

  test('navigation, frames, redirects and webviews', async () => {
    const { contents, electron } = await boot()
    const stopped = (name: string, details: object = {}): boolean => contents.isStopped(name, details)
    for (const url of ['https://evil.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'playhead://other/']) {
      expect([url, stopped('will-navigate', { url })]).toEqual([url, true])
      expect([url, stopped('will-frame-navigate', { url, isMainFrame: true })]).toEqual([url, true])
    }
    expect(stopped('will-navigate', { url: 'playhead://app/' })).toBe(false)
    expect(stopped('will-frame-navigate', { url: 'playhead://app/', isMainFrame: false })).toBe(true)
    expect(stopped('will-redirect')).toBe(true)
    expect(stopped('will-attach-webview')).toBe(true)
    electron.app.emit('will-quit')
  })

  test('new windows; a web address is opened outside only if the person agrees', async () => {
    const { contents, electron } = await boot()
    const { showMessageBox } = electron.dialog
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share', 'not a url']) {
      expect(contents.openHandler({ url })).toEqual({ action: 'deny' })
    }
    expect(showMessageBox).not.toHaveBeenCalled()
    expect(contents.openHandler({ url: 'https://example.org/a' })).toEqual({ action: 'deny' })
    await vi.waitFor(() => expect(showMessageBox).toHaveBeenCalledOnce())
    expect(electron.shell.openExternal).not.toHaveBeenCalled()
    showMessageBox.mockResolvedValueOnce({ response: 0 })
    contents.openHandler({ url: 'https://example.org/b' })
    await vi.waitFor(() => expect(electron.shell.openExternal).toHaveBeenCalledWith('https://example.org/b'))
    expect(electron.shell.openExternal).toHaveBeenCalledOnce()
    electron.app.emit('will-quit')
  })

  test('every permission but copying', async () => {
    const { contents, electron } = await boot()
    const asked = (permission: string, from: FakeContents = contents): boolean => {
      let granted: boolean | null = null
      from.permissionRequest(from, permission, (answer) => (granted = answer))
      return granted === true && from.permissionCheck(from, permission, from.getURL())
    }
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'fileSystem'
    ]) {
      expect([permission, asked(permission)]).toEqual([permission, false])
      expect(contents.permissionCheck(null, permission, 'playhead://app/')).toBe(false)
    }
    expect(asked('clipboard-sanitized-write')).toBe(true)
    expect(contents.permissionCheck(null, 'clipboard-sanitized-write', 'https://evil.example/')).toBe(false)
    electron.app.emit('will-quit')
  })

  test('everything of the machine but the built page', async () => {
    const { served, electron } = await boot()
    const get = (url: string, method = 'GET') => served.handle(new Request(url, { method }))
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
    expect((await get('playhead://app/', 'POST')).status).toBe(404)
    electron.app.emit('will-quit')
  })
})
