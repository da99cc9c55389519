import { setTimeout as pause } from 'node:timers/promises'
import type { SessionCard } from '#core/library/session-card.ts'
import { FolderHints } from './folder-hints.ts'
import type { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { LibraryPhase } from './library-phase.ts'
import type { PlannedRoot } from './library-roots.ts'
import type { ListedSessions } from './listed-sessions.ts'
import type { LogBytes } from './log-bytes.ts'
import type { Changes, LogSearch } from './look-for-logs.ts'
import { readToldLog } from './read-told-log.ts'
import type { SessionCounting } from './session-counting.ts'

/** While a page shows the library it is looked through so often, in ms, as long as that takes no more than a twentieth of the time; else so often. */
const shownMs = 1500
const unshownMs = 300_000
const mostShare = 20
/** A page that shows the library says so again within this time. */
const watchMs = 60_000
/** A large document that is written anew again and again is read at most so often. */
const documentMs = 10_000
const largeDocument = 1 << 20

export interface LoopParts {
  readonly logs: KnownLogs
  readonly search: LogSearch
  readonly listed: ListedSessions
  readonly counting: SessionCounting
  readonly phase: LibraryPhase
}

export interface LoopOptions {
  readonly bytes: LogBytes
  readonly now: () => number
  /** Where to look, each time. */
  readonly planned: () => readonly PlannedRoot[]
  /** Something that cards show is another than before. */
  readonly changed: () => void
}

/** Looks for logs, reads their cards and counts them, one thing after the other, what a person waits for first; and sleeps until there is more to do. */
export class LibraryLoop {
  readonly #parts: LoopParts
  readonly #options: LoopOptions
  readonly #hints = new FolderHints(() => this.#wake())
  readonly #stale = new Set<LibraryLog>()
  /** When a log was read for its card. */
  readonly #readAt = new WeakMap<LibraryLog, number>()
  #lookedAt: number | null = null
  #lookAt = 0
  #lookTook = 0
  #isAsked = false
  #isPaused = false
  #shownUntil = 0
  #closed = false
  #awake: () => void = () => {}

  constructor(parts: LoopParts, options: LoopOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Ms since the epoch; null: not so far. */
  get lookedAt(): number | null {
    return this.#lookedAt
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  watch(isShown: boolean): void {
    // One that shows it no longer may not be the only one: it runs out.
    if (isShown) this.#shownUntil = this.#options.now() + watchMs
    if (!isShown) this.#hints.watch(new Set())
    else if (this.#lookedAt !== null) this.#hints.watch(this.#parts.search.recentFolders())
    this.#wake()
  }

  lookAgain(): void {
    this.#lookAt = 0
    this.#isAsked = true
    this.#wake()
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#wake()
  }

  close(): void {
    this.#closed = true
    this.#hints.close()
    this.#wake()
  }

  /** Until it is closed. */
  async run(): Promise<void> {
    const { logs, listed, counting, phase } = this.#parts
    while (!this.#closed) {
      if (await this.#keepUp()) continue
      const next = this.#isPaused ? null : counting.next()
      if (next !== null) await this.#count(next)
      else {
        logs.flush()
        listed.refresh()
        if (this.#isPaused && counting.hasMore()) phase.enter('counts', 0, counting.left)
        else phase.enter('idle', 0, 0)
        await this.#sleep()
      }
    }
  }

  /** Looks for files and reads cards, where that is due. False: nothing was. */
  async #keepUp(): Promise<boolean> {
    const now = this.#options.now()
    const { listed } = this.#parts
    if (listed.changesAt !== null && now >= listed.changesAt) {
      this.#options.changed()
      listed.refresh()
    }
    if (now >= this.#lookAt) await this.#lookEverywhere()
    else if (this.#hints.any) await this.#followHints()
    else if (this.#stale.size > 0) await this.#readCards()
    else return false
    return true
  }

  async #lookEverywhere(): Promise<void> {
    const { search, phase } = this.#parts
    const isFirst = this.#lookedAt === null
    if (isFirst || this.#isAsked) phase.enter('looking', 0, 0)
    const isRetried = this.#isAsked
    this.#isAsked = false
    const began = performance.now()
    const changes = await search.everywhere(this.#options.planned(), isRetried)
    if (this.#closed) return
    this.#lookTook = performance.now() - began
    this.#lookedAt = this.#options.now()
    this.#take(changes)
    // Asked to look again meanwhile: at once.
    if (!this.#isAsked) this.#lookAt = this.#nextLook()
    if (isFirst || isRetried) this.#options.changed()
    this.#hints.watch(this.#isShown ? search.recentFolders() : new Set())
  }

  async #followHints(): Promise<void> {
    const { search } = this.#parts
    const changes = await search.into(this.#hints.take())
    this.#take(changes)
    if (changes.hasNewFolders && this.#isShown) this.#hints.watch(search.recentFolders())
  }

  get #isShown(): boolean {
    return this.#options.now() < this.#shownUntil
  }

  #nextLook(): number {
    const often = Math.max(shownMs, mostShare * this.#lookTook)
    return (this.#lookedAt ?? 0) + (this.#isShown ? often : Math.max(unshownMs, often))
  }

  #take({ any, stale }: Changes): void {
    for (const log of stale) if (!this.#isTooEarly(log)) this.#stale.add(log)
    if (any) this.#options.changed()
  }

  #isTooEarly(log: LibraryLog): boolean {
    if (log.told?.framing !== 'document' || log.facts.bytes < largeDocument) return false
    return this.#options.now() - (this.#readAt.get(log) ?? 0) < documentMs
  }

  /** The newest first; until it is time to look again. */
  async #readCards(): Promise<void> {
    const { logs, phase } = this.#parts
    const waiting = [...this.#stale].sort((a, b) => b.facts.modified - a.facts.modified)
    const isFill = waiting.length > 20
    if (isFill) phase.enter('cards', 0, waiting.length)
    let turn = performance.now()
    for (const [at, log] of waiting.entries()) {
      this.#stale.delete(log)
      if (logs.at(log.path) === log) await this.#readCard(log)
      this.#options.changed()
      if (performance.now() - turn < 10) continue
      if (isFill) phase.enter('cards', at + 1, waiting.length)
      await pause(0)
      turn = performance.now()
      if (this.#closed || (!isFill && this.#options.now() >= this.#lookAt)) return
    }
    logs.flush()
  }

  async #readCard(log: LibraryLog): Promise<void> {
    const format = this.#parts.search.ownRuns.get(log.path)?.format ?? null
    this.#readAt.set(log, this.#options.now())
    const told = await readToldLog(log.path, log.facts, {
      bytes: this.#options.bytes,
      format,
      likely: log.root.formats,
      before: log.told
    })
    this.#parts.logs.told(log, told)
  }

  async #count(card: SessionCard): Promise<void> {
    const { counting, phase } = this.#parts
    const { left } = counting
    const all = phase.phase === 'counts' ? phase.progress.all : left + 1
    const done = Math.max(0, all - left - 1)
    phase.enter('counts', done, all)
    let since = performance.now()
    await counting.count(card, async () => {
      // Others have the processor for as long as this had it.
      await pause(Math.min(50, performance.now() - since))
      while (!this.#closed && (await this.#keepUp()));
      since = performance.now()
      return !this.#closed && !this.#isPaused
    })
    // What came meanwhile may have it do something else.
    if (phase.phase === 'counts') phase.enter('counts', done + 1, all)
  }

  #wake(): void {
    if (this.#isShown) this.#lookAt = Math.min(this.#lookAt, this.#nextLook())
    this.#awake()
  }

  async #sleep(): Promise<void> {
    const { listed, counting } = this.#parts
    const next = Math.min(this.#lookAt, counting.againAt, listed.changesAt ?? Infinity)
    const ms = Math.max(0, Math.min(next - this.#options.now(), unshownMs))
    // Others have their turns, whatever there is to do.
    if (this.#closed || ms === 0) return await pause(0)
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resume) => {
      this.#awake = resume
      timer = setTimeout(resume, ms)
    })
    clearTimeout(timer)
    this.#awake = () => {}
  }
}
