import { randomBytes } from 'node:crypto'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import { type CreateWorker, LogWorker } from './indexer/log-worker.ts'
import { OpenLog } from './open-log.ts'
import type { RunOptions } from './sources/run.ts'
import { LogFile } from './sources/log-file.ts'

export interface OpenLogsOptions {
  readonly createWorker: CreateWorker
  /** The folder in which indexes of logs are kept; null: they are not. */
  readonly cache: string | null
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** A log says how far it is. */
  readonly onStatus: (status: LogStatus) => void
  /** So many logs keep their threads; 16 by default. */
  readonly maxThreads?: number
}

const idsOfProcess = randomBytes(6).toString('hex')

/** The id of the nth log of a host. A page whose host was started again has logs of the one before, and is not to take these for them. */
export function logId(n: number): string {
  return `log-${idsOfProcess}-${n}`
}

/** A thread takes some 20 MB whatever its log is. */
const threadsByDefault = 16
/** A log that is opened waits so long, in ms, for another one to let go of its thread; then there is one thread more. */
const patienceMs = 1000
/** A log without a thread that has changed takes the place of one that was left alone for so long, in ms. */
const restedMs = 3000
/** Where none was left alone for so long, logs that grow take turns: so many ms between two. */
const turnMs = 2000
/** Between two looks whether there are too many threads, in ms. */
const tendMs = 1000

/**
 * The logs that are open, in the order they were opened. Each has a thread that reads it and answers for it; where there are more than
 * `maxThreads` of them, logs let go of theirs, the one first that was asked nothing, and has not grown, for the longest time. Nobody sees that:
 * the next call, and any change of its files, gives a log a thread again.
 */
export class OpenLogs {
  readonly #options: OpenLogsOptions
  readonly #maxThreads: number
  readonly #logs = new Map<string, OpenLog>()
  /** By real path and forced format: opening a log twice finds it, also while it is being opened. */
  readonly #byPath = new Map<string, string>()
  #opened = 0
  /** A thread that waits for a log. */
  #spare: LogWorker | null = null
  /** Logs without threads that have changed, and since when. */
  readonly #stirred = new Map<OpenLog, number>()
  /** Logs that are opened wait for room one after the other. */
  #rooms: Promise<void> = Promise.resolve()
  #tendTimer: NodeJS.Timeout | null = null
  #isTending = false
  #turnAt = -Infinity
  #closed = false

  constructor(options: OpenLogsOptions) {
    this.#options = options
    this.#maxThreads = options.maxThreads ?? threadsByDefault
  }

  list(): LogStatus[] {
    return [...this.#logs.values()].flatMap(({ status }) => status ?? [])
  }

  /** How many logs have threads. */
  get threads(): number {
    return this.#withThreads.length
  }

  /** Throws a `HostError` where `path` is no readable file or `format` no known format. */
  async open(path: string, format: string | null): Promise<LogStatus> {
    // What the formats are made of is for the threads of logs: here it would take 7 MB for a name.
    if (format !== null) (await import('./sources/choose-format.ts')).formatNamed(format)
    const file = await LogFile.open(path)
    await file.close()
    const key = JSON.stringify([file.path, format])
    const before = this.#logs.get(this.#byPath.get(key) ?? '')
    // One that was opened through a link may show another file by now.
    const known = before?.status && before.status.path !== file.path ? undefined : before
    // A log that could not be read is tried again.
    if (known && known.status?.phase !== 'failed') return known.status ?? (await known.opened)
    if (known?.status) {
      await this.close(known.id)
      // Somebody else may have opened it meanwhile.
      return await this.open(path, format)
    }
    return await this.#start(file, format, key)
  }

  /** Asks a log, which gets a thread if it has none. Throws `not-open` for an id that is none of an open log's. */
  async call<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    const result = await this.#log(params.log).call(method, params)
    if (this.threads > this.#maxThreads) this.#tendIn(0)
    return result
  }

  source(log: string): RunOptions {
    return this.#log(log).source
  }

  status(log: string): LogStatus {
    const { status } = this.#log(log)
    if (status) return status
    throw new HostError('unavailable', 'The log is still being opened. Try again in a moment.')
  }

  async close(id: string): Promise<void> {
    const log = this.#log(id)
    this.#logs.delete(id)
    this.#stirred.delete(log)
    for (const [key, known] of this.#byPath) if (known === id) this.#byPath.delete(key)
    await log.close()
  }

  /** Starts the thread of the first log before there is one: loading its code takes longer than showing its first rows. */
  warm(): void {
    this.#spare ??= new LogWorker(this.#options.createWorker)
  }

  get isEmpty(): boolean {
    return this.#logs.size === 0
  }

  lookAgain(): void {
    for (const log of this.#logs.values()) log.lookAgain()
  }

  async closeAll(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#tendTimer ?? undefined)
    await Promise.all([...this.#logs.keys()].map((log) => this.close(log)))
    await this.#spare?.close()
  }

  get #withThreads(): OpenLog[] {
    return [...this.#logs.values()].filter(({ hasThread }) => hasThread)
  }

  #log(id: string): OpenLog {
    const log = this.#logs.get(id)
    if (log) return log
    throw new HostError('not-open', 'This log is not open. Open it again.')
  }

  async #start({ path, given }: LogFile, format: string | null, key: string): Promise<LogStatus> {
    const { cache, notify, onStatus } = this.#options
    const id = logId(++this.#opened)
    const log = new OpenLog({ log: id, path, given, format, cache }, this.#room(), () => this.#thread(), {
      status: (status) => {
        notify('log.progress', status)
        onStatus(status)
      },
      found: (progress) => notify('log.found', progress),
      awoke: () => {
        this.#stirred.delete(log)
        this.#tendIn(0)
      },
      stirred: () => {
        this.#stirred.set(log, performance.now())
        this.#tendIn(0)
      }
    })
    this.#logs.set(id, log)
    this.#byPath.set(key, id)
    try {
      return await log.opened
    } catch (error) {
      // Its thread died before it said anything: the next time another one tries.
      if (this.#logs.get(id) === log) await this.close(id)
      throw error
    }
  }

  #thread(): LogWorker {
    const worker = this.#spare?.alive ? this.#spare : new LogWorker(this.#options.createWorker)
    this.#spare = null
    return worker
  }

  /** Resolves when another log may have a thread. */
  #room(): Promise<void> {
    this.#rooms = this.#rooms.then(async () => {
      const until = performance.now() + patienceMs
      while (this.threads >= this.#maxThreads && !this.#closed) {
        if ((await this.#releaseOne(0)) || performance.now() >= until) break
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      this.#tendIn(tendMs)
    })
    return this.#rooms
  }

  /** The log that was left alone the longest lets go of its thread, if it was so for at least `restedFor` ms. False: none can. */
  async #releaseOne(restedFor: number): Promise<boolean> {
    const before = performance.now() - restedFor
    const idle = this.#withThreads.filter((log) => log.isIdle && log.usedAt <= before)
    for (const log of idle.sort((a, b) => a.usedAt - b.usedAt)) {
      if (log.isIdle && (await log.release())) return true
    }
    return false
  }

  #tendIn(ms: number): void {
    if (this.#closed || this.#isTending) return
    if (ms > 0 && this.#tendTimer !== null) return
    clearTimeout(this.#tendTimer ?? undefined)
    this.#tendTimer = setTimeout(() => void this.#tend(), ms)
    this.#tendTimer.unref()
  }

  /** Brings the number of threads down, and gives one to logs that have changed. */
  async #tend(): Promise<void> {
    this.#tendTimer = null
    this.#isTending = true
    while (!this.#closed && this.threads > this.#maxThreads && (await this.#releaseOne(0)));
    for (const [log, since] of this.#stirred) {
      if (this.#closed || !(await this.#hasRoomFor(since))) break
      // It may have been asked for, or closed, meanwhile.
      if (this.#stirred.delete(log)) log.wake()
    }
    this.#isTending = false
    if (this.#stirred.size > 0 || this.threads > this.#maxThreads) this.#tendIn(tendMs)
  }

  /** Whether a log that has changed may have a thread now. */
  async #hasRoomFor(since: number): Promise<boolean> {
    if (this.threads < this.#maxThreads || (await this.#releaseOne(restedMs))) return true
    const now = performance.now()
    if (now - since < restedMs || now - this.#turnAt < turnMs) return false
    this.#turnAt = now
    return true
  }
}
