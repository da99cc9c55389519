import type { Worker } from 'node:worker_threads'
import type { compareMethods, LogComparison } from '#contract/compare.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Notice } from '#contract/methods.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { RunOptions } from '../sources/run.ts'
import type { CompareTask } from './compare-thread.ts'
import { reportOf } from './thread-report.ts'

/** One more ends the oldest: its page asks for another one or is gone. */
const maxParallel = 4

export interface ComparisonsOptions {
  readonly createWorker: CreateWorker
  /** The files of an open log; throws a `HostError` if it is not open. */
  source(log: string): RunOptions
  progress(progress: Notice<'compare.progress'>): void
}

interface Running {
  readonly worker: Worker
  readonly reject: (error: HostError) => void
}

/** Running comparisons, each in a thread of its own, so that the logs stay responsive. */
export class Comparisons {
  readonly handlers: Pick<Handlers, keyof typeof compareMethods> = {
    'compare.logs': async ({ a, b }) => await this.#compare(a, b),
    'compare.end': async ({ a, b }) => {
      await this.#end(keyOf(a, b))
      return {}
    }
  }
  readonly #options: ComparisonsOptions
  readonly #running = new Map<string, Running>()

  constructor(options: ComparisonsOptions) {
    this.#options = options
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((key) => this.#end(key)))
  }

  async #compare(a: string, b: string): Promise<LogComparison> {
    const { createWorker, source, progress } = this.#options
    const task: CompareTask = { role: 'compare', a: source(a), b: source(b) }
    const key = keyOf(a, b)
    void this.#end(key)
    const worker = createWorker({ workerData: task, name: 'compare' })
    try {
      return await new Promise<LogComparison>((resolve, reject) => {
        this.#running.set(key, { worker, reject })
        for (const oldest of [...this.#running.keys()].slice(0, -maxParallel)) void this.#end(oldest)
        reportOf<LogComparison>(worker, (read, all) => progress({ a, b, read, all })).then(resolve, reject)
      })
    } finally {
      if (this.#running.get(key)?.worker === worker) this.#running.delete(key)
      await worker.terminate()
    }
  }

  async #end(key: string): Promise<void> {
    const running = this.#running.get(key)
    this.#running.delete(key)
    running?.reject(new HostError('unavailable', 'Comparing was stopped.'))
    await running?.worker.terminate()
  }
}

function keyOf(a: string, b: string): string {
  return `${a} ${b}`
}
