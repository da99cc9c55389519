import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { ParentsOf } from '../sources/run-files.ts'
import { type Counted, type CountTask, notCounted } from './count-session.ts'
import type { CountingCall, CountingReport, CountingTask } from './counting-thread.ts'

/** As many as leave more than half of the processors to others. Each needs some 40 MB. */
const usualThreads = Math.max(1, Math.min(4, Math.floor((availableParallelism() - 1) / 2)))
/** A thread takes 0.1 s to start. */
const idleMs = 10_000
/** Records are short-lived garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/** Counts sessions in threads of their own, started on demand, ended when there is nothing to count for a while. */
export class CountingThreads {
  readonly atOnce: number
  readonly #create: CreateWorker
  readonly #parentsOf: ParentsOf
  readonly #resting = new Map<CountingThread, NodeJS.Timeout>()
  #closed = false

  constructor(create: CreateWorker, parentsOf: ParentsOf, atOnce = usualThreads) {
    this.#create = create
    this.#parentsOf = parentsOf
    this.atOnce = atOnce
  }

  /**
   * A session that takes more memory than a thread may have is unreadable. Resolves as soon as `signal` aborts. Rejects if a thread fails
   * in any other way.
   */
  async count(task: CountTask, signal: AbortSignal): Promise<Counted> {
    const thread = this.#rested(task.givesWay) ?? new CountingThread(this.#create, this.#parentsOf, task.givesWay)
    const counted = thread.count(task, signal).then((result) => {
      this.#rest(thread)
      return result
    })
    return await unlessAborted(counted, signal)
  }

  /** Ends all threads, those that still count when they are done: abort the counts before. */
  close(): void {
    this.#closed = true
    for (const thread of [...this.#resting.keys()]) this.#end(thread)
  }

  #rest(thread: CountingThread): void {
    if (this.#closed) thread.end()
    else if (!thread.ended)
      this.#resting.set(
        thread,
        setTimeout(() => this.#end(thread), idleMs)
      )
  }

  #rested(givesWay: boolean): CountingThread | undefined {
    for (const [thread, timer] of this.#resting) {
      if (thread.givesWay !== givesWay) continue
      clearTimeout(timer)
      this.#resting.delete(thread)
      if (!thread.ended) return thread
    }
    return undefined
  }

  #end(thread: CountingThread): void {
    clearTimeout(this.#resting.get(thread))
    this.#resting.delete(thread)
    thread.end()
  }
}

class CountingThread {
  readonly givesWay: boolean
  readonly #worker: Worker
  readonly #exited: Promise<unknown>
  ended = false

  constructor(create: CreateWorker, parentsOf: ParentsOf, givesWay: boolean) {
    this.givesWay = givesWay
    const workerData: CountingTask = { role: 'library-count', givesWay }
    this.#worker = create({ workerData, name: 'library-count', resourceLimits })
    this.#worker.on('message', (report: CountingReport) => {
      if (report.kind === 'ask')
        void parentsOf(report.paths).then((parents) => this.#post({ kind: 'parents', parents }))
    })
    this.#exited = new Promise((resolve) => {
      this.#worker.once('error', resolve)
      this.#worker.once('exit', () => resolve(null))
    }).then((error) => {
      this.ended = true
      return error
    })
  }

  async count(task: CountTask, signal: AbortSignal): Promise<Counted> {
    const cancel = (): void => this.#post({ kind: 'cancel' })
    const counted = new Promise<Counted>((resolve) => {
      const take = (report: CountingReport): void => {
        if (report.kind !== 'counted') return
        this.#worker.off('message', take)
        resolve(report.counted)
      }
      this.#worker.on('message', take)
    })
    this.#post({ kind: 'count', task })
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    try {
      return await Promise.race([counted, this.#exited.then(lostCount)])
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  end(): void {
    this.ended = true
    void this.#worker.terminate()
  }

  #post(call: CountingCall): void {
    this.#worker.postMessage(call)
  }
}

function lostCount(error: unknown): Counted {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return notCounted
  throw error instanceof Error ? error : new Error('the thread that counts has ended')
}

/** On a busy machine a thread that gives way may take long to notice that it is cancelled. */
async function unlessAborted(counted: Promise<Counted>, signal: AbortSignal): Promise<Counted> {
  let onAbort = (): void => {}
  const aborted = new Promise<Counted>((resolve) => {
    onAbort = () => resolve({ ...notCounted, whole: 'cancelled' })
  })
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([counted, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
