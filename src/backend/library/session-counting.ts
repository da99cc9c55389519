import type { SessionCard, SessionPreview } from '#core/library/session-card.ts'
import type { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { ListedSessions } from './listed-sessions.ts'
import type { ReadBytes } from './read-bytes.ts'
import { knownParent } from './session-cards.ts'
import { setImmediate } from 'node:timers/promises'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { ParentsOf } from '../sources/run-files.ts'
import { type Counted, type CountSession, countSession, type WholeSession } from './count-session.ts'
import { CountingThreads } from './counting-threads.ts'

/** A growing log is read whole this often at most, in at most a tenth of the time. */
const growingMs = 10_000
const countShare = 10

export interface CountingOptions {
  readonly bytes: ReadBytes
  readonly now: () => number
  /** Counts changed. */
  readonly changed: () => void
  /** Null: sessions are counted in this thread, one at a time. */
  readonly createWorker: CreateWorker | null
}

/** Counts sessions by reading whole logs, newest first: in the background several at once, on request at once and in this thread. */
export class SessionCounting {
  readonly #logs: KnownLogs
  readonly #listed: ListedSessions
  readonly #options: CountingOptions
  /** When a log was counted, and for how many ms it was read. */
  readonly #countedAt = new WeakMap<LibraryLog, { readonly at: number; readonly tookMs: number }>()
  /** Newest last; null: outdated. */
  #toCount: SessionCard[] | null = null
  /** The version of the cards that `#toCount` is from. */
  #version = -1
  readonly #counting = new Map<string, Promise<Counted>>()
  readonly #threads: CountingThreads | null
  readonly #inBackground: CountSession
  #running = 0
  /** Stops counts in the background. */
  #pausing = new AbortController()
  readonly #closing = new AbortController()
  #againAt = Infinity

  constructor(logs: KnownLogs, listed: ListedSessions, options: CountingOptions) {
    this.#logs = logs
    this.#listed = listed
    this.#options = options
    const { createWorker } = options
    const threads = createWorker === null ? null : new CountingThreads(createWorker, this.#parentsOf)
    this.#threads = threads
    this.#inBackground = threads === null ? this.#countHere : async (task, signal) => await threads.count(task, signal)
  }

  /** Sessions that are counted in the background now. */
  get running(): number {
    return this.#running
  }

  get left(): number {
    return this.#toCount?.length ?? 0
  }

  /** When a growing log may be counted again. */
  get againAt(): number {
    return this.#againAt
  }

  hasMore(): boolean {
    if (this.#version !== this.#listed.version || this.#againAt <= this.#options.now()) this.#toCount = null
    this.#version = this.#listed.version
    this.#toCount ??= this.#findToCount()
    return this.#toCount.length > 0
  }

  /** Counts the next session in the background. `givesWay`: as in `CountTask`. Null: there is none, or as many are counted as may be at once. */
  next(givesWay: boolean): Promise<void> | null {
    if (this.#running >= (this.#threads?.atOnce ?? 1)) return null
    if (!this.hasMore()) this.#listed.refresh()
    const card = this.hasMore() ? this.#toCount?.pop() : undefined
    const log = card && this.#listed.logOf(card)
    if (card === undefined || log === undefined) return null
    return this.#countNext(card, log, givesWay)
  }

  async #countNext(card: SessionCard, log: LibraryLog, givesWay: boolean): Promise<void> {
    this.#running++
    try {
      const count: CountSession = async (task, signal) => await this.#inBackground({ ...task, givesWay }, signal)
      const whole = await this.#countAll(card, log, count, this.#pausing.signal)
      if (whole === 'cancelled') this.#toCount = null
    } finally {
      this.#running--
    }
  }

  /** Cancels the counts in the background. */
  pause(): void {
    this.#pausing.abort()
    this.#pausing = new AbortController()
  }

  close(): void {
    this.#closing.abort()
    this.pause()
    this.#threads?.close()
  }

  /** Ids of matching sessions whose counts are missing or outdated. */
  uncounted(where: string): string[] {
    return this.#listed
      .matching(where)
      .filter((card) => this.#isUncounted(card, this.#listed.logOf(card)))
      .map(({ id }) => id)
  }

  async previewOf(session: string): Promise<SessionPreview | null> {
    const { card, log } = this.#listed.entry(session)
    if (log.head?.card == null) return null
    const fingerprint = this.#listed.fingerprintOf(card, log)
    const kept = log.counted?.fingerprint === fingerprint ? this.#logs.preview(log, fingerprint) : null
    if (kept !== null) return kept
    // A large log that grows is not read again for each change.
    const before = this.#isCountedLately(log) ? this.#logs.preview(log, log.counted?.fingerprint ?? '') : null
    if (before !== null) return before
    const whole = await this.#countAll(card, log, this.#countHere, this.#closing.signal)
    if (whole !== 'cancelled') return whole?.preview ?? null
    // Another caller cancelled the read because of a pause.
    const again = await this.#countAll(card, log, this.#countHere, this.#closing.signal)
    return again === null || again === 'cancelled' ? null : again.preview
  }

  /** Reads a whole session, unless a read is in progress. */
  async #countAll(
    card: SessionCard,
    log: LibraryLog,
    count: CountSession,
    signal: AbortSignal
  ): Promise<WholeSession | null | 'cancelled'> {
    const going = this.#counting.get(card.id)
    if (going !== undefined) return (await going).whole
    const fingerprint = this.#listed.fingerprintOf(card, log)
    const stored = this.#logs.storedCounts(log, fingerprint)
    if (stored !== null && log.counted?.fingerprint !== fingerprint) {
      this.#logs.setCounted(log, stored, null)
      this.#options.changed()
      const preview = this.#logs.preview(log, fingerprint)
      if (preview !== null && stored.counts !== null)
        return { counts: stored.counts, preview, end: stored.end ?? 'open' }
    }
    const reading = count({ path: log.path, format: log.head?.format ?? '', givesWay: false }, signal)
    this.#counting.set(card.id, reading)
    try {
      const { whole, bytes, tookMs } = await reading
      this.#options.bytes.add(bytes)
      if (whole === 'cancelled' || this.#closing.signal.aborted) return 'cancelled'
      this.#countedAt.set(log, { at: this.#options.now(), tookMs })
      this.#logs.setCounted(
        log,
        { fingerprint, counts: whole?.counts ?? null, end: whole?.end ?? null },
        whole?.preview ?? null
      )
      this.#options.changed()
      return whole
    } finally {
      this.#counting.delete(card.id)
    }
  }

  readonly #countHere: CountSession = async (task, signal) =>
    await countSession(task, this.#parentsOf, async () => {
      await setImmediate()
      return !signal.aborted
    })

  readonly #parentsOf: ParentsOf = async (paths) => {
    const parents = new Map<string, string | null>()
    for (const path of paths) {
      const log = this.#logs.at(path)
      const parent = log && knownParent(log)
      if (parent !== undefined) parents.set(path, parent)
    }
    return parents
  }

  #findToCount(): SessionCard[] {
    this.#againAt = Infinity
    const now = this.#options.now()
    return this.#listed.latest
      .filter((card) => {
        const log = this.#listed.logOf(card)
        if (log === undefined || this.#counting.has(card.id) || !this.#isUncounted(card, log)) return false
        const counted = this.#countedAt.get(log)
        if (counted === undefined) return true
        const again = counted.at + Math.max(growingMs, countShare * counted.tookMs)
        if (again > now) this.#againAt = Math.min(this.#againAt, again)
        return again <= now
      })
      .reverse()
  }

  #isUncounted(card: SessionCard, log: LibraryLog | undefined): boolean {
    return log?.head?.card != null && log.counted?.fingerprint !== this.#listed.fingerprintOf(card, log)
  }

  #isCountedLately(log: LibraryLog): boolean {
    const counted = this.#countedAt.get(log)
    return counted !== undefined && this.#options.now() < counted.at + countShare * counted.tookMs
  }
}
