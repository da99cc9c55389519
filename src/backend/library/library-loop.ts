import { setTimeout as pause } from 'node:timers/promises'
import { FolderHints } from './folder-hints.ts'
import type { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { LibraryPhase } from './library-phase.ts'
import type { PlannedRoot } from './library-roots.ts'
import type { ListedSessions } from './listed-sessions.ts'
import type { ReadBytes } from './read-bytes.ts'
import type { Changes, LogDiscovery } from './log-discovery.ts'
import { readLogHead } from './read-log-head.ts'
import type { SessionCounting } from './session-counting.ts'

/** Scan intervals while a page shows the library, and while none does. Scans take at most a twentieth of the time. */
const shownMs = 1500
const unshownMs = 300_000
const maxShare = 20
/** Pages that show the library repeat `library.watch` within this time. */
const watchMs = 60_000
/** A large document that is rewritten often is read this often at most. */
const documentMs = 10_000
const largeDocumentBytes = 1 << 20

export interface LoopParts {
  readonly logs: KnownLogs
  readonly discovery: LogDiscovery
  readonly listed: ListedSessions
  readonly counting: SessionCounting
  readonly phase: LibraryPhase
}

export interface LoopOptions {
  readonly bytes: ReadBytes
  readonly now: () => number
  /** Called before each scan. */
  readonly planned: () => readonly PlannedRoot[]
  /** Cards changed. */
  readonly changed: () => void
}

/** Finds logs and reads their cards, one job at a time, then has them counted; sleeps until there is more to do. */
export class LibraryLoop {
  readonly #parts: LoopParts
  readonly #options: LoopOptions
  readonly #hints = new FolderHints(() => this.#wake())
  readonly #stale = new Set<LibraryLog>()
  /** When a card was read. */
  readonly #readAt = new WeakMap<LibraryLog, number>()
  #lookedAt: number | null = null
  #lookAt = 0
  #lookMs = 0
  #isRequested = false
  #isPaused = false
  #shownUntil = 0
  #closed = false
  /** Why a count failed. */
  #fault: unknown = null
  #wakeUp: () => void = () => {}

  constructor(parts: LoopParts, options: LoopOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Ms since the epoch; null: not yet. */
  get lookedAt(): number | null {
    return this.#lookedAt
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  watch(isShown: boolean): void {
    // Counts that give way begin again in threads that do not: a person waits for them now.
    if (isShown && !this.isShown) this.#parts.counting.pause()
    // Another page may still show it, so the time runs out instead.
    if (isShown) this.#shownUntil = this.#options.now() + watchMs
    if (!isShown) this.#hints.watch(new Set())
    else if (this.#lookedAt !== null) this.#hints.watch(this.#parts.discovery.recentFolders())
    this.#wake()
  }

  lookAgain(): void {
    this.#lookAt = 0
    this.#isRequested = true
    this.#wake()
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    if (isPaused) this.#parts.counting.pause()
    this.#wake()
  }

  close(): void {
    this.#closed = true
    this.#hints.close()
    this.#wake()
  }

  /** Runs until closed. */
  async run(): Promise<void> {
    const { logs, listed, counting, phase } = this.#parts
    while (!this.#closed) {
      if (this.#fault !== null) throw this.#fault
      if (await this.#keepUp()) continue
      if (!this.#isPaused) this.#count()
      if (counting.running === 0) {
        logs.flush()
        listed.refresh()
        if (this.#isPaused && counting.hasMore()) phase.enter('counts', 0, counting.left)
        else phase.enter('idle', 0, 0)
      }
      await this.#sleep()
    }
  }

  /** Has as many sessions counted as may be at once. */
  #count(): void {
    const { counting, phase } = this.#parts
    for (;;) {
      const count = counting.next(!this.isShown)
      if (count === null) break
      count.catch((fault: unknown) => (this.#fault = fault)).finally(() => this.#wakeUp())
    }
    if (counting.running === 0) return
    const left = counting.left + counting.running
    const all = phase.phase === 'counts' ? Math.max(left, phase.progress.all) : left
    phase.enter('counts', all - left, all)
  }

  /** Scans for files and reads cards where due. False: nothing was due. */
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
    const { discovery, phase } = this.#parts
    const isFirst = this.#lookedAt === null
    if (isFirst || this.#isRequested) phase.enter('looking', 0, 0)
    const isRetried = this.#isRequested
    this.#isRequested = false
    const began = performance.now()
    const changes = await discovery.everywhere(this.#options.planned(), isRetried)
    if (this.#closed) return
    this.#lookMs = performance.now() - began
    this.#lookedAt = this.#options.now()
    this.#apply(changes)
    // A new request arrived during the scan.
    if (!this.#isRequested) this.#lookAt = this.#nextLook()
    if (isFirst || isRetried) this.#options.changed()
    this.#hints.watch(this.isShown ? discovery.recentFolders() : new Set())
  }

  async #followHints(): Promise<void> {
    const { discovery } = this.#parts
    const changes = await discovery.into(this.#hints.drain())
    this.#apply(changes)
    if (changes.hasNewFolders && this.isShown) this.#hints.watch(discovery.recentFolders())
  }

  /** A page shows the library. */
  get isShown(): boolean {
    return this.#options.now() < this.#shownUntil
  }

  #nextLook(): number {
    const intervalMs = Math.max(shownMs, maxShare * this.#lookMs)
    return (this.#lookedAt ?? 0) + (this.isShown ? intervalMs : Math.max(unshownMs, intervalMs))
  }

  #apply({ any, stale }: Changes): void {
    for (const log of stale) if (!this.#isTooEarly(log)) this.#stale.add(log)
    if (any) this.#options.changed()
  }

  #isTooEarly(log: LibraryLog): boolean {
    if (log.head?.framing !== 'document' || log.facts.bytes < largeDocumentBytes) return false
    return this.#options.now() - (this.#readAt.get(log) ?? 0) < documentMs
  }

  /** Newest first, until the next scan is due. */
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
    const format = this.#parts.discovery.recordedRuns.get(log.path)?.format ?? null
    this.#readAt.set(log, this.#options.now())
    const head = await readLogHead(log.path, log.facts, {
      bytes: this.#options.bytes,
      format,
      likely: log.root.formats,
      before: log.head
    })
    this.#parts.logs.setHead(log, head)
  }

  #wake(): void {
    if (this.isShown) this.#lookAt = Math.min(this.#lookAt, this.#nextLook())
    this.#wakeUp()
  }

  async #sleep(): Promise<void> {
    const { listed, counting } = this.#parts
    const next = Math.min(this.#lookAt, counting.againAt, listed.changesAt ?? Infinity)
    const ms = Math.max(0, Math.min(next - this.#options.now(), unshownMs))
    // Yield to the event loop even if more is due.
    if (this.#closed || ms === 0) return await pause(0)
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resume) => {
      this.#wakeUp = resume
      timer = setTimeout(resume, ms)
    })
    clearTimeout(timer)
    this.#wakeUp = () => {}
  }
}
