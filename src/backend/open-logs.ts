import { randomBytes } from 'node:crypto'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import { type CreateWorker, LogWorker } from './indexer/log-worker.ts'
import { OpenLog } from './open-log.ts'
import type { RunOptions } from './sources/run.ts'
import { LogFile } from './sources/log-file.ts'
import { sessionIn } from '#core/formats/session-database.ts'

export interface OpenLogsOptions {
  readonly createWorker: CreateWorker
  /** The folder for saved indexes; null: none are saved. */
  readonly cache: string | null
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  readonly onStatus: (status: LogStatus) => void
  /** Threads of idle logs; 16 by default. */
  readonly maxThreads?: number
}

const idsOfProcess = randomBytes(6).toString('hex')

/** Unique across restarts of the host: a page may still have ids of an earlier host. */
export function logId(n: number): string {
  return `log-${idsOfProcess}-${n}`
}

/** A thread takes about 20 MB, whatever its log. */
const defaultThreads = 16
/** A new log waits this long for a free thread, then starts one more. */
const roomWaitMs = 1000
/** A changed log without a thread replaces one that was idle this long. */
const minIdleMs = 3000
/** If no log was idle that long, growing logs take turns. */
const growingTurnMs = 2000
const balanceMs = 1000

/** Open logs in order. Above `maxThreads` the log idle longest loses its thread until its next call or change. */
export class OpenLogs {
  readonly #options: OpenLogsOptions
  readonly #maxThreads: number
  readonly #logs = new Map<string, OpenLog>()
  /** Log ids by real path and forced format, also of logs that are being opened. */
  readonly #byPath = new Map<string, string>()
  #opened = 0
  /** A started thread without a log. */
  #spare: LogWorker | null = null
  /** Changed logs without threads, with the time of the change. */
  readonly #changed = new Map<OpenLog, number>()
  /** Opened logs wait for room in order. */
  #rooms: Promise<void> = Promise.resolve()
  #threadTimer: NodeJS.Timeout | null = null
  #isBalancing = false
  #turnAt = -Infinity
  #closed = false

  constructor(options: OpenLogsOptions) {
    this.#options = options
    this.#maxThreads = options.maxThreads ?? defaultThreads
  }

  list(): LogStatus[] {
    return [...this.#logs.values()].flatMap(({ status }) => status ?? [])
  }

  get threads(): number {
    return this.#withThreads.length
  }

  /** Throws a `HostError` if `path` is not a readable file or `format` is unknown. */
  async open(path: string, format: string | null): Promise<LogStatus> {
    // The code of the formats takes 7 MB, which only threads need.
    if (format !== null) (await import('./sources/choose-format.ts')).formatNamed(format)
    const file = await whereIs(path)
    const key = JSON.stringify([file.path, format])
    const before = this.#logs.get(this.#byPath.get(key) ?? '')
    // A link may point to another file by now.
    const known = before?.status && before.status.path !== file.path ? undefined : before
    // A failed log is read again.
    if (known && known.status?.phase !== 'failed') return known.status ?? (await known.opened)
    if (known?.status) {
      await this.close(known.id)
      // Another call may have opened it meanwhile.
      return await this.open(path, format)
    }
    return await this.#start(file, format, key)
  }

  /** Throws `not-open` for an unknown id. */
  async call<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    const result = await this.#log(params.log).call(method, params)
    if (this.threads > this.#maxThreads) this.#balanceIn(0)
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
    this.#changed.delete(log)
    for (const [key, known] of this.#byPath) if (known === id) this.#byPath.delete(key)
    await log.close()
  }

  /** Starts a thread ahead: loading its code takes longer than showing the first rows. */
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
    clearTimeout(this.#threadTimer ?? undefined)
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

  async #start(
    { path, given }: { readonly path: string; readonly given: string },
    format: string | null,
    key: string
  ): Promise<LogStatus> {
    const { cache, notify, onStatus } = this.#options
    const id = logId(++this.#opened)
    const log = new OpenLog({ log: id, path, given, format, cache }, this.#room(), () => this.#thread(), {
      status: (status) => {
        notify('log.progress', status)
        onStatus(status)
      },
      found: (progress) => notify('log.found', progress),
      onThreadStarted: () => {
        this.#changed.delete(log)
        this.#balanceIn(0)
      },
      onFilesChanged: () => {
        this.#changed.set(log, performance.now())
        this.#balanceIn(0)
      }
    })
    this.#logs.set(id, log)
    this.#byPath.set(key, id)
    try {
      return await log.opened
    } catch (error) {
      // The thread died before its first message; the next `open` starts another one.
      if (this.#logs.get(id) === log) await this.close(id)
      throw error
    }
  }

  #thread(): LogWorker {
    const worker = this.#spare?.alive ? this.#spare : new LogWorker(this.#options.createWorker)
    this.#spare = null
    return worker
  }

  /** Resolves when another thread may start. */
  #room(): Promise<void> {
    this.#rooms = this.#rooms.then(async () => {
      const until = performance.now() + roomWaitMs
      while (this.threads >= this.#maxThreads && !this.#closed) {
        if ((await this.#releaseOne(0)) || performance.now() >= until) break
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      this.#balanceIn(balanceMs)
    })
    return this.#rooms
  }

  /** Releases the thread of the log that was idle longest, and at least `idleMs`. False: there is none. */
  async #releaseOne(idleMs: number): Promise<boolean> {
    const before = performance.now() - idleMs
    const idle = this.#withThreads.filter((log) => log.isIdle && log.usedAt <= before)
    for (const log of idle.sort((a, b) => a.usedAt - b.usedAt)) {
      if (log.isIdle && (await log.release())) return true
    }
    return false
  }

  #balanceIn(ms: number): void {
    if (this.#closed || this.#isBalancing) return
    if (ms > 0 && this.#threadTimer !== null) return
    clearTimeout(this.#threadTimer ?? undefined)
    this.#threadTimer = setTimeout(() => void this.#balance(), ms)
    this.#threadTimer.unref()
  }

  /** Ends surplus threads, then starts threads for changed logs. */
  async #balance(): Promise<void> {
    this.#threadTimer = null
    this.#isBalancing = true
    while (!this.#closed && this.threads > this.#maxThreads && (await this.#releaseOne(0)));
    for (const [log, since] of this.#changed) {
      if (this.#closed || !(await this.#hasRoomFor(since))) break
      // It may have been started or closed meanwhile.
      if (this.#changed.delete(log)) log.wake()
    }
    this.#isBalancing = false
    if (this.#changed.size > 0 || this.threads > this.#maxThreads) this.#balanceIn(balanceMs)
  }

  /** Whether a log that changed at `since` may have a thread now. */
  async #hasRoomFor(since: number): Promise<boolean> {
    if (this.threads < this.#maxThreads || (await this.#releaseOne(minIdleMs))) return true
    const now = performance.now()
    if (now - since < minIdleMs || now - this.#turnAt < growingTurnMs) return false
    this.#turnAt = now
    return true
  }
}

/** The real path of a log, or the address of a session in a database, whose code is loaded only then. */
async function whereIs(path: string): Promise<{ readonly path: string; readonly given: string }> {
  if (sessionIn(path) === null) {
    const file = await LogFile.open(path)
    const start = await file.read(0, 16).finally(() => file.close())
    if (!start.toString('latin1').startsWith('SQLite format 3\0')) return file
  }
  const { storedSession } = await import('./sources/stored-log.ts')
  const stored = await storedSession(path)
  if (stored !== null) return { path: stored.address, given: path }
  const file = await LogFile.open(path)
  await file.close()
  return file
}
