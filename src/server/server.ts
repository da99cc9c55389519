import { createBackend, type HandlersOptions, type HostFacts } from '#backend/handlers.ts'
import { messageOf } from '#contract/host-error.ts'
import type { Params } from '#contract/methods.ts'
import { DropFolder } from './drop-folder.ts'
import { startLoopback, type Loopback } from './loopback.ts'
import { ServerFiles } from './server-files.ts'

export interface ServerOptions {
  /** 0: any free port. Another port keeps the token of the last server there, so that open tabs reconnect. */
  readonly port: number
  /** Replaces a kept token: all open tabs must authenticate again. */
  readonly newToken?: boolean
  /** Opened in this order before the server is announced. */
  readonly logs: readonly Params<'log.open'>[]
  readonly createWorker: HandlersOptions['createWorker']
  readonly facts: Pick<HostFacts, 'version' | 'sample' | 'prices' | 'hook' | 'pageParts'>
  readonly cache?: string
  /** The folder for what people made, live runs, tasks and `playhead url`; absent: agents cannot be started. */
  readonly state?: string
  /** Why programs must not be started, a sentence for the user; absent: they may. */
  readonly noRuns?: string
  /** See `HandlersOptions.libraryRoots`. */
  readonly libraryRoots?: readonly string[] | null
  /** Folder of the built page, `out/renderer`. */
  readonly root: string
  /** Reports internal errors, with the method or kind of request. Pages get no details. */
  readonly onFault?: (what: string, fault: unknown) => void
  /** Reports once what could not be stored, a sentence. */
  readonly onProblem?: (message: string) => void
}

export interface RunningServer {
  readonly port: number
  /** A new address of the page. It works once, within an hour. */
  address(): string
  /** Number of agents that `close` stops, which may take seconds. */
  readonly agentsAtWork: number
  /** Stops live runs, closes connections and threads, and removes dropped files. */
  close(): Promise<void>
}

/** The loopback host. Rejects with a `HostError` if the port is taken or a log cannot be opened; nothing keeps running. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let loopback: Loopback | null = null
  const drops = new DropFolder()
  const backend = createBackend({
    createWorker: options.createWorker,
    facts: { ...options.facts, host: 'browser', drops: drops.path },
    ...(options.cache === undefined ? {} : { cache: options.cache }),
    ...(options.state === undefined ? {} : { state: options.state }),
    ...(options.noRuns === undefined ? {} : { noRuns: options.noRuns }),
    ...(options.libraryRoots == null ? {} : { libraryRoots: options.libraryRoots }),
    ...(options.onProblem === undefined ? {} : { problem: options.onProblem }),
    notify: (name, payload) => loopback?.notify(name, payload)
  })
  const files = options.state === undefined ? null : new ServerFiles(options.state)
  const close = async (): Promise<void> => {
    await loopback?.close()
    if (loopback !== null) await files?.leave(loopback.port)
    await backend.close()
  }
  try {
    for (const log of options.logs) await backend.handlers['log.open'](log)
    backend.warm()
    const keep = options.port !== 0
    const token = keep && options.newToken !== true ? await files?.token(options.port) : null
    loopback = await startLoopback({
      port: options.port,
      ...(token == null ? {} : { token }),
      root: options.root,
      handlers: backend.handlers,
      drops,
      runs: backend.runs,
      onFault: options.onFault ?? (() => {})
    })
    const { port, address } = loopback
    await files?.put({ port, token: loopback.token, keep }).catch((error: unknown) => {
      const lost = `"playhead url" cannot find this server${keep ? ', and the next one on this port has another token' : ''}`
      options.onFault?.('keeping the token', `${messageOf(error)} So ${lost}.`)
    })
    return {
      ...{ port, address, close },
      get agentsAtWork() {
        return backend.runs?.working ?? 0
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}
