import { createBackend, type HandlersOptions, type HostFacts } from '#backend/handlers.ts'
import type { Params } from '#contract/methods.ts'
import { startLoopback, type Loopback } from './loopback.ts'

export interface ServerOptions {
  /** 0: any free port. */
  readonly port: number
  /** Opened before the server says it is there, in this order. */
  readonly logs: readonly Params<'log.open'>[]
  readonly createWorker: HandlersOptions['createWorker']
  readonly facts: Pick<HostFacts, 'version' | 'sample' | 'hook'>
  readonly recent: HandlersOptions['recent']
  readonly reviews: HandlersOptions['reviews']
  readonly cache?: string
  /** The folder for live runs and tasks; absent: no agents are started. */
  readonly state?: string
  /** Folder of the built page, `out/renderer`. */
  readonly root: string
  /** Hears of what failed inside, with the method or the kind of request. The page is told no more than that it did. */
  readonly onFault?: (what: string, fault: unknown) => void
}

export interface RunningServer {
  /** With the token: whoever knows it may read every log this person can. */
  readonly url: string
  readonly port: number
  /** How many agents `close` stops, which may take them seconds. */
  readonly agentsAtWork: number
  /** Stops live runs, and ends connections, threads and what was dropped. */
  close(): Promise<void>
}

/**
 * The loopback host: the page, the contract and the logs behind it, on 127.0.0.1. Rejects with a `HostError` if the port
 * cannot be had or a log cannot be opened; nothing is left running then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let loopback: Loopback | null = null
  const backend = createBackend({
    createWorker: options.createWorker,
    facts: { ...options.facts, host: 'browser', dropUpload: true },
    recent: options.recent,
    reviews: options.reviews,
    ...(options.cache === undefined ? {} : { cache: options.cache }),
    ...(options.state === undefined ? {} : { state: options.state }),
    problem: (message) => options.onFault?.('live runs', message),
    notify: (name, payload) => loopback?.notify(name, payload)
  })
  const close = async (): Promise<void> => {
    await loopback?.close()
    await backend.close()
  }
  try {
    for (const log of options.logs) await backend.handlers['log.open'](log)
    backend.warm()
    loopback = await startLoopback({
      port: options.port,
      root: options.root,
      handlers: backend.handlers,
      runs: backend.runs,
      onFault: options.onFault ?? (() => {})
    })
    const { url, port } = loopback
    return {
      ...{ url, port, close },
      get agentsAtWork() {
        return backend.runs?.working ?? 0
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}
