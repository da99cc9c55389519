import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { vi } from 'vitest'

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
  permissionRequest: (contents: FakeContents, permission: string, answer: (granted: boolean) => void) => void = () => {}
  permissionCheck: (contents: FakeContents | null, permission: string, origin: string) => boolean = () => true
  readonly session = {
    setPermissionRequestHandler: (handler: FakeContents['permissionRequest']) => (this.permissionRequest = handler),
    setPermissionCheckHandler: (handler: FakeContents['permissionCheck']) => (this.permissionCheck = handler)
  }
  constructor(ipcRenderer: EventEmitter) {
    super()
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

interface FakeOptions {
  /** Whether this process gets the lock of the single instance; it does unless told otherwise. */
  primary?: boolean
  /** A file that the system names before the app is ready, as macOS does. */
  openedBeforeReady?: string
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
    isPackaged: false,
    isReady: () => ready,
    async whenReady() {
      const path = options.openedBeforeReady
      if (path !== undefined) app.emit('open-file', { preventDefault() {} }, path)
      ready = true
    },
    exit: vi.fn(),
    getVersion: () => '9.9.9',
    requestSingleInstanceLock: vi.fn((_data: { files: string[] }) => options.primary !== false),
    commandLine: { appendSwitch: vi.fn() },
    enableSandbox: vi.fn(),
    quit: vi.fn()
  })
  const served = { handle: async (_request: Request): Promise<Response> => Response.error() }

  class FakeWindow {
    readonly options: { webPreferences: Record<string, unknown> }
    readonly webContents = new FakeContents(ipcRenderer)
    readonly shown = vi.fn()
    ready: () => void = () => {}
    constructor(given: FakeWindow['options']) {
      this.options = given
      windows.push(this)
      app.emit('web-contents-created', {}, this.webContents)
    }
    static getAllWindows = (): FakeWindow[] => windows
    async loadURL(url: string): Promise<void> {
      this.webContents.mainFrame.url = url
      this.ready()
    }
    once(_readyToShow: string, listener: () => void): void {
      this.ready = listener
    }
    show(): void {
      this.shown()
    }
    isMinimized(): boolean {
      return false
    }
    focus(): void {}
  }

  const send = (channel: string, sender: FakeContents, senderFrame: FakeFrame | null): void =>
    void ipcMain.emit(channel, { sender, senderFrame })
  const electron = {
    app,
    BrowserWindow: FakeWindow,
    contextBridge: { exposeInMainWorld: (key: string, value: never) => (exposed[key] = value) },
    dialog: {
      showOpenDialog: vi.fn(async () => ({ filePaths: ['/logs/chosen.jsonl'] })),
      showMessageBox: vi.fn(async () => ({ response: 1 })),
      showErrorBox: vi.fn()
    },
    ipcMain,
    ipcRenderer: Object.assign(ipcRenderer, {
      send: (channel: string) => {
        const [window] = windows
        if (window) send(channel, window.webContents, window.webContents.mainFrame)
      }
    }),
    Menu: { buildFromTemplate: vi.fn((template: object[]) => template), setApplicationMenu: vi.fn() },
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
    session: {
      defaultSession: {
        protocol: { handle: (_scheme: string, handler: typeof served.handle) => (served.handle = handler) }
      }
    },
    shell: { openExternal: vi.fn(async () => {}) },
    webUtils: { getPathForFile: (file: { path: string }) => file.path }
  }
  return { electron, windows, exposed, schemes, served, send }
}
