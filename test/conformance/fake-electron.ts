import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Mock, vi } from 'vitest'
import { portMessage } from '#contract/port-message.ts'

/** A frame of a page. What main posts to it arrives at the preload's `ipcRenderer`, in the same process. */
interface FakeFrame {
  url: string
  readonly parent: FakeFrame | null
  postMessage(channel: string, message: unknown, ports: MessagePort[]): void
}

/** What `webContents` has of Electron's that our main process touches. */
export class FakeContents extends EventEmitter {
  readonly mainFrame: FakeFrame
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
  readonly session: FakeSession
  readonly reload = vi.fn()
  readonly forcefullyCrashRenderer = vi.fn()
  constructor(ipcRenderer: EventEmitter, session: FakeSession) {
    super()
    this.session = session
    this.mainFrame = {
      url: '',
      parent: null,
      postMessage: (channel, _message, ports) => ipcRenderer.emit(channel, { ports })
    }
  }
  setWindowOpenHandler(handler: FakeContents['openHandler']): void {
    this.openHandler = handler
  }
  getURL(): string {
    return this.mainFrame.url
  }
  /** Emits a navigation and says whether somebody stopped it. */
  isStopped(name: string, details: object = {}): boolean {
    let stopped = false
    this.emit(name, { ...details, preventDefault: () => (stopped = true) })
    return stopped
  }
}

/** A session that grants everything until it is told what not to. */
class FakeSession extends EventEmitter {
  served: (request: Request) => Promise<Response> = async () => Response.error()
  permissionRequest: (contents: FakeContents, permission: string, answer: (granted: boolean) => void) => void = () => {}
  permissionCheck: (contents: FakeContents | null, permission: string, origin: string) => boolean = () => true
  devicePermission: (details: object) => boolean = () => true
  beforeRequest: (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void = (_, answer) =>
    answer({})
  readonly asked: string[] = []
  answer: (url: string, options: RequestInit) => Promise<Response> = async () => Response.error()
  /** As the real one, which asks `onBeforeRequest` also for what the main process itself fetches. */
  readonly fetch = async (url: string, options: RequestInit): Promise<Response> => {
    let stopped = false
    this.beforeRequest({ url }, ({ cancel }) => (stopped = cancel === true))
    if (stopped) throw new Error('net::ERR_BLOCKED_BY_CLIENT')
    this.asked.push(url)
    return await this.answer(url, options)
  }
  readonly protocol = { handle: (_scheme: string, handler: FakeSession['served']) => (this.served = handler) }
  readonly webRequest = { onBeforeRequest: (handler: FakeSession['beforeRequest']) => (this.beforeRequest = handler) }
  setPermissionRequestHandler(handler: FakeSession['permissionRequest']): void {
    this.permissionRequest = handler
  }
  setPermissionCheckHandler(handler: FakeSession['permissionCheck']): void {
    this.permissionCheck = handler
  }
  setDevicePermissionHandler(handler: FakeSession['devicePermission']): void {
    this.devicePermission = handler
  }
}

/** An item of a menu template, as it was given. */
export interface FakeMenuItem {
  readonly label?: string
  readonly submenu?: readonly FakeMenuItem[]
  readonly click?: () => void
}

/** Electron's main-process port over Node's; like the real one it takes no buffers as transferables. */
class FakePortMain extends EventEmitter {
  readonly port: MessagePort
  constructor(port: MessagePort) {
    super()
    this.port = port
    port.on('message', (data) => this.emit('message', { data, ports: [] }))
    port.on('close', () => this.emit('close'))
  }
  postMessage(message: unknown, transfer: unknown[] = []): void {
    if (transfer.length > 0) throw new TypeError('Invalid value for transfer')
    this.port.postMessage(message)
  }
  start(): void {
    this.port.start()
  }
  close(): void {
    this.port.close()
  }
}

class FakeNotification extends EventEmitter {
  readonly words: { title: string; body: string }
  constructor(words: FakeNotification['words']) {
    super()
    this.words = words
  }
}

interface FakeOptions {
  /** Whether this process gets the lock of the single instance; it does unless told otherwise. */
  primary?: boolean
  /** What the system or another start says meanwhile, at each step of the start. */
  onStep?: (
    step: 'starting' | 'ready' | 'window' | 'loading',
    electron: { app: EventEmitter; dialog: { showMessageBox: Mock } }
  ) => void
  /** The app is not run from a checkout. */
  isPackaged?: boolean
  /** The window is closed before its page is there. */
  closesEarly?: boolean
  /** What can be used of the displays, the main one first. */
  displays?: { x: number; y: number; width: number; height: number }[]
}

/**
 * An `electron` without Electron: as much of it as `main/` and `preload/` use, both in this process. The real one is
 * never loaded (its package would start a download).
 */
export function fakeElectron(options: FakeOptions = {}) {
  const ipcMain = new EventEmitter()
  const ipcRenderer = new EventEmitter()
  const windows: FakeWindow[] = []
  const exposed: Record<string, { pathOf(file: object): string }> = {}
  const schemes: { scheme: string; privileges: object }[] = []
  let ready = false
  const app = Object.assign(new EventEmitter(), {
    isPackaged: options.isPackaged === true,
    isReady: () => ready,
    async whenReady() {
      options.onStep?.('starting', electron)
      ready = true
      options.onStep?.('ready', electron)
    },
    exit: vi.fn(),
    addRecentDocument: vi.fn(),
    clearRecentDocuments: vi.fn(),
    setAsDefaultProtocolClient: vi.fn(),
    setAppUserModelId: vi.fn(),
    getVersion: () => '9.9.9',
    requestSingleInstanceLock: vi.fn((_data: { files: string[] }) => options.primary !== false),
    enableSandbox: vi.fn(),
    quit: vi.fn()
  })
  const defaultSession = new FakeSession()
  const partitions = new Map<string, FakeSession>()
  const fromPartition = vi.fn((name: string, _options?: object): FakeSession => {
    const own = partitions.get(name) ?? new FakeSession()
    partitions.set(name, own)
    return own
  })
  const displays = (options.displays ?? [{ x: 0, y: 0, width: 1920, height: 1080 }]).map((workArea, id) => ({
    id,
    workArea
  }))

  class FakeWindow extends EventEmitter {
    readonly options: { webPreferences: Record<string, unknown> } & Record<string, unknown>
    readonly webContents = new FakeContents(ipcRenderer, defaultSession)
    readonly shown = vi.fn()
    readonly maximize = vi.fn()
    readonly focus = vi.fn()
    readonly restore = vi.fn()
    minimized = false
    focused = false
    bounds = { x: 0, y: 0, width: 0, height: 0 }
    ready: () => void = () => {}
    constructor(given: FakeWindow['options']) {
      super()
      this.options = given
      windows.push(this)
      app.emit('web-contents-created', {}, this.webContents)
      options.onStep?.('window', electron)
    }
    static getAllWindows = (): FakeWindow[] => windows
    static getFocusedWindow = vi.fn((): FakeWindow | null => windows.find(({ focused }) => focused) ?? null)
    async loadURL(url: string): Promise<void> {
      if (options.closesEarly === true) throw new Error('ERR_FAILED (-2) loading')
      options.onStep?.('loading', electron)
      this.webContents.mainFrame.url = url
      this.ready()
    }
    override once(_readyToShow: string, listener: () => void): this {
      this.ready = listener
      return this
    }
    show(): void {
      this.shown()
    }
    isMinimized(): boolean {
      return this.minimized
    }
    isMaximized(): boolean {
      return false
    }
    isDestroyed(): boolean {
      return options.closesEarly === true
    }
    getNormalBounds(): FakeWindow['bounds'] {
      return this.bounds
    }
  }

  const BrowserWindow: {
    new (given: FakeWindow['options']): FakeWindow
    getAllWindows(): FakeWindow[]
    getFocusedWindow(): FakeWindow | null
  } = FakeWindow
  const notifications: FakeNotification[] = []
  const Notification: { new (words: FakeNotification['words']): FakeNotification; isSupported(): boolean } =
    class extends FakeNotification {
      static isSupported = (): boolean => true
      show(): void {
        notifications.push(this)
      }
    }
  const send = (channel: string, sender: FakeContents, senderFrame: FakeFrame | null): void =>
    void ipcMain.emit(channel, { sender, senderFrame })
  const electron = {
    app,
    BrowserWindow,
    contextBridge: { exposeInMainWorld: (key: string, value: never) => (exposed[key] = value) },
    dialog: {
      showOpenDialog: vi.fn(async () => ({ filePaths: ['/logs/chosen.jsonl'] })),
      showSaveDialog: vi.fn(async () => ({ canceled: true, filePath: '' })),
      showMessageBox: vi.fn(async (..._asked: object[]) => ({ response: 1 })),
      showMessageBoxSync: vi.fn((..._asked: object[]) => 1),
      showErrorBox: vi.fn()
    },
    ipcMain,
    ipcRenderer: Object.assign(ipcRenderer, {
      send: (channel: string) => {
        const [window] = windows
        if (window) send(channel, window.webContents, window.webContents.mainFrame)
      }
    }),
    Menu: {
      buildFromTemplate: (template: FakeMenuItem[]) => template,
      setApplicationMenu: vi.fn((_menu: FakeMenuItem[]) => {})
    },
    nativeTheme: { shouldUseDarkColors: false },
    Notification,
    powerMonitor: new EventEmitter(),
    screen: { getPrimaryDisplay: () => displays[0], getAllDisplays: () => displays },
    MessageChannelMain: class {
      readonly port1: FakePortMain
      readonly port2: MessagePort
      constructor() {
        const { port1, port2 } = new MessageChannel()
        this.port1 = new FakePortMain(port1)
        this.port2 = port2
      }
    },
    protocol: { registerSchemesAsPrivileged: (given: typeof schemes) => schemes.push(...given) },
    session: { defaultSession, fromPartition },
    shell: { openExternal: vi.fn(async () => {}) },
    webUtils: { getPathForFile: (file: { path: string }) => file.path }
  }
  return { electron, windows, exposed, schemes, defaultSession, notifications, send }
}

/** A page's `window`, as much as the preload touches. */
export class FakePageWindow extends EventTarget {
  readonly location = { origin: 'playhead://app' }
  /** What carried a port. */
  readonly posted: { message: unknown; origin: string; ports: MessagePort[] }[] = []
  postMessage(message: unknown, origin: string, ports: MessagePort[] = []): void {
    if (ports.length > 0) this.posted.push({ message, origin, ports })
    this.dispatchEvent(Object.assign(new Event('message'), { source: this, data: message, ports }))
  }
  /** Asks the preload as the page does. */
  askForPort(): MessagePort {
    this.postMessage({ type: portMessage }, this.location.origin)
    const port = this.posted.at(-1)?.ports[0]
    if (!port) throw new Error('the page got no port')
    return port
  }
}
