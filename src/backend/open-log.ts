import { dirname, join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import type { IndexerTask, ReleasedLog } from './indexer/indexer-messages.ts'
import type { LogListener, LogWorker } from './indexer/log-worker.ts'
import type { RunOptions } from './sources/run.ts'
import { type FileVersion, IdleWatch, fileVersionAt } from './sources/idle-watch.ts'

export type LogTask = Omit<IndexerTask, 'resumes'>

export interface OpenLogListener extends LogListener {
  onThreadStarted(): void
  /** The files of a log without a thread have changed; `wake` reads them. */
  onFilesChanged(): void
}

/** An open log. When idle it can release its thread; its files stay watched, and the next call starts a thread again. */
export class OpenLog {
  /** The first status, with the format known; rejects if the log cannot be opened. */
  readonly opened: Promise<LogStatus>
  readonly #task: LogTask
  readonly #startThread: () => LogWorker
  readonly #listener: OpenLogListener
  #worker: LogWorker | null = null
  #released: ReleasedLog | null = null
  #watch: IdleWatch | null = null
  #status: LogStatus | null = null
  #releasing: Promise<boolean> | null = null
  #usedAt = performance.now()
  #closed = false

  /** The first thread starts after `room`. */
  constructor(task: LogTask, room: Promise<void>, startThread: () => LogWorker, listener: OpenLogListener) {
    this.#task = task
    this.#startThread = startThread
    this.#listener = listener
    this.opened = room.then(async () => await this.#start(null).opened)
    // It may be closed before it is awaited.
    this.opened.catch(() => {})
  }

  get id(): string {
    return this.#task.log
  }

  /** The files, for a reader outside the log's thread. */
  get source(): RunOptions {
    return { path: this.#task.path, format: this.#task.format, single: false }
  }

  /** As last reported; null before the first report. */
  get status(): LogStatus | null {
    return this.#status
  }

  get hasThread(): boolean {
    return this.#worker?.alive ?? false
  }

  /** The last call or growth: `performance.now()`. */
  get usedAt(): number {
    return this.#usedAt
  }

  /** No call is pending, as far as the host knows. */
  get isIdle(): boolean {
    return (
      this.#releasing === null && !this.#worker?.isBusy && this.#status !== null && this.#status.phase !== 'reading'
    )
  }

  /** Rejects with a `HostError` of the thread, or one that says that the thread is gone. */
  async call<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    this.#usedAt = performance.now()
    await this.#releasing
    if (this.#worker === null && this.#released === null) await this.opened
    return await this.wake().call(method, params)
  }

  /** The thread, started if there is none. */
  wake(): LogWorker {
    if (this.#worker !== null) return this.#worker
    const worker = this.#start(this.#released)
    this.#listener.onThreadStarted()
    return worker
  }

  /** Ends the thread. False if it is busy: reading, searching, or with bytes that cannot be read again. */
  async release(): Promise<boolean> {
    if (!this.hasThread || !this.isIdle) return false
    this.#releasing = this.#worker?.release() ?? null
    const released = await this.#releasing
    this.#releasing = null
    return released ?? false
  }

  /** Checks the files now. */
  lookAgain(): void {
    this.#worker?.lookAgain()
    this.#watch?.check()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#watch?.close()
    await this.#releasing
    await this.#worker?.close()
  }

  #start(resumes: ReleasedLog | null): LogWorker {
    if (this.#closed) throw new HostError('not-open', 'This log was closed. Open it again.')
    this.#watch?.close()
    this.#watch = null
    this.#usedAt = performance.now()
    const worker = this.#startThread()
    this.#worker = worker
    worker.begin(
      { ...this.#task, resumes },
      {
        status: (status) => {
          if (status.grownAt !== this.#status?.grownAt) this.#usedAt = performance.now()
          this.#status = status
          this.#listener.status(status)
        },
        found: (progress) => this.#listener.found(progress),
        released: (released) => this.#onReleased(released)
      }
    )
    return worker
  }

  #onReleased(released: ReleasedLog): void {
    this.#released = released
    this.#worker = null
    if (!this.#closed) void this.#watchFiles(released)
  }

  async #watchFiles({ files, status, isLost }: ReleasedLog): Promise<void> {
    const { given } = this.#task
    const versions = new Map<string, FileVersion | null>(
      files.map((file) => [file.name === null ? given : join(dirname(status.path), file.name), file])
    )
    // The file at this path is no longer the one that was read.
    if (isLost) versions.set(given, status.fileState === 'there' ? await fileVersionAt(given) : null)
    if (this.#closed || this.#worker !== null || this.#released?.status !== status) return
    this.#watch = new IdleWatch(versions, () => this.#listener.onFilesChanged())
  }
}
