import type { SessionCard, SessionCounts, SessionPreview } from '#core/library/session-card.ts'
import type { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { ListedSessions } from './listed-sessions.ts'
import type { ReadBytes } from './read-bytes.ts'
import { standsAlone } from './session-cards.ts'
import { formatById } from '#core/formats/registry.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import { SessionCounter } from '#core/library/session-counter.ts'
import { readLog } from '../sources/read-log.ts'
import type { RunOptions } from '../sources/run.ts'

/** A growing log is read whole this often at most, in at most a tenth of the time. */
const growingMs = 10_000
const countShare = 10

export interface CountingOptions {
  readonly bytes: ReadBytes
  readonly now: () => number
  /** Counts changed. */
  readonly changed: () => void
  readonly isClosed: () => boolean
}

/** Counts sessions by reading whole logs, newest first. */
export class SessionCounting {
  readonly #logs: KnownLogs
  readonly #listed: ListedSessions
  readonly #options: CountingOptions
  /** When a log was counted, and for how many ms. */
  readonly #countedAt = new WeakMap<LibraryLog, { readonly at: number; readonly tookMs: number }>()
  /** Newest last; null: outdated. */
  #toCount: SessionCard[] | null = null
  /** The version of the cards that `#toCount` is from. */
  #version = -1
  readonly #counting = new Map<string, Promise<WholeSession | null | 'cancelled'>>()
  #againAt = Infinity

  constructor(logs: KnownLogs, listed: ListedSessions, options: CountingOptions) {
    this.#logs = logs
    this.#listed = listed
    this.#options = options
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

  next(): SessionCard | null {
    if (!this.hasMore()) this.#listed.refresh()
    if (!this.hasMore()) return null
    return this.#toCount?.pop() ?? null
  }

  /** Ids of matching sessions whose counts are missing or outdated. */
  uncounted(where: string): string[] {
    return this.#listed
      .matching(where)
      .filter((card) => this.#isUncounted(card, this.#listed.logOf(card)))
      .map(({ id }) => id)
  }

  /** Counts a session that `next` returned. `shouldContinue`: see `countSession`. */
  async count(card: SessionCard, shouldContinue: () => Promise<boolean>): Promise<void> {
    const log = this.#listed.logOf(card)
    if (log !== undefined) await this.#countAll(card, log, shouldContinue)
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
    const whole = await this.#countAll(card, log, async () => !this.#options.isClosed())
    if (whole !== 'cancelled') return whole?.preview ?? null
    // Another caller cancelled the read because of a pause.
    const again = await this.#countAll(card, log, async () => !this.#options.isClosed())
    return again === null || again === 'cancelled' ? null : again.preview
  }

  /** Reads a whole session, unless a read is in progress. */
  async #countAll(
    card: SessionCard,
    log: LibraryLog,
    shouldContinue: () => Promise<boolean>
  ): Promise<WholeSession | null | 'cancelled'> {
    const going = this.#counting.get(card.id)
    if (going !== undefined) return await going
    const fingerprint = this.#listed.fingerprintOf(card, log)
    const stored = this.#logs.storedCounts(log, fingerprint)
    if (stored !== null && log.counted?.fingerprint !== fingerprint) {
      this.#logs.setCounted(log, stored, null)
      this.#options.changed()
      const preview = this.#logs.preview(log, fingerprint)
      if (preview !== null && stored.counts !== null)
        return { counts: stored.counts, preview, end: stored.end ?? 'open' }
    }
    const began = performance.now()
    const reading = countSession(
      { path: log.path, format: log.head?.format ?? '', standsAlone: (path) => this.#standsAlone(path) },
      this.#options.bytes,
      shouldContinue
    )
    this.#counting.set(card.id, reading)
    try {
      const whole = await reading
      if (whole === 'cancelled') return whole
      this.#countedAt.set(log, { at: this.#options.now(), tookMs: performance.now() - began })
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

  #standsAlone(path: string): boolean {
    const log = this.#logs.at(path)
    return log !== undefined && standsAlone(log)
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

interface WholeSession {
  readonly counts: SessionCounts
  readonly preview: SessionPreview
  readonly end: ReadCard['end']
}

/** Reads a session with its subagents. Null: unreadable. `shouldContinue` is called once a MiB; false cancels. */
async function countSession(
  { path, format, standsAlone }: Required<Pick<RunOptions, 'path' | 'standsAlone'>> & { readonly format: string },
  bytes: ReadBytes,
  shouldContinue: () => Promise<boolean>
): Promise<WholeSession | null | 'cancelled'> {
  const counter = new SessionCounter(formatById(format))
  let isCancelled = false
  try {
    const read = await readLog(
      { path, format, single: false, standsAlone },
      {
        line: (line) => counter.line(line),
        event: (event, seq, folded, line) => counter.event(event, seq, folded, line),
        async pause() {
          isCancelled ||= !(await shouldContinue())
          return !isCancelled
        }
      }
    )
    bytes.add(read.files.reduce((sum, file) => sum + file.bytes, read.bytes))
    if (isCancelled) return 'cancelled'
  } catch {
    // It was removed, is not permitted, or needs too much memory: only its card is known.
    return null
  }
  return { counts: counter.counts, preview: counter.preview, end: counter.end }
}
