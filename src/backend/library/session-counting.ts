import type { SessionCard, SessionPreview } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import { countSession, type WholeSession } from './count-session.ts'
import type { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { ListedSessions } from './listed-sessions.ts'
import type { LogBytes } from './log-bytes.ts'

/** All of a log that grows is read at most so often, in ms, and at most a tenth of the time. */
const growingMs = 10_000
const countShare = 10

export interface CountingOptions {
  readonly bytes: LogBytes
  readonly now: () => number
  /** Something was counted. */
  readonly changed: () => void
  readonly isClosed: () => boolean
}

/** What only whole logs tell: which sessions are to be read for it and when, and what it told. */
export class SessionCounting {
  readonly #logs: KnownLogs
  readonly #listed: ListedSessions
  readonly #options: CountingOptions
  /** When a log was counted, and for how long. */
  readonly #countedAt = new WeakMap<LibraryLog, { readonly at: number; readonly took: number }>()
  /** Which sessions are to be counted, the latest last; null: that is to be found out. */
  #toCount: SessionCard[] | null = null
  /** Of which cards that is said. */
  #version = -1
  readonly #counting = new Map<string, Promise<WholeSession | null | 'over'>>()
  #againAt = Infinity

  constructor(logs: KnownLogs, listed: ListedSessions, options: CountingOptions) {
    this.#logs = logs
    this.#listed = listed
    this.#options = options
  }

  /** How many are left, as far as it is known. */
  get left(): number {
    return this.#toCount?.length ?? 0
  }

  /** When one that was counted lately is to be counted again. */
  get againAt(): number {
    return this.#againAt
  }

  hasMore(): boolean {
    if (this.#version !== this.#listed.version || this.#againAt <= this.#options.now()) this.#toCount = null
    this.#version = this.#listed.version
    this.#toCount ??= this.#findToCount()
    return this.#toCount.length > 0
  }

  next(): SessionCard | null {
    if (!this.hasMore()) this.#listed.refresh()
    if (!this.hasMore()) return null
    return this.#toCount?.pop() ?? null
  }

  /** Of the sessions of a filter those whose counts are not known, or not those of their logs as they are now. */
  uncounted(filter: SessionFilter): string[] {
    return this.#listed
      .matching(filter)
      .filter((card) => this.#isUncounted(card, this.#listed.logOf(card)))
      .map(({ id }) => id)
  }

  /** Reads all of a session that is next. `between`: as `countSession` has it. */
  async count(card: SessionCard, between: () => Promise<boolean>): Promise<void> {
    const log = this.#listed.logOf(card)
    if (log !== undefined) await this.#countAll(card, log, between)
  }

  async previewOf(session: string): Promise<SessionPreview | null> {
    const { card, log } = this.#listed.entry(session)
    if (log.told?.card == null) return null
    const print = this.#listed.printOf(card, log)
    const kept = log.counted?.print === print ? this.#logs.preview(log, print) : null
    if (kept !== null) return kept
    // A large log that grows is not read whole again each time it does.
    const before = this.#isCountedLately(log) ? this.#logs.preview(log, log.counted?.print ?? '') : null
    if (before !== null) return before
    const whole = await this.#countAll(card, log, async () => !this.#options.isClosed())
    if (whole !== 'over') return whole?.preview ?? null
    // The one who read it was asked to pause.
    const again = await this.#countAll(card, log, async () => !this.#options.isClosed())
    return again === null || again === 'over' ? null : again.preview
  }

  /** Reads all of a session, unless somebody does so already. */
  async #countAll(
    card: SessionCard,
    log: LibraryLog,
    between: () => Promise<boolean>
  ): Promise<WholeSession | null | 'over'> {
    const going = this.#counting.get(card.id)
    if (going !== undefined) return await going
    const print = this.#listed.printOf(card, log)
    const elsewhere = this.#logs.countedElsewhere(log, print)
    if (elsewhere !== null && log.counted?.print !== print) {
      this.#logs.counted(log, elsewhere, null)
      this.#options.changed()
      const preview = this.#logs.preview(log, print)
      if (preview !== null && elsewhere.counts !== null)
        return { counts: elsewhere.counts, preview, end: elsewhere.end ?? 'open' }
    }
    const began = performance.now()
    const reading = countSession({ path: log.path, format: log.told?.format ?? '' }, this.#options.bytes, between)
    this.#counting.set(card.id, reading)
    try {
      const whole = await reading
      if (whole === 'over') return whole
      this.#countedAt.set(log, { at: this.#options.now(), took: performance.now() - began })
      this.#logs.counted(log, { print, counts: whole?.counts ?? null, end: whole?.end ?? null }, whole?.preview ?? null)
      this.#options.changed()
      return whole
    } finally {
      this.#counting.delete(card.id)
    }
  }

  #findToCount(): SessionCard[] {
    this.#againAt = Infinity
    const now = this.#options.now()
    return this.#listed.latest
      .filter((card) => {
        const log = this.#listed.logOf(card)
        if (log === undefined || !this.#isUncounted(card, log)) return false
        const counted = this.#countedAt.get(log)
        if (counted === undefined) return true
        const again = counted.at + Math.max(growingMs, countShare * counted.took)
        if (again > now) this.#againAt = Math.min(this.#againAt, again)
        return again <= now
      })
      .reverse()
  }

  #isUncounted(card: SessionCard, log: LibraryLog | undefined): boolean {
    return log?.told?.card != null && log.counted?.print !== this.#listed.printOf(card, log)
  }

  #isCountedLately(log: LibraryLog): boolean {
    const counted = this.#countedAt.get(log)
    return counted !== undefined && this.#options.now() < counted.at + countShare * counted.took
  }
}
