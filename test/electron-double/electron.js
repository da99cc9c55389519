/**
 * A stand-in for the module `electron` of the main process, for machines where Electron's program cannot be had: the built main process runs
 * on Node, each window is a page of a Chromium that the test holds (`double-app.ts`), and the built preload runs in an isolated world of it.
 *
 * What it cannot show: the sandbox and the separation of processes, fuses, `webPreferences` (they are kept, and do nothing), the scheme
 * `playhead:` itself (pages see https instead), native menus, dialogs and windows, permission prompts, devices, that the system knows where
 * a dropped file lies (the test says it), jump lists, the system's way of handing over files and links. Navigations that ask no server
 * (`javascript:`, `data:`) are left to Chromium.
 */
import { EventEmitter } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { peer } from './peer.js'

/** An event that can be prevented, as Electron hands it to listeners. */
class Stoppable {
  defaultPrevented = false
  preventDefault() {
    this.defaultPrevented = true
  }
}

/** Emits an event with `details`; true if a listener prevented it. */
function isPrevented(emitter, name, details = {}, ...args) {
  const event = Object.assign(new Stoppable(), details)
  emitter.emit(name, event, ...args)
  return event.defaultPrevented
}

// --- The test's end of the pipe asks these.

const browser = peer(
  { send: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  {
    evaluate: (source, arg) => runInThisContext(`(${source})`)(electron, arg),
    /** A window message of the preload. */
    ipc(window, channel, args, url) {
      const contents = windows.get(window)?.webContents
      if (!contents) return
      contents.mainFrame.url = url
      ipcMain.emit(channel, { sender: contents, senderFrame: contents.mainFrame }, ...args)
    },
    portMessage: (id, data) => remotePorts.get(id)?.emit('message', { data, ports: [] }),
    portClosed: (id) => {
      remotePorts.get(id)?.emit('close')
      remotePorts.delete(id)
    },
    /** What becomes of a request of a page: null: it is refused. */
    async request(url, method) {
      let cancelled = false
      defaultSession.beforeRequest?.({ url, method }, ({ cancel }) => (cancelled = cancel === true))
      const handler = defaultSession.schemes.get(new URL(url).protocol.slice(0, -1))
      if (cancelled || !handler) return null
      const response = await handler(new Request(url, { method }))
      const headers = Object.fromEntries(response.headers)
      return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) }
    },
    /** Whether a page may go there of its own accord. */
    mayNavigate(window, url, isMainFrame) {
      const contents = windows.get(window)?.webContents
      if (!contents || isPrevented(contents, 'will-frame-navigate', { url, isMainFrame })) return false
      return !isMainFrame || !isPrevented(contents, 'will-navigate', { url, isMainFrame }, url)
    },
    mayOpen: (window, url) => windows.get(window)?.webContents.openHandler({ url, disposition: 'new-window' }).action,
    mayDownload: (url) => !isPrevented(defaultSession, 'will-download', {}, { getURL: () => url }),
    gone: (window, reason) => windows.get(window)?.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 })
  }
)
// A test that ended has no use for it.
process.on('disconnect', () => process.exit(0))

// --- app

const profile = process.env['ELECTRON_DOUBLE_PROFILE'] ?? ''
let ready = false
let quitting = false

class App extends EventEmitter {
  isPackaged = false
  #ready = new Promise((resolve) => {
    setImmediate(() => {
      ready = true
      this.emit('ready')
      resolve(undefined)
    })
  })

  whenReady = () => this.#ready
  isReady = () => ready
  getVersion = () => JSON.parse(readFileSync(join(process.argv[1] ?? '', 'package.json'), 'utf8')).version
  enableSandbox() {}
  setAsDefaultProtocolClient = () => true
  setAppUserModelId() {}
  addRecentDocument() {}
  clearRecentDocuments() {}

  /** By a file with the holder's process id; another start leaves what it has to say beside it. */
  requestSingleInstanceLock(data) {
    mkdirSync(profile, { recursive: true })
    const lock = join(profile, 'lock')
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch {
      const said = join(profile, `${process.pid}.said`)
      writeFileSync(`${said}-draft`, JSON.stringify({ argv: process.argv, folder: process.cwd(), data }))
      renameSync(`${said}-draft`, said)
      return false
    }
    process.on('exit', () => rmSync(lock, { force: true }))
    watch(profile, () => this.#hearStarts()).unref()
    return true
  }

  #hearStarts() {
    for (const name of readdirSync(profile).filter((each) => each.endsWith('.said'))) {
      const { argv, folder, data } = JSON.parse(readFileSync(join(profile, name), 'utf8'))
      rmSync(join(profile, name))
      this.emit('second-instance', {}, argv, folder, data)
    }
  }

  quit() {
    if (isPrevented(this, 'before-quit')) return
    quitting = true
    for (const window of windows.values()) window.close()
    if (windows.size > 0 || isPrevented(this, 'will-quit')) return
    this.exit(0)
  }

  exit(code = 0) {
    process.exit(code)
  }
}
const app = new App()

// --- windows

/** @type {Map<number, BrowserWindow>} */
const windows = new Map()
let windowsMade = 0
/** @type {BrowserWindow | null} */
let focused = null

class WebContents extends EventEmitter {
  #window
  openHandler = () => ({ action: 'allow' })
  constructor(window) {
    super()
    this.#window = window
    this.session = defaultSession
    this.mainFrame = {
      url: '',
      parent: null,
      postMessage: (channel, message, ports = []) =>
        void browser.ask('toFrame', window, channel, message, ports.map(handOver))
    }
  }
  getURL = () => this.mainFrame.url
  setWindowOpenHandler(handler) {
    this.openHandler = handler
  }
  reload = () => void browser.ask('reload', this.#window)
  forcefullyCrashRenderer = () => void browser.ask('crash', this.#window)
  executeJavaScript = (code) => browser.ask('executeJavaScript', this.#window, code)
}

class BrowserWindow extends EventEmitter {
  #opened
  #bounds
  #state = 'normal'
  #visible = false
  constructor(options) {
    super()
    this.id = ++windowsMade
    this.options = options
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    this.webContents = new WebContents(this.id)
    windows.set(this.id, this)
    this.#opened = browser.ask('open', this.id, readFileSync(options.webPreferences.preload, 'utf8'), { width, height })
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
  }
  static getAllWindows = () => [...windows.values()]
  static getFocusedWindow = () => focused
  async loadURL(url) {
    await this.#opened
    this.webContents.mainFrame.url = url
    await browser.ask('load', this.id, url)
    this.emit('ready-to-show')
  }
  show() {
    this.#visible = true
    focused = this
  }
  focus() {
    focused = this
  }
  blur() {
    focused = null
  }
  minimize() {
    this.#state = 'minimized'
  }
  restore() {
    this.#state = 'normal'
  }
  maximize() {
    this.#state = 'maximized'
  }
  isVisible = () => this.#visible
  isMinimized = () => this.#state === 'minimized'
  isMaximized = () => this.#state === 'maximized'
  isDestroyed = () => !windows.has(this.id)
  getNormalBounds = () => this.#bounds
  setBounds(bounds) {
    this.#bounds = { ...this.#bounds, ...bounds }
  }
  close() {
    if (isPrevented(this, 'close')) return
    windows.delete(this.id)
    if (focused === this) focused = null
    void browser.ask('close', this.id)
    this.emit('closed')
    if (windows.size > 0) return
    if (!quitting) app.emit('window-all-closed')
  }
}

// --- ports

/** Ports of this process whose other end was handed to a page, by the id of that end. */
const remotePorts = new Map()
let portsMade = 0

class MessagePortMain extends EventEmitter {
  id = ++portsMade
  /** @type {MessagePortMain | undefined} */
  other
  /** Like the real one it takes no buffers as transferables. */
  postMessage(message, transfer = []) {
    if (transfer.some((each) => !(each instanceof MessagePortMain))) throw new TypeError('Invalid value for transfer')
    if (this.other) void browser.ask('toPort', this.other.id, structuredClone(message))
  }
  start() {}
  close() {
    if (this.other) void browser.ask('closePort', this.other.id)
  }
}

class MessageChannelMain {
  port1 = new MessagePortMain()
  port2 = new MessagePortMain()
  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}

/** The id under which the page has a port from now on. */
function handOver(port) {
  remotePorts.set(port.id, port.other)
  return port.id
}

// --- the rest

class Session extends EventEmitter {
  schemes = new Map()
  beforeRequest = null
  protocol = { handle: (scheme, handler) => this.schemes.set(scheme, handler) }
  webRequest = { onBeforeRequest: (handler) => (this.beforeRequest = handler) }
  setPermissionRequestHandler() {}
  setPermissionCheckHandler() {}
  setDevicePermissionHandler() {}
}
const defaultSession = new Session()

class MenuItem {
  constructor({ submenu, click, ...words }) {
    // A role brings its own label.
    Object.assign(this, { label: words.role ?? '' }, words)
    if (submenu) this.submenu = new Menu(submenu)
    this.click = () => click?.(this)
  }
}

class Menu {
  static #application = null
  static buildFromTemplate = (template) => new Menu(template)
  static setApplicationMenu = (menu) => void (Menu.#application = menu)
  static getApplicationMenu = () => Menu.#application
  constructor(template) {
    this.items = template.map((words) => new MenuItem(words))
  }
}

/** A test finds those that were shown in `shown`, and clicks them by emitting `click`. */
class Notification extends EventEmitter {
  /** @type {Notification[]} */
  static shown = []
  static isSupported = () => true
  constructor({ title, body }) {
    super()
    Object.assign(this, { title, body })
  }
  show() {
    Notification.shown.push(this)
  }
}

/** A test answers dialogs by putting its own functions here; else they are cancelled. */
const dialog = {
  showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
  showSaveDialog: async () => ({ canceled: true, filePath: '' }),
  showMessageBox: async () => ({ response: 1, checkboxChecked: false }),
  showMessageBoxSync: () => 1,
  showErrorBox: (title, content) => console.error(`${title}: ${content}`)
}
const ipcMain = new EventEmitter()
const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false })
const powerMonitor = new EventEmitter()
const protocol = { registerSchemesAsPrivileged() {} }
const display = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }
const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] }
/** Nothing of a test reaches a network. */
const outside = { fetch: () => Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED')) }
const session = { defaultSession, fromPartition: () => outside }
const shell = { openExternal: () => Promise.reject(new Error('a test opens no browser')) }

const electron = {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell
}
export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell
}
