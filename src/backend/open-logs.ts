import { type LogStatus, HostError, type Notice, type NoticeName } from '#contract/methods.ts'
import { type CreateWorker, LogWorker } from './indexer/log-worker.ts'
import { LogFile } from './sources/log-file.ts'

export interface OpenLogsOptions {
  readonly createWorker: CreateWorker
  /** The folder in which indexes of logs are kept; null: they are not. */
  readonly cache: string | null
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** A log was read to its end. */
  readonly onDone: (worker: LogWorker, status: LogStatus) => void
}

/** The logs that are open, each with the thread that owns it, in the order they were opened. */
export class OpenLogs {
  readonly #options: OpenLogsOptions
  readonly #workers = new Map<string, LogWorker>()
  /** By real path and forced format: opening a log twice finds it, also while it is being opened. */
  readonly #byPath = new Map<string, string>()
  #opened = 0
  /** A thread that waits for a log. */
  #spare: LogWorker | null = null

  constructor(options: OpenLogsOptions) {
    this.#options = options
  }

  list(): LogStatus[] {
    return [...this.#workers.values()].flatMap(({ status }) => status ?? [])
  }

  /** Throws a `HostError` where `path` is no readable file or `format` no known format. */
  async open(path: string, format: string | null): Promise<LogStatus> {
    // What the formats are made of is for the threads of logs: here it would take 7 MB for a name.
    if (format !== null) (await import('./sources/choose-format.ts')).formatNamed(format)
    const file = await LogFile.open(path)
    await file.close()
    const key = JSON.stringify([file.path, format])
    const before = this.#workers.get(this.#byPath.get(key) ?? '')
    // One that was opened through a link may show another file by now.
    const known = before?.status && before.status.path !== file.path ? undefined : before
    // A log that could not be read is tried again.
    if (known && known.status?.phase !== 'failed') return known.status ?? (await known.opened)
    if (known?.status) {
      await this.close(known.status.log)
      // Somebody else may have opened it meanwhile.
      return await this.open(path, format)
    }
    return await this.#start(file, format, key)
  }

  /** Throws `not-open` for an id that is none of an open log's. */
  worker(log: string): LogWorker {
    const worker = this.#workers.get(log)
    if (worker) return worker
    throw new HostError('not-open', 'This log is not open; open it again.')
  }

  status(log: string): LogStatus {
    const { status } = this.worker(log)
    if (status) return status
    throw new HostError('unavailable', 'The log is still being opened; ask again.')
  }

  async close(log: string): Promise<void> {
    const worker = this.worker(log)
    this.#workers.delete(log)
    for (const [key, id] of this.#byPath) if (id === log) this.#byPath.delete(key)
    await worker.close()
  }

  /** Starts the thread of the first log before there is one: loading its code takes longer than showing its first rows. */
  warm(): void {
    if (this.#workers.size === 0) this.#spare ??= new LogWorker(this.#options.createWorker)
  }

  lookAgain(): void {
    for (const worker of this.#workers.values()) worker.lookAgain()
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#workers.keys()].map((log) => this.close(log)))
    await this.#spare?.close()
  }

  async #start({ path, given }: LogFile, format: string | null, key: string): Promise<LogStatus> {
    const { createWorker, cache, notify, onDone } = this.#options
    const log = `log-${++this.#opened}`
    let known: LogStatus | null = null
    const worker = this.#spare?.alive ? this.#spare : new LogWorker(createWorker)
    this.#spare = null
    worker.begin(
      { log, path, given, format, cache },
      {
        status(status) {
          notify('log.progress', status)
          if (status.phase === 'done' && known?.phase !== 'done') onDone(worker, status)
          known = status
        },
        found: (progress) => notify('log.found', progress)
      }
    )
    this.#workers.set(log, worker)
    this.#byPath.set(key, log)
    try {
      return await worker.opened
    } catch (error) {
      // Its thread died before it said anything: the next time another one tries.
      if (this.#workers.get(log) === worker) await this.close(log)
      throw error
    }
  }
}
