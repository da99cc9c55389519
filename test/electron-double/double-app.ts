import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, CDPSession, Frame, Page, Request, Route } from '@playwright/test'
import { type DesktopApp, type DesktopOptions, type ElectronModule, until } from '../e2e/desktop-app.ts'
import { peer } from './peer.js'
import {
  bindingName,
  bufferKey,
  type FromWorld,
  isolatedWorld,
  mainWorld,
  type Packed,
  type ToWorld,
  worldName
} from './worlds.ts'

/** What a request of a page is answered with. */
interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

/** A page that plays a window, and the way to the isolated world in its document. */
interface DoubleWindow {
  readonly preload: string
  readonly size: { readonly width: number; readonly height: number }
  page: Page
  cdp: CDPSession
  /** The isolated world of the document that is shown. */
  world: number | null
  /** Ports that this document has. */
  readonly ports: Set<number>
  /** The app itself is loading an address. */
  loading: boolean
}

/**
 * Starts the built app on the stand-in for Electron: its main process as a process of Node (`electron.js` there says what that cannot show),
 * its windows as pages of `browser`.
 */
export async function startDouble(browser: Browser, options: DesktopOptions): Promise<DesktopApp> {
  const kept = storageFile(options)
  const settings = { locale: 'en-GB', timezoneId: 'UTC', ...(existsSync(kept) && { storageState: kept }) }
  const app = new DoubleApp(await browser.newContext(settings), options)
  await app.begin()
  return app
}

class DoubleApp implements DesktopApp {
  readonly kind = 'stand-in'
  readonly #context: BrowserContext
  readonly #options: DesktopOptions
  readonly #process: ChildProcess
  readonly #main: ReturnType<typeof peer>
  readonly #windows = new Map<number, DoubleWindow>()
  /** Which window has a port. */
  readonly #portOf = new Map<number, DoubleWindow>()
  readonly #exited: Promise<number | null>
  /** Pages that are being made for windows. */
  #opening = 0

  constructor(context: BrowserContext, options: DesktopOptions) {
    this.#context = context
    this.#options = options
    this.#process = start(options, options.args)
    this.#exited = once(this.#process, 'exit').then(([code]) => code as number | null)
    const pipe = {
      send: (message: unknown) => void (this.#process.connected && this.#process.send(message as object, () => {})),
      on: (event: 'message', listener: (message: unknown) => void) => this.#process.on(event, listener)
    }
    this.#main = peer(pipe, {
      open: (id: number, preload: string, size: DoubleWindow['size']) => this.#open(id, preload, size),
      load: (id: number, url: string) => this.#load(this.#window(id), url),
      reload: (id: number) => this.#reload(id),
      crash: (id: number) =>
        void this.#window(id)
          .cdp.send('Page.crash')
          .catch(() => {}),
      close: async (id: number) => {
        const window = this.#windows.get(id)
        this.#windows.delete(id)
        await window?.page.close()
      },
      executeJavaScript: (id: number, code: string) => this.#window(id).page.evaluate(code),
      toFrame: (id: number, channel: string, message: unknown, ports: number[]) => {
        const window = this.#window(id)
        for (const port of ports) {
          window.ports.add(port)
          this.#portOf.set(port, window)
        }
        this.#tell(window, { kind: 'message', channel, message, ports })
      },
      toPort: (id: number, data: unknown) => this.#tell(this.#portOf.get(id), { kind: 'port', id, data: pack(data) }),
      closePort: (id: number) => this.#tell(this.#portOf.get(id), { kind: 'close', id })
    })
  }

  async begin(): Promise<void> {
    await this.#context.route('**/*', (route) => this.#answer(route))
    // Chromium makes a page that a window opens before anybody is asked.
    this.#context.on('page', (page) => (this.#opening > 0 ? undefined : void page.close()))
  }

  async evaluate<A, R>(run: (electron: ElectronModule, arg: A) => R | Promise<R>, arg?: A): Promise<R> {
    return (await this.#main.ask('evaluate', String(run), arg)) as R
  }

  async firstWindow(): Promise<Page> {
    return await until(() => this.windows()[0] ?? null)
  }

  windows(): Page[] {
    return [...this.#windows.values()].map(({ page }) => page)
  }

  async startAgain(args: readonly string[]): Promise<number | null> {
    const [code] = (await once(start(this.#options, args), 'exit')) as [number | null]
    return code
  }

  placeFile(path: string): void {
    const paths = { [basename(path)]: path }
    for (const window of this.#windows.values()) this.#tell(window, { kind: 'paths', paths })
  }

  exited(): Promise<number | null> {
    return this.#exited
  }

  async close(): Promise<void> {
    if (this.#windows.size > 0) await this.#context.storageState({ path: storageFile(this.#options) })
    if (this.#process.exitCode === null) {
      await this.evaluate(({ app }) => void setImmediate(() => app.quit())).catch(() => {})
      const patience = setTimeout(() => this.#process.kill('SIGKILL'), 15_000)
      await this.#exited
      clearTimeout(patience)
    }
    await this.#context.close()
  }

  #window(id: number): DoubleWindow {
    const window = this.#windows.get(id)
    if (!window) throw new Error(`there is no window ${id}`)
    return window
  }

  async #open(id: number, preload: string, size: DoubleWindow['size']): Promise<void> {
    this.#opening++
    const page = await this.#context.newPage()
    this.#opening--
    await page.setViewportSize(size)
    const cdp = await this.#context.newCDPSession(page)
    const window: DoubleWindow = { preload, size, page, cdp, world: null, ports: new Set(), loading: false }
    this.#windows.set(id, window)
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === worldName) window.world = context.id
    })
    cdp.on('Runtime.executionContextsCleared', () => this.#forgetDocument(window))
    cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      // A document that is gone has nothing to say any more, a frame inside of one never had.
      if (name === bindingName && executionContextId === window.world) this.#hear(id, window, JSON.parse(payload))
    })
    page.on('crash', () => {
      this.#forgetDocument(window)
      void this.#main.ask('gone', id, 'crashed')
    })
    page.on('download', (download) => {
      void this.#main.ask('mayDownload', download.url()).then((may) => (may === true ? undefined : download.cancel()))
    })
    await cdp.send('Page.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: bindingName, executionContextName: worldName })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${String(mainWorld)})()` })
    const runPreload = `function (require) { const module = { exports: {} }, { exports } = module\n${preload}\n}`
    const source = `(${String(isolatedWorld)})(${JSON.stringify(bufferKey)}, ${runPreload})`
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName })
  }

  async #load(window: DoubleWindow, url: string): Promise<void> {
    window.loading = true
    await window.page.goto(shownUrl(url))
    window.loading = false
  }

  /** A page that crashed cannot be loaded again: another one takes its place. */
  async #reload(id: number): Promise<void> {
    const { page, preload, size } = this.#window(id)
    const url = page.url()
    await this.#open(id, preload, size)
    await this.#load(this.#window(id), ownUrl(url))
    await page.close()
  }

  #forgetDocument(window: DoubleWindow): void {
    window.world = null
    for (const id of window.ports) {
      this.#portOf.delete(id)
      void this.#main.ask('portClosed', id)
    }
    window.ports.clear()
  }

  #hear(id: number, window: DoubleWindow, said: FromWorld): void {
    if (said.kind === 'ipc') void this.#main.ask('ipc', id, said.channel, said.args, ownUrl(said.url))
    else if (said.kind === 'port') void this.#main.ask('portMessage', said.id, unpack(said.data))
    else if (window.ports.delete(said.id)) void this.#main.ask('portClosed', said.id)
  }

  #tell(window: DoubleWindow | undefined, message: ToWorld): void {
    if (window === undefined || window.world === null) return
    const expression = `electronDoubleHears(${JSON.stringify(message)})`
    void window.cdp.send('Runtime.evaluate', { expression, contextId: window.world }).catch(() => {})
  }

  /** Every request of every page: whether it may be made, and what is answered. Nothing ever reaches a network. */
  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const url = ownUrl(request.url())
    const frame = frameOf(request)
    const [id, window] = [...this.#windows].find(([, { page }]) => page === frame?.page()) ?? []
    if (id === undefined || frame === null) {
      // It comes from a page that a window opens.
      const [asking] = this.#windows.keys()
      await this.#main.ask('mayOpen', asking, url)
      await route.abort()
      return
    }
    const isMainFrame = frame.parentFrame() === null
    const asks = request.isNavigationRequest() && window?.loading === false
    if (asks && (await this.#main.ask('mayNavigate', id, url, isMainFrame)) !== true)
      return await route.abort('aborted')
    const answer = (await this.#main.ask('request', url, request.method())) as Answer | null
    if (answer === null) await route.abort('blockedbyclient')
    else await route.fulfill({ ...answer, body: Buffer.from(answer.body) })
  }
}

/** Null: of a page that is not there yet. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}

/** What the pages of one profile keep for the next start. */
function storageFile({ profile }: DesktopOptions): string {
  return join(profile, 'storage.json')
}

function start({ root, env, profile }: DesktopOptions, args: readonly string[]): ChildProcess {
  const script = fileURLToPath(new URL('run-main.js', import.meta.url))
  return fork(script, [root, ...args], {
    serialization: 'advanced',
    execArgv: [],
    env: { ...process.env, ...env, ELECTRON_DOUBLE_PROFILE: profile },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
}

const scheme = /^playhead:\/\/([^/?#]*)/
const shown = /^https:\/\/([^/?#]*)\.playhead-double\.test/

/** Chromium knows no schemes but its own: `playhead://app/` is shown as `https://app.playhead-double.test/`. */
function shownUrl(url: string): string {
  return url.replace(scheme, 'https://$1.playhead-double.test')
}

function ownUrl(url: string): string {
  return url.replace(shown, 'playhead://$1')
}

/** As `Packed` in the page. */
function pack(value: unknown): Packed {
  const bytes: string[] = []
  const json = JSON.stringify(value, (_, each: unknown) =>
    each instanceof ArrayBuffer ? { [bufferKey]: bytes.push(Buffer.from(each).toString('base64')) - 1 } : each
  )
  return { json, bytes }
}

function unpack({ json, bytes }: Packed): unknown {
  return JSON.parse(json, (_, each: unknown) => {
    const index: unknown = typeof each === 'object' && each !== null ? Reflect.get(each, bufferKey) : undefined
    return typeof index === 'number' ? new Uint8Array(Buffer.from(bytes[index] ?? '', 'base64')).buffer : each
  })
}
