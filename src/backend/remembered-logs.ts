import type { LogStatus, RecentLog } from '#contract/methods.ts'

/** Why a log is told of: it was opened; or more is in it than before, and it stays where it stands in the list, if it does. */
export type Remembering = 'opened' | 'grown'

/** Remembers logs between starts. */
export interface RecentStore {
  list(): Promise<RecentLog[]>
  remember(log: RecentLog, why: Remembering): Promise<void>
}

export interface RememberedLogsOptions {
  readonly recent: RecentStore
  /** How far the log's todo list is now; null: it has none. */
  readonly todo: (status: LogStatus) => Promise<RecentLog['todo']>
  readonly problem: (message: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/** An open log. */
interface Known {
  status: LogStatus
  /** When it was read for the first time; null: it never was. */
  openedAt: number | null
  /** The counts that are remembered. */
  print: string
}

/** Counts of a log that grows are written down so often, in ms. */
const keepMs = 10_000

/**
 * Has open logs remembered with what is in them. A log may grow while it is open, and the recording of a live run is opened while it is empty: what
 * was counted at first is not what is in it.
 */
export class RememberedLogs {
  readonly #options: RememberedLogsOptions
  readonly #logs = new Map<string, Known>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: RememberedLogsOptions) {
    this.#options = options
  }

  /** An open log says how far it is. */
  heard(status: LogStatus): void {
    const known = this.#logs.get(status.log) ?? { status, openedAt: null, print: '' }
    known.status = status
    this.#logs.set(status.log, known)
    if (status.phase !== 'done' || printOf(status) === known.print) return
    if (known.openedAt === null) void this.#write()
    else this.#writeLater()
  }

  /** Resolves when all that is in the open logs is remembered. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    await this.#write()
  }

  /** It is no longer open. */
  async forget(log: string): Promise<void> {
    await this.settle()
    this.#logs.delete(log)
  }

  /** The last ones first. */
  async list(): Promise<RecentLog[]> {
    await this.settle()
    return await this.#options.recent.list()
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => void this.settle(), keepMs).unref()
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      for (const known of this.#logs.values()) {
        const print = printOf(known.status)
        if (known.status.phase !== 'done' || print === known.print) continue
        known.print = print
        await this.#remember(known).catch((error: unknown) =>
          this.#options.problem(error instanceof Error ? error.message : String(error))
        )
      }
    })
    return this.#writing
  }

  async #remember(known: Known): Promise<void> {
    const { recent, todo: todoOf, now } = this.#options
    const { path, name, bytes, format, agent, events, issues } = known.status
    const { malformed, violation } = issues
    const why: Remembering = known.openedAt === null ? 'opened' : 'grown'
    const openedAt = (known.openedAt ??= now())
    const todo = await todoOf(known.status).catch(() => null)
    await recent.remember({ path, name, bytes, format, agent, openedAt, events, malformed, violation, todo }, why)
  }
}

/** Of all that is remembered of its content. */
function printOf({ generation, bytes, format, events, issues, todoSnapshots }: LogStatus): string {
  return JSON.stringify([generation, bytes, format, events, issues.malformed, issues.violation, todoSnapshots])
}
