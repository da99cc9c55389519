import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { StoreSystem } from '#core/formats/log-store.ts'
import { withHome } from '#core/library/home-path.ts'
import type { SessionCard, SessionPreview } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import type { LibraryStatus } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import { systemPath } from '../sources/system-path.ts'
import { AddedFolders } from './added-folders.ts'
import { inTurns } from './in-turns.ts'
import { KnownLogs } from './known-logs.ts'
import { LibraryDatabase } from './library-database.ts'
import type { LibraryLog } from './library-log.ts'
import { LibraryLoop } from './library-loop.ts'
import { LibraryPhase } from './library-phase.ts'
import { plannedRoots, type PlannedRoot } from './library-roots.ts'
import type { SearchedSession } from './search/batches.ts'
import { ListedSessions } from './listed-sessions.ts'
import type { LogBytes } from './log-bytes.ts'
import { LogSearch, runsRoot } from './look-for-logs.ts'
import { OwnRuns } from './own-runs.ts'
import { PacedNotice } from './paced-notice.ts'
import { resumeCommand } from './resume-command.ts'
import { SessionCounting } from './session-counting.ts'

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

/** What there is once what was kept from the last time is here. */
interface Begun {
  readonly logs: KnownLogs
  readonly search: LogSearch
  readonly listed: ListedSessions
  readonly counting: SessionCounting
  readonly loop: LibraryLoop
}

/** All sessions on this machine: what is known of them, and what is asked of the library. Lives in a thread of its own. */
export class SessionLibrary {
  readonly #options: SessionLibraryOptions
  readonly #added: AddedFolders | null
  readonly #runs: OwnRuns | null
  readonly #notice = new PacedNotice(() => this.#tell())
  readonly #phase = new LibraryPhase(() => this.#notice.soon())
  readonly #ready: Promise<Begun>
  #begun: Begun | null = null
  #planned: readonly PlannedRoot[] = []
  #problem: string | null = null
  #isStarted = false
  #closed = false

  constructor(options: SessionLibraryOptions) {
    this.#options = options
    this.#added = options.state === null ? null : new AddedFolders(options.state)
    this.#runs = options.state === null ? null : new OwnRuns(options.state)
    this.#ready = this.#begin().catch((fault: unknown) => {
      throw this.#failed(fault)
    })
    this.#ready.catch(() => {})
  }

  /** Looks for logs from now on, until it is closed. What is kept from the last time is answered without. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    void this.#ready.then(({ loop }) => this.#run(loop)).catch(() => {})
  }

  async status(): Promise<LibraryStatus> {
    return this.#statusOf(await this.#ready)
  }

  async overview({ query }: Params<'library.overview'>): Promise<Result<'library.overview'>> {
    const { listed } = await this.#ready
    const { cards, groups } = listed.query(query)
    return { version: listed.version, total: cards.length, groups: [...groups], facets: listed.facets }
  }

  async cards({ query, from, count }: Params<'library.cards'>): Promise<Result<'library.cards'>> {
    const { listed } = await this.#ready
    return { version: listed.version, cards: listed.query(query).cards.slice(from, from + count) }
  }

  async session({ session }: Params<'library.session'>): Promise<Result<'library.session'>> {
    const { listed, counting } = await this.#ready
    const { log } = listed.entry(session)
    const whole = await counting.previewOf(session)
    const { card } = listed.entry(session)
    return {
      card: whole === null ? card : { ...card, ...countedNow(card, log) },
      preview: whole ?? noPreview,
      subagents: [...listed.subagentsOf(card)],
      resume: resumeCommand(card, this.#options.system.platform)
    }
  }

  /** The sessions of a filter with the logs of their subagents, the latest first. */
  async searched(filter: SessionFilter): Promise<SearchedSession[]> {
    const { listed } = await this.#ready
    return listed.matching(filter).map((card) => ({ card, subagents: listed.subagentsOf(card) }))
  }

  /** Of the sessions of a filter those whose counts are not known, or not those of their logs as they are now. */
  async uncounted(filter: SessionFilter): Promise<string[]> {
    return (await this.#ready).counting.uncounted(filter)
  }

  /** Folders that could not be looked into. */
  async unreadFolders(): Promise<readonly string[]> {
    return (await this.#ready).search.unread
  }

  /** Where a session's log is. Rejects with `not-found` for what is none of the library's. */
  async pathOf(session: string): Promise<string> {
    return (await this.#ready).listed.entry(session).log.path
  }

  /** How it is once all sessions have their cards. Rejects where that will not be. */
  async listed(): Promise<LibraryStatus> {
    const begun = await this.#ready
    await this.#phase.listed()
    begun.listed.refresh()
    return this.#statusOf(begun)
  }

  /** All sessions and the logs of their subagents, once all have been looked for. */
  async all(): Promise<SessionCard[]> {
    const { listed } = await this.#ready
    await this.listed()
    return listed.all()
  }

  async watch({ isShown }: Params<'library.watch'>): Promise<void> {
    const { loop } = await this.#ready
    loop.watch(isShown)
  }

  async lookAgain(): Promise<void> {
    const { loop } = await this.#ready
    loop.lookAgain()
  }

  async pause({ isPaused }: Params<'library.pause'>): Promise<void> {
    const { loop } = await this.#ready
    loop.pause(isPaused)
    this.#notice.soon()
  }

  async addFolder({ path }: Params<'library.addFolder'>): Promise<Result<'library.addFolder'>> {
    if (this.#added === null) throw new HostError('unavailable', 'Folders cannot be added here.')
    const { home } = this.#options.system
    const absolute = resolve(home, withHome(path, home))
    let real: string
    try {
      real = await realpath(await systemPath(absolute))
      if (!(await stat(real)).isDirectory())
        throw new HostError('not-found', `${absolute} is not a folder. Add the folder that contains it.`)
    } catch (error) {
      if (error instanceof HostError) throw error
      throw new HostError('not-found', `The folder ${absolute} does not exist or cannot be read. Check the path.`)
    }
    await this.#added.add(real)
    await this.#plan()
    await this.lookAgain()
    return { path: real }
  }

  async removeFolder({ path }: Params<'library.removeFolder'>): Promise<void> {
    await this.#added?.remove(path)
    await this.#plan()
    await this.lookAgain()
  }

  /** Writes what is known. */
  async close(): Promise<void> {
    this.#closed = true
    this.#notice.close()
    this.#phase.end(new HostError('unavailable', 'The library was closed.'))
    const begun = await this.#ready.catch(() => null)
    begun?.search.close()
    begun?.loop.close()
    begun?.logs.close()
  }

  /** What was kept from the last time is here at once. */
  async #begin(): Promise<Begun> {
    const { cache, bytes, now } = this.#options
    const database = await LibraryDatabase.open(cache, (sentence) => this.#say(sentence))
    const logs = new KnownLogs(database)
    const search = new LogSearch(logs, this.#runs)
    await this.#plan()
    const roots = this.#runs === null ? this.#planned : [...this.#planned, runsRoot(this.#runs)]
    await inTurns(logs.load(roots), () => this.#closed)
    logs.lookedInto(roots, now())
    const listed = new ListedSessions(logs, search, now)
    const changed = (): void => {
      listed.outdate()
      this.#notice.soon()
    }
    const counting = new SessionCounting(logs, listed, { bytes, now, changed, isClosed: () => this.#closed })
    const loop = new LibraryLoop(
      { logs, search, listed, counting, phase: this.#phase },
      { bytes, now, changed, planned: () => this.#planned }
    )
    return (this.#begun = { logs, search, listed, counting, loop })
  }

  async #plan(): Promise<void> {
    const { system, roots } = this.#options
    this.#planned = plannedRoots({ system, roots, added: (await this.#added?.list()) ?? [] })
  }

  async #run(loop: LibraryLoop): Promise<void> {
    try {
      if (!this.#closed) await loop.run()
    } catch (fault) {
      this.#failed(fault)
    }
  }

  #tell(): void {
    if (this.#closed || this.#begun === null) return
    this.#begun.listed.refresh()
    this.#options.changed(this.#statusOf(this.#begun))
  }

  #statusOf({ listed, loop }: Begun): LibraryStatus {
    return {
      ...{ phase: this.#phase.phase, ...this.#phase.progress },
      ...{ isPaused: loop.isPaused, lookedAt: loop.lookedAt, problem: this.#problem },
      ...listed.totals()
    }
  }

  #say(sentence: string): void {
    this.#problem = sentence
    this.#options.problem(sentence)
  }

  /** Nothing waits any more for what will not come. */
  #failed(fault: unknown): HostError {
    // The message of a fault may quote a log.
    const name = fault instanceof Error ? fault.name : typeof fault
    const error = new HostError('internal', `The library failed inside Playhead (${name}). Please report this.`)
    this.#phase.end(error)
    if (this.#closed) return error
    this.#say(error.message)
    this.#notice.soon()
    return error
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
  filesTotal: 0,
  filesAtLeast: false
}
