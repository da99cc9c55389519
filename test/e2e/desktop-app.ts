import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import type * as electronModule from 'electron'

/** The module `electron` of a main process. Its types only: asking for the module itself would start a download. */
export type ElectronModule = typeof electronModule

/** How to start the app. */
export interface DesktopOptions {
  /** The folder of package.json. */
  readonly root: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The folder of what Electron itself keeps: two starts with the same one are of the same app. */
  readonly profile: string
}

/** The running app: on Electron, or on the stand-in for it. */
export interface DesktopApp {
  readonly kind: 'Electron' | 'stand-in'
  /** Runs in the main process; nothing from outside of the function can be used in it. */
  evaluate<A, R>(run: (electron: ElectronModule, arg: A) => R | Promise<R>, arg?: A): Promise<R>
  firstWindow(): Promise<Page>
  windows(): Page[]
  /** Starts it once more, as a person would in a shell; the exit code of that start. */
  startAgain(args: readonly string[]): Promise<number | null>
  /** Says where a file lies that is given to the page, as the system does it where Electron runs. */
  placeFile(path: string): void
  /** The exit code, once it has ended. */
  exited(): Promise<number | null>
  close(): Promise<void>
}

/** Starts the built app on the Electron at `executablePath`. */
export async function startElectron(executablePath: string, options: DesktopOptions): Promise<DesktopApp> {
  const { root, args, profile } = options
  const env = { ...definedOf(process.env), ...options.env }
  // Electron's sandbox does not run as root.
  const words = [root, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), `--user-data-dir=${profile}`]
  const app: ElectronApplication = await _electron.launch({ executablePath, args: [...words, ...args], env })
  const exited = once(app.process(), 'exit').then(([code]) => code as number | null)
  return {
    kind: 'Electron',
    evaluate: (run, arg) => app.evaluate(run as never, arg as never),
    firstWindow: () => app.firstWindow(),
    windows: () => app.windows(),
    async startAgain(more) {
      const [code] = (await once(spawn(executablePath, [...words, ...more], { env }), 'exit')) as [number | null]
      return code
    },
    placeFile() {},
    exited: () => exited,
    close: () => app.close()
  }
}

/** What `find` gives once it is there. */
export async function until<T>(find: () => T | null): Promise<T> {
  for (;;) {
    const found = find()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function definedOf(variables: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
}
