import { dirname, join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import type { IndexerTask, ReleasedLog } from './indexer/indexer-messages.ts'
import type { LogListener, LogWorker } from './indexer/log-worker.ts'
import type { RunOptions } from './sources/run.ts'
import { type FileVersion, IdleWatch, fileVersionAt } from './sources/idle-watch.ts'

/** Which log it is. */
export type LogTask = Omit<IndexerTask, 'resumes'>

/** Who is told of an open log. */
export interface OpenLogListener extends LogListener {
  /** It has a thread again, since somebody asked for it. */
  awoke(): void
  /** It has no thread, and its files are no longer as they were: `wake` shows what has become of them. */
  stirred(): void
}

/**
 * An open log. It is read, followed and answered for by a thread of its own, which it may let go of while nothing is going on: it stays open with
 * all that is known of it, its files are watched from here, and the next call starts a thread that goes on where the one before was.
 */
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

  /** The first thread is started once there is `room` for it. */
  constructor(task: LogTask, room: Promise<void>, startThread: () => LogWorker, listener: OpenLogListener) {
    this.#task = task
    this.#startThread = startThread
    this.#listener = listener
    this.opened = room.then(async () => await this.#start(null).opened)
    // It may be closed before anybody waits for it.
    this.opened.catch(() => {})
  }

  get id(): string {
    return this.#task.log
  }

  /** Which files it is, for whoever reads it apart from its thread. */
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

  /** When it was asked something, or grew, last: ms on the clock of the process. */
  get usedAt(): number {
    return this.#usedAt
  }

  /** Nobody waits for its thread, as far as can be told from here. */
  get isIdle(): boolean {
    return (
      this.#releasing === null && !this.#worker?.isBusy && this.#status !== null && this.#status.phase !== 'reading'
    )
  }

  /** Rejects with a `HostError`: the thread's own, or one that says that it is gone. */
  async call<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    this.#usedAt = performance.now()
    await this.#releasing
    if (this.#worker === null && this.#released === null) await this.opened
    return await this.wake().call(method, params)
  }

  /** Its thread, started if it has none. */
  wake(): LogWorker {
    if (this.#worker !== null) return this.#worker
    const worker = this.#start(this.#released)
    this.#listener.awoke()
    return worker
  }

  /** Lets go of the thread. False where something is going on in it: the log is read, searched, or holds what only it can read. */
  async release(): Promise<boolean> {
    if (!this.hasThread || !this.isIdle) return false
    this.#releasing = this.#worker?.release() ?? null
    const released = await this.#releasing
    this.#releasing = null
    return released ?? false
  }

  /** Looks at its files now. */
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
        released: (released) => this.#rest(released)
      }
    )
    return worker
  }

  #rest(released: ReleasedLog): void {
    this.#released = released
    this.#worker = null
    if (!this.#closed) void this.#watchFiles(released)
  }

  async #watchFiles({ files, status, isLost }: ReleasedLog): Promise<void> {
    const { given } = this.#task
    const marks = new Map<string, FileVersion | null>(
      files.map((file) => [file.name === null ? given : join(dirname(status.path), file.name), file])
    )
    // As it is now it cannot be opened.
    if (isLost) marks.set(given, status.fileState === 'there' ? await fileVersionAt(given) : null)
    if (this.#closed || this.#worker !== null || this.#released?.status !== status) return
    this.#watch = new IdleWatch(marks, () => this.#listener.stirred())
  }
}
