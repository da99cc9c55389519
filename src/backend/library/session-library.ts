import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { applyQuery, facetsOf, matches, type QueriedSessions, type SessionFacets } from '#core/library/apply-query.ts'
import type { StoreSystem } from '#core/formats/log-store.ts'
import { lastOf, type SessionCard, type SessionPreview } from '#core/library/session-card.ts'
import type { SessionFilter, SessionQuery } from '#core/library/session-query.ts'
import type { LibraryStatus } from '#contract/library.ts'
import { HostError, type Params, type Result } from '#contract/methods.ts'
import { systemPath } from '../sources/system-path.ts'
import { AddedFolders } from './added-folders.ts'
import { countSession, type WholeSession } from './count-session.ts'
import { FolderHints } from './folder-hints.ts'
import { inTurns } from './in-turns.ts'
import { KnownLogs } from './known-logs.ts'
import { LibraryDatabase } from './library-database.ts'
import type { LibraryLog } from './library-log.ts'
import { plannedRoots, type PlannedRoot } from './library-roots.ts'
import type { SearchedSession } from './library-search.ts'
import type { LogBytes } from './log-bytes.ts'
import { type Changes, LogSearch, runsRoot } from './look-for-logs.ts'
import { OwnRuns } from './own-runs.ts'
import { PacedNotice } from './paced-notice.ts'
import { readToldLog } from './read-told-log.ts'
import { resumeCommand } from './resume-command.ts'
import { printOfSession, sessionCards, type SessionCards } from './session-cards.ts'

export interface SessionLibraryOptions {
  readonly cache: string
  readonly state: string | null
  readonly roots: readonly string[] | null
  readonly system: StoreSystem
  readonly bytes: LogBytes
  /** Called at most four times a second. */
  readonly changed: (status: LibraryStatus) => void
  readonly problem: (sentence: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/** While a page shows the library it is looked through so often, in ms, as long as that takes no more than a twentieth of the time; else so often. */
const shownMs = 1500
const unshownMs = 300_000
const mostShare = 20
/** A page that shows the library says so again within this time. */
const watchMs = 60_000
/** All of a log that grows is read at most so often, and at most a tenth of the time. */
const growingMs = 10_000
const countShare = 10
/** A large document that is written anew again and again is read at most so often. */
const documentMs = 10_000
const largeDocument = 1 << 20
const mostCached = 4

/** All sessions on this machine: finds their logs, reads what cards say, counts, and follows all of it. Lives in a thread of its own. */
export class SessionLibrary {
  readonly #options: SessionLibraryOptions
  readonly #added: AddedFolders | null
  readonly #runs: OwnRuns | null
  readonly #notice = new PacedNotice(() => this.#tell())
  readonly #hints = new FolderHints(() => this.#wake())
  readonly #begun: Promise<void>
  #logs: KnownLogs | null = null
  #search: LogSearch | null = null
  #planned: readonly PlannedRoot[] = []
  #cards: SessionCards = { sessions: [], subagents: new Map(), byId: new Map(), changesAt: null }
  #totals = { sessions: new Map<string, number>(), foreign: new Map<string, number>(), bytes: 0 }
  /** Newest first. */
  #latest: readonly SessionCard[] = []
  /** Cards are not what is known any more. */
  #isOld = false
  #version = 0
  #phase: LibraryStatus['phase'] = 'looking'
  #done = 0
  #all = 0
  #isPaused = false
  #problem: string | null = null
  #lookedAt: number | null = null
  readonly #stale = new Set<LibraryLog>()
  /** When a log was read for its card, and when, and for how long, it was counted. */
  readonly #readAt = new WeakMap<LibraryLog, number>()
  readonly #countedAt = new WeakMap<LibraryLog, { readonly at: number; readonly took: number }>()
  /** Which sessions are to be counted, the latest last; null: that is to be found out. */
  #toCount: SessionCard[] | null = null
  #counting = new Map<string, Promise<WholeSession | null | 'over'>>()
  #countAgainAt = Infinity
  #lookAt = 0
  #isAsked = false
  #lookTook = 0
  #shownUntil = 0
  #closed = false
  #awake: () => void = () => {}
  #queried = new Map<string, QueriedSessions>()
  #facets: SessionFacets | null = null

  constructor(options: SessionLibraryOptions) {
    this.#options = options
    this.#added = options.state === null ? null : new AddedFolders(options.state)
    this.#runs = options.state === null ? null : new OwnRuns(options.state)
    this.#begun = this.#begin()
    void this.#begun.then(() => this.#work()).catch((fault: unknown) => this.#failed(fault))
  }

  async status(): Promise<LibraryStatus> {
    await this.#begun
    return this.#status()
  }

  async overview({ query }: Params<'library.overview'>): Promise<Result<'library.overview'>> {
    await this.#begun
    const { cards, groups } = this.#query(query)
    this.#facets ??= facetsOf(this.#cards.sessions)
    return { version: this.#version, total: cards.length, groups: [...groups], facets: this.#facets }
  }

  async cards({ query, from, count }: Params<'library.cards'>): Promise<Result<'library.cards'>> {
    await this.#begun
    return { version: this.#version, cards: this.#query(query).cards.slice(from, from + count) }
  }

  async session({ session }: Params<'library.session'>): Promise<Result<'library.session'>> {
    const { log } = await this.#entry(session)
    const whole = await this.#previewOf(session, log)
    const { card } = await this.#entry(session)
    const subagents = [...(this.#cards.subagents.get(session) ?? [])]
    return {
      card: whole === null ? card : { ...card, ...countedNow(card, log) },
      preview: whole ?? noPreview,
      subagents,
      resume: resumeCommand(card, this.#options.system.platform)
    }
  }

  /** The sessions of a filter with the logs of their subagents, the latest first. */
  async searched(filter: SessionFilter): Promise<SearchedSession[]> {
    await this.#begun
    const isWanted = matches(filter)
    return this.#latest.filter(isWanted).map((card) => ({ card, subagents: this.#cards.subagents.get(card.id) ?? [] }))
  }

  /** Of the sessions of a filter those whose counts are not known, or not those of their logs as they are now. */
  async uncounted(filter: SessionFilter): Promise<string[]> {
    await this.#begun
    const isUncounted = (card: SessionCard): boolean => {
      const log = this.#cards.byId.get(card.id)?.log
      return log?.told?.card != null && log.counted?.print !== this.#printOf(card, log)
    }
    return this.#latest
      .filter(matches(filter))
      .filter(isUncounted)
      .map(({ id }) => id)
  }

  /** Folders that could not be looked into. */
  async unreadFolders(): Promise<readonly string[]> {
    await this.#begun
    return this.#search?.unread ?? []
  }

  /** Where a session's log is. Rejects with `not-found` for what is none of the library's. */
  async pathOf(session: string): Promise<string> {
    return (await this.#entry(session)).log.path
  }

  /** All sessions and the logs of their subagents, once all have been looked for. */
  async all(): Promise<SessionCard[]> {
    await this.#begun
    while (!this.#closed && (this.#phase === 'looking' || this.#phase === 'cards')) await pause(10)
    this.#refresh()
    return [...this.#cards.byId.values()].map(({ card }) => card)
  }

  watch({ isShown }: Params<'library.watch'>): void {
    // One that shows it no longer may not be the only one: it runs out.
    if (isShown) this.#shownUntil = this.#options.now() + watchMs
    if (!isShown) this.#hints.watch(new Set())
    else if (this.#lookedAt !== null && this.#search !== null) this.#hints.watch(this.#search.recentFolders())
    this.#wake()
  }

  lookAgain(): void {
    this.#lookAt = 0
    this.#isAsked = true
    this.#wake()
  }

  pause({ isPaused }: Params<'library.pause'>): void {
    this.#isPaused = isPaused
    this.#notice.soon()
    this.#wake()
  }

  async addFolder({ path }: Params<'library.addFolder'>): Promise<Result<'library.addFolder'>> {
    if (this.#added === null) throw new HostError('unavailable', 'This host keeps no folders that are added.')
    const { home } = this.#options.system
    const named = path.replace(/^~(?=$|[/\\])/, home)
    const absolute = isAbsolute(named) ? named : resolve(home, named)
    let real: string
    try {
      real = await realpath(await systemPath(absolute))
      if (!(await stat(real)).isDirectory())
        throw new HostError('not-found', `${absolute} is no folder; add the folder it is in.`)
    } catch (error) {
      if (error instanceof HostError) throw error
      throw new HostError('not-found', `There is no folder ${absolute} that can be looked into; check the path.`)
    }
    await this.#added.add(real)
    await this.#plan()
    this.lookAgain()
    return { path: real }
  }

  async removeFolder({ path }: Params<'library.removeFolder'>): Promise<void> {
    await this.#added?.remove(path)
    await this.#plan()
    this.lookAgain()
  }

  /** Writes what is known. */
  async close(): Promise<void> {
    this.#closed = true
    this.#search?.close()
    this.#hints.close()
    this.#notice.close()
    this.#wake()
    await this.#begun.catch(() => {})
    this.#logs?.close()
  }

  /** What was kept from the last time is here at once. */
  async #begin(): Promise<void> {
    const { cache } = this.#options
    const database = await LibraryDatabase.open(cache, (sentence) => this.#say(sentence))
    const logs = (this.#logs = new KnownLogs(database))
    this.#search = new LogSearch(logs, this.#runs)
    await this.#plan()
    const roots = this.#runs === null ? this.#planned : [...this.#planned, runsRoot(this.#runs)]
    await inTurns(logs.load(roots), () => this.#closed)
    logs.lookedInto(roots, this.#options.now())
    this.#assemble()
  }

  async #plan(): Promise<void> {
    const { system, roots } = this.#options
    this.#planned = plannedRoots({ system, roots, added: (await this.#added?.list()) ?? [] })
  }

  /** Does one thing after the other, what a person waits for first. */
  async #work(): Promise<void> {
    while (!this.#closed) {
      if (await this.#keepUp()) continue
      const next = this.#isPaused ? null : this.#nextToCount()
      if (next !== null) await this.#count(next)
      else {
        this.#logs?.flush()
        this.#refresh()
        if (this.#isPaused && this.#hasToCount()) this.#enter('counts', 0, this.#toCount?.length ?? 0)
        else this.#enter('idle', 0, 0)
        await this.#sleep()
      }
    }
  }

  /** Looks for files and reads cards, where that is due. False: nothing was. */
  async #keepUp(): Promise<boolean> {
    const now = this.#options.now()
    const search = this.#search as LogSearch
    if (this.#cards.changesAt !== null && now >= this.#cards.changesAt) {
      this.#changed()
      this.#refresh()
    }
    if (now >= this.#lookAt) {
      await this.#lookEverywhere(search)
      return true
    }
    if (this.#hints.any) {
      this.#take(await search.into(this.#hints.take()))
      return true
    }
    if (this.#stale.size === 0) return false
    await this.#readCards()
    return true
  }

  async #lookEverywhere(search: LogSearch): Promise<void> {
    const isFirst = this.#lookedAt === null
    if (isFirst || this.#isAsked) this.#enter('looking', 0, 0)
    const isRetried = this.#isAsked
    this.#isAsked = false
    const began = performance.now()
    const changes = await search.everywhere(this.#planned, isRetried)
    if (this.#closed) return
    this.#lookTook = performance.now() - began
    this.#lookedAt = this.#options.now()
    this.#take(changes)
    // Asked to look again meanwhile: at once.
    if (!this.#isAsked) this.#lookAt = this.#nextLook()
    if (isFirst || isRetried) this.#changed()
    this.#hints.watch(this.#isShown ? search.recentFolders() : new Set())
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
    if (any) this.#changed()
  }

  #isTooEarly(log: LibraryLog): boolean {
    if (log.told?.framing !== 'document' || log.facts.bytes < largeDocument) return false
    return this.#options.now() - (this.#readAt.get(log) ?? 0) < documentMs
  }

  /** The newest first; until it is time to look again. */
  async #readCards(): Promise<void> {
    const waiting = [...this.#stale].sort((a, b) => b.facts.modified - a.facts.modified)
    const isFill = waiting.length > 20
    if (isFill) this.#enter('cards', 0, waiting.length)
    let turn = performance.now()
    for (const [at, log] of waiting.entries()) {
      this.#stale.delete(log)
      if (this.#logs?.at(log.path) === log) await this.#readCard(log)
      this.#changed()
      if (performance.now() - turn < 10) continue
      if (isFill) [this.#done, this.#all] = [at + 1, waiting.length]
      await pause(0)
      turn = performance.now()
      if (this.#closed || (!isFill && this.#options.now() >= this.#lookAt)) return
    }
    this.#logs?.flush()
  }

  async #readCard(log: LibraryLog): Promise<void> {
    const format = this.#search?.ownRuns.get(log.path)?.format ?? null
    this.#readAt.set(log, this.#options.now())
    const told = await readToldLog(log.path, log.facts, {
      bytes: this.#options.bytes,
      format,
      likely: log.root.formats,
      before: log.told
    })
    this.#logs?.told(log, told)
  }

  #hasToCount(): boolean {
    this.#toCount ??= this.#findToCount()
    return this.#toCount.length > 0
  }

  #nextToCount(): SessionCard | null {
    if (!this.#hasToCount()) this.#refresh()
    if (!this.#hasToCount()) return null
    return this.#toCount?.pop() ?? null
  }

  #findToCount(): SessionCard[] {
    this.#countAgainAt = Infinity
    const now = this.#options.now()
    return this.#latest
      .filter((card) => {
        const log = this.#cards.byId.get(card.id)?.log
        if (log?.told?.card == null || log.counted?.print === this.#printOf(card, log)) return false
        const counted = this.#countedAt.get(log)
        if (counted === undefined) return true
        const again = counted.at + Math.max(growingMs, countShare * counted.took)
        if (again > now) this.#countAgainAt = Math.min(this.#countAgainAt, again)
        return again <= now
      })
      .reverse()
  }

  #printOf(card: SessionCard, log: LibraryLog): string {
    return printOfSession(log, this.#cards.subagents.get(card.id) ?? [])
  }

  async #count(card: SessionCard): Promise<void> {
    const log = this.#cards.byId.get(card.id)?.log
    if (log === undefined) return
    const left = this.#toCount?.length ?? 0
    if (this.#phase !== 'counts') this.#enter('counts', 0, left + 1)
    this.#done = Math.max(0, this.#all - left - 1)
    let since = performance.now()
    await this.#countAll(card, log, async () => {
      // Others have the processor for as long as this had it.
      await pause(Math.min(50, performance.now() - since))
      while (!this.#closed && (await this.#keepUp()));
      since = performance.now()
      return !this.#closed && !this.#isPaused
    })
    this.#done++
    this.#notice.soon()
  }

  /** Reads all of a session, unless somebody does so already. */
  async #countAll(
    card: SessionCard,
    log: LibraryLog,
    between: () => Promise<boolean>
  ): Promise<WholeSession | null | 'over'> {
    const going = this.#counting.get(card.id)
    if (going !== undefined) return await going
    const print = this.#printOf(card, log)
    const elsewhere = this.#logs?.countedElsewhere(log, print) ?? null
    if (elsewhere !== null && log.counted?.print !== print) {
      this.#logs?.counted(log, elsewhere, null)
      this.#changed()
      const preview = this.#logs?.preview(log, print)
      if (preview != null && elsewhere.counts !== null)
        return { counts: elsewhere.counts, preview, end: elsewhere.end ?? 'open' }
    }
    const began = performance.now()
    const reading = countSession({ path: log.path, format: log.told?.format ?? '' }, this.#options.bytes, between)
    this.#counting.set(card.id, reading)
    try {
      const whole = await reading
      if (whole === 'over') return whole
      this.#countedAt.set(log, { at: this.#options.now(), took: performance.now() - began })
      this.#logs?.counted(
        log,
        { print, counts: whole?.counts ?? null, end: whole?.end ?? null },
        whole?.preview ?? null
      )
      this.#changed()
      return whole
    } finally {
      this.#counting.delete(card.id)
    }
  }

  async #previewOf(session: string, log: LibraryLog): Promise<SessionPreview | null> {
    if (log.told?.card == null) return null
    const { card } = await this.#entry(session)
    const print = this.#printOf(card, log)
    const kept = log.counted?.print === print ? this.#logs?.preview(log, print) : null
    if (kept != null) return kept
    // A large log that grows is not read whole again each time it does.
    const before = this.#isCountedLately(log) ? this.#logs?.preview(log, log.counted?.print ?? '') : null
    if (before != null) return before
    const whole = await this.#countAll(card, log, async () => !this.#closed)
    if (whole !== 'over') return whole?.preview ?? null
    // The one who read it was asked to pause.
    const again = await this.#countAll(card, log, async () => !this.#closed)
    return again === null || again === 'over' ? null : again.preview
  }

  #isCountedLately(log: LibraryLog): boolean {
    const counted = this.#countedAt.get(log)
    return counted !== undefined && this.#options.now() < counted.at + countShare * counted.took
  }

  async #entry(session: string): Promise<{ card: SessionCard; log: LibraryLog }> {
    await this.#begun
    const entry = this.#cards.byId.get(session)
    if (entry === undefined) throw new HostError('not-found', 'This session is no longer in the library.')
    return entry
  }

  #query(query: SessionQuery): QueriedSessions {
    const key = JSON.stringify(query)
    const known = this.#queried.get(key)
    if (known !== undefined) return known
    const [oldest] = this.#queried.keys()
    if (this.#queried.size >= mostCached && oldest !== undefined) this.#queried.delete(oldest)
    const found = applyQuery(this.#latest, query)
    this.#queried.set(key, found)
    return found
  }

  #enter(phase: LibraryStatus['phase'], done: number, all: number): void {
    const isSame = this.#phase === phase && this.#done === done && this.#all === all
    this.#phase = phase
    this.#done = done
    this.#all = all
    if (!isSame) this.#notice.soon()
  }

  #changed(): void {
    this.#isOld = true
    this.#notice.soon()
  }

  #tell(): void {
    if (this.#closed) return
    this.#refresh()
    this.#options.changed(this.#status())
  }

  /** Has cards say what is known by now. */
  #refresh(): void {
    if (this.#isOld) this.#assemble()
  }

  #assemble(): void {
    this.#isOld = false
    const runs = this.#search?.ownRuns ?? new Map()
    this.#cards = sessionCards(this.#logs?.all() ?? [], runs, this.#options.now())
    this.#latest = this.#cards.sessions.toSorted((a, b) => lastOf(b) - lastOf(a))
    this.#countTotals()
    this.#toCount = null
    this.#queried = new Map()
    this.#facets = null
    this.#version++
  }

  #status(): LibraryStatus {
    const { sessions, foreign, bytes } = this.#totals
    return {
      version: this.#version,
      phase: this.#phase,
      done: Math.min(this.#done, this.#all),
      all: this.#all,
      isPaused: this.#isPaused,
      sessions: this.#cards.sessions.length,
      bytes,
      lookedAt: this.#lookedAt,
      roots: (this.#search?.roots ?? []).map(({ path, agent, kind, isMissing, notes }) => {
        const others = foreign.get(path) ?? 0
        const note = `${others} ${others === 1 ? 'file is no log' : 'files are no logs'} of an agent that Playhead reads.`
        return {
          ...{ path, agent, kind, isMissing, sessions: sessions.get(path) ?? 0 },
          notes: (others === 0 ? notes : [note, ...notes]).slice(0, 20)
        }
      }),
      problem: this.#problem
    }
  }

  /** By the paths of roots: sessions, and files that are no logs of agents. */
  #countTotals(): void {
    const sessions = new Map<string, number>()
    const foreign = new Map<string, number>()
    let bytes = 0
    for (const { card, log } of this.#cards.byId.values()) {
      bytes += card.bytes
      if (card.parent === null) sessions.set(log.root.path, (sessions.get(log.root.path) ?? 0) + 1)
    }
    for (const { told, root } of this.#logs?.all() ?? []) {
      if (told?.isForeign === true && root.isAnyFolder) foreign.set(root.path, (foreign.get(root.path) ?? 0) + 1)
    }
    this.#totals = { sessions, foreign, bytes }
  }

  #say(sentence: string): void {
    this.#problem = sentence
    this.#options.problem(sentence)
  }

  #failed(fault: unknown): void {
    if (this.#closed) return
    // The message of a fault may quote a log.
    this.#say(
      `The library stopped inside Playhead (${fault instanceof Error ? fault.name : typeof fault}). Please report it.`
    )
    this.#notice.soon()
  }

  #wake(): void {
    if (this.#isShown) this.#lookAt = Math.min(this.#lookAt, this.#nextLook())
    this.#awake()
  }

  async #sleep(): Promise<void> {
    const next = Math.min(this.#lookAt, this.#countAgainAt, this.#cards.changesAt ?? Infinity)
    const ms = Math.max(0, Math.min(next - this.#options.now(), unshownMs))
    if (this.#countAgainAt <= this.#options.now()) {
      this.#countAgainAt = Infinity
      this.#toCount = null
    }
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

/** What reading all of a log has just told, before all cards are put together again. */
function countedNow(
  { counts, state, run }: SessionCard,
  { counted }: LibraryLog
): Pick<SessionCard, 'counts' | 'state'> {
  const end = counted?.end ?? 'open'
  // A live run that goes on is live, however its last turn ended.
  const isKnown = end === 'open' || (run !== null && state === 'live')
  return { counts: counted?.counts ?? counts, state: isKnown ? state : end }
}

const noPreview: SessionPreview = {
  firstPrompt: null,
  lastAnswer: null,
  todos: [],
  failed: [],
  files: [],
  filesTotal: 0
}
