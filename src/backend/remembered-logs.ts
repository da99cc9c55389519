import { messageOf } from '#contract/host-error.ts'
import type { LogStatus, RecentLog } from '#contract/methods.ts'

/** A log that has grown keeps its place in the list, if it is there. */
export type RememberReason = 'opened' | 'grown'

/** The logs opened last, kept between starts. */
export interface RecentStore {
  list(): Promise<RecentLog[]>
  remember(log: RecentLog, why: RememberReason): Promise<void>
}

export interface RememberedLogsOptions {
  readonly recent: RecentStore
  /** The current progress of the log's todo list; null: it has none. */
  readonly todo: (status: LogStatus) => Promise<RecentLog['todo']>
  readonly problem: (message: string) => void
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

interface RememberedLog {
  status: LogStatus
  /** When it was first read to the end; null: not yet. */
  openedAt: number | null
  /** Of the counts that were written. */
  fingerprint: string
}

/** Between two writes of the counts of a growing log. */
const writeDelayMs = 10_000

/** Writes counts of open logs to the recent logs, again after growth: a live run's recording is empty at first. */
export class RememberedLogs {
  readonly #options: RememberedLogsOptions
  readonly #logs = new Map<string, RememberedLog>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: RememberedLogsOptions) {
    this.#options = options
  }

  onStatus(status: LogStatus): void {
    const known = this.#logs.get(status.log) ?? { status, openedAt: null, fingerprint: '' }
    known.status = status
    this.#logs.set(status.log, known)
    if (status.phase !== 'done' || fingerprintOf(status) === known.fingerprint) return
    if (known.openedAt === null) void this.#write()
    else this.#writeLater()
  }

  /** Resolves when all counts are written. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    await this.#write()
  }

  /** To be called when a log was closed. */
  async forget(log: string): Promise<void> {
    await this.settle()
    this.#logs.delete(log)
  }

  /** Latest first. */
  async list(): Promise<RecentLog[]> {
    await this.settle()
    return await this.#options.recent.list()
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => void this.settle(), writeDelayMs).unref()
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      for (const known of this.#logs.values()) {
        const fingerprint = fingerprintOf(known.status)
        if (known.status.phase !== 'done' || fingerprint === known.fingerprint) continue
        known.fingerprint = fingerprint
        await this.#remember(known).catch((error: unknown) => this.#options.problem(messageOf(error)))
      }
    })
    return this.#writing
  }

  async #remember(known: RememberedLog): Promise<void> {
    const { recent, todo: todoOf, now } = this.#options
    const { path, name, bytes, format, agent, events, issues } = known.status
    const { malformed, violation } = issues
    const why: RememberReason = known.openedAt === null ? 'opened' : 'grown'
    const openedAt = (known.openedAt ??= now())
    const todo = await todoOf(known.status).catch(() => null)
    await recent.remember({ path, name, bytes, format, agent, openedAt, events, malformed, violation, todo }, why)
  }
}

/** Of all counts that are written. */
function fingerprintOf({ generation, bytes, format, events, issues, todoSnapshots }: LogStatus): string {
  return JSON.stringify([generation, bytes, format, events, issues.malformed, issues.violation, todoSnapshots])
}
