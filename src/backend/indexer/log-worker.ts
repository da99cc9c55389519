import type { Worker, WorkerOptions } from 'node:worker_threads'
import { HostError } from '#contract/host-error.ts'
import type { FindProgress, LogStatus, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import {
  closing,
  type IndexerCall,
  type IndexerReport,
  type IndexerTask,
  looking,
  type LogThread,
  type ReleasedLog,
  releasing
} from './indexer-messages.ts'

/** Starts a thread of `indexer.worker.ts`; the bundler's entry provides it. */
export type CreateWorker = (options: WorkerOptions) => Worker

/** A closing thread may save its index in this time. */
const closingMs = 2000
/** Reading makes much garbage that dies at once. More room only costs memory: docs/decisions/whole-lines.md#memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }
/**
 * V8's heap grows less before a collection: by default it may quadruple, which here would be garbage only. Its compiler
 * copies less into hot functions: docs/decisions/whole-lines.md#compilation.
 */
export const v8Flags = ['--heap-growing-percent=20', '--max-inlined-bytecode-size-cumulative=230'].join(' ')

/** Callbacks for reports of a log. */
export interface LogListener {
  status(status: LogStatus): void
  found(progress: FindProgress): void
}

/** Callbacks for reports of a thread. */
export interface ThreadListener extends LogListener {
  /** The thread released its log: on request, or because it cannot be opened again. No more calls are answered. */
  released(log: ReleasedLog): void
}

interface Waiting {
  resolve(result: Result<LogMethod>): void
  reject(error: HostError): void
}

/** The host's side of a log's thread. */
export class LogWorker {
  /** The first status, with the format known; rejects if the log cannot be opened. */
  readonly opened: Promise<LogStatus>
  readonly #worker: Worker
  #listener: ThreadListener | null = null
  readonly #waiting = new Map<number, Waiting>()
  #resolveOpened: (status: LogStatus) => void = () => {}
  #rejectOpened: (error: HostError) => void = () => {}
  #status: LogStatus | null = null
  #calls = 0
  readonly #exited: Promise<void>
  /** Resolves the pending release; null: none is pending. */
  #answerRelease: ((released: boolean) => void) | null = null
  /** The error of further calls. */
  #ended: HostError | null = null

  /** Starts the thread, which loads its code and waits for a task. */
  constructor(createWorker: CreateWorker) {
    this.opened = new Promise((resolve, reject) => {
      this.#resolveOpened = resolve
      this.#rejectOpened = reject
    })
    // It may reject before anything awaits it.
    this.opened.catch(() => {})
    this.#worker = createWorker({ workerData: { role: 'log' } satisfies LogThread, name: 'indexer', resourceLimits })
    this.#worker.on('message', (report: IndexerReport) => this.#receive(report))
    this.#worker.on('error', (error) => this.#crashed(error))
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#crashed(new Error(`its thread ended with code ${code}`))
        resolve()
      })
    })
  }

  /** It can take a log. */
  get alive(): boolean {
    return this.#ended === null
  }

  /** Assigns the log. Call once. */
  begin(task: IndexerTask, listener: ThreadListener): void {
    this.#listener = listener
    this.#status = task.resumes?.status ?? null
    this.#worker.postMessage(task)
  }

  /** As last reported; null before the first report. */
  get status(): LogStatus | null {
    return this.#status
  }

  /** Calls are pending. */
  get isBusy(): boolean {
    return this.#waiting.size > 0
  }

  /** Rejects with a `HostError`, also if the thread has ended. */
  async call<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    if (this.#ended) throw this.#ended
    const call: IndexerCall = { id: this.#calls++, method, params }
    const result = await new Promise<Result<LogMethod>>((resolve, reject) => {
      this.#waiting.set(call.id, { resolve, reject })
      this.#worker.postMessage(call)
    })
    return result as Result<M>
  }

  /** Checks the files now. */
  lookAgain(): void {
    this.#worker.postMessage(looking)
  }

  /** Asks the thread to release its log. True: released, and the thread has ended; false: it is not idle. */
  async release(): Promise<boolean> {
    if (this.#ended) return false
    const released = await new Promise<boolean>((resolve) => {
      this.#answerRelease = resolve
      this.#worker.postMessage(releasing)
    })
    this.#answerRelease = null
    if (released) await this.#exit()
    return released
  }

  /** Resolves when the thread has ended, terminated after a timeout if need be. */
  async close(): Promise<void> {
    this.#end(new HostError('not-open', 'This log was closed. Open it again.'))
    this.#worker.postMessage(closing)
    await this.#exit()
  }

  async #exit(): Promise<void> {
    const timer = setTimeout(() => void this.#worker.terminate(), closingMs)
    await this.#exited
    clearTimeout(timer)
  }

  #receive(report: IndexerReport): void {
    if (report.kind === 'status') {
      if (this.#ended) return
      this.#status = report.status
      this.#resolveOpened(report.status)
      this.#listener?.status(report.status)
      return
    }
    if (report.kind === 'found') {
      if (!this.#ended) this.#listener?.found(report.progress)
      return
    }
    if (report.kind === 'kept') return this.#answerRelease?.(false)
    if (report.kind === 'released') return this.#letGo(report.released)
    const waiting = this.#waiting.get(report.id)
    this.#waiting.delete(report.id)
    if (report.kind === 'result') waiting?.resolve(report.result)
    else waiting?.reject(new HostError(report.code, report.message))
  }

  /** Callers get the same error whether the file was found missing before or after their call. */
  #letGo(log: ReleasedLog): void {
    if (this.#ended) return
    const { error, fileState, path } = log.status
    const lost = fileState === 'gone' ? `${path} does not exist; check the path` : `${path} can no longer be read.`
    const message = error?.message ?? lost
    this.#end(new HostError('unavailable', message), true)
    this.#listener?.released(log)
  }

  #crashed(error: unknown): void {
    if (this.#ended) return
    const failure = crashOf(error)
    this.#end(failure)
    if (!this.#status) return
    this.#status = { ...this.#status, phase: 'failed', error: { code: failure.code, message: failure.message } }
    this.#listener?.status(this.#status)
  }

  #end(error: HostError, released = false): void {
    this.#ended ??= error
    this.#answerRelease?.(released)
    this.#rejectOpened(error)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function crashOf(error: unknown): HostError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new HostError(
      'unavailable',
      'There is not enough memory to read this log. Close other logs and open it again.'
    )
  }
  // The message may quote the log.
  const name = error instanceof Error ? error.name : typeof error
  return new HostError(
    'internal',
    `Playhead failed to read this log (${name}). Other logs are not affected. Please report this.`
  )
}
