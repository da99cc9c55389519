import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { StoreSystem } from '#core/formats/log-store.ts'
import { withHome } from '#core/library/home-path.ts'
import type { SessionCard, SessionPreview } from '#core/library/session-card.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { totalsOf } from '#core/library/session-totals.ts'
import type { LibraryStatus } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { systemPath } from '../sources/system-path.ts'
import { AddedFolders } from './added-folders.ts'
import { runInSlices } from './run-in-slices.ts'
import { KnownLogs } from './known-logs.ts'
import { LibraryDatabase } from './library-database.ts'
import type { LibraryLog } from './library-log.ts'
import { LibraryLoop } from './library-loop.ts'
import { LibraryPhase } from './library-phase.ts'
import { plannedRoots, type PlannedRoot } from './library-roots.ts'
import type { SearchedSession } from './search/batches.ts'
import { ListedSessions } from './listed-sessions.ts'
import type { ReadBytes } from './read-bytes.ts'
import { LogDiscovery, runsRoot } from './log-discovery.ts'
import { RecordedRuns } from './recorded-runs.ts'
import { ThrottledNotice } from './throttled-notice.ts'
import { type PricesPlace, pricesInUse } from '../prices.ts'
import { cardCost } from './session-cards.ts'
import { resumeCommand } from './resume-command.ts'
import { SessionCounting } from './session-counting.ts'

export interface SessionLibraryOptions {
  readonly cache: string | null
  readonly state: string | null
  readonly roots: readonly string[] | null
  readonly system: StoreSystem
  /** The prices for costs; absent: none. */
  readonly prices?: PricesPlace
  readonly bytes: ReadBytes
  /** Sessions are counted in threads of their own; absent: in this one, one at a time. */
  readonly createWorker?: CreateWorker
  /** At most four times a second. */
  readonly changed: (status: LibraryStatus) => void
  readonly problem: (sentence: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/** Between two notices of counts that no page shows. */
const unseenMs = 2000
/** The most groups in an answer. */
const maxTotals = 2000

/** The parts of the library, available once stored data is loaded. */
interface LoadedParts {
  readonly logs: KnownLogs
  readonly discovery: LogDiscovery
  readonly listed: ListedSessions
  readonly counting: SessionCounting
  readonly loop: LibraryLoop
}

/** The library inside its thread: all sessions on this machine, and the answers to calls. */
export class SessionLibrary {
  readonly #options: SessionLibraryOptions
  readonly #added: AddedFolders | null
  readonly #runs: RecordedRuns | null
  readonly #notice = new ThrottledNotice(() => this.#notify())
  readonly #phase = new LibraryPhase(() => this.#noticeSoon())
  readonly #ready: Promise<LoadedParts>
  #loaded: LoadedParts | null = null
  #planned: readonly PlannedRoot[] = []
  #problem: string | null = null
  #isStarted = false
  #closed = false

  constructor(options: SessionLibraryOptions) {
    this.#options = options
    this.#added = options.state === null ? null : new AddedFolders(options.state, options.problem)
    this.#runs = options.state === null ? null : new RecordedRuns(options.state)
    this.#ready = this.#load().catch((fault: unknown) => {
      throw this.#failed(fault)
    })
    this.#ready.catch(() => {})
  }

  /** Starts the scans. Stored data is available without. */
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

  async totals({ where, by }: Params<'library.totals'>): Promise<Result<'library.totals'>> {
    const { listed } = await this.#ready
    const { all, groups } = totalsOf(listed.matching(where), by)
    return {
      version: listed.version,
      all,
      groups: groups.slice(0, maxTotals),
      further: Math.max(0, groups.length - maxTotals)
    }
  }

  async session({ session }: Params<'library.session'>): Promise<Result<'library.session'>> {
    const { listed, counting } = await this.#ready
    const { log } = listed.entry(session)
    const whole = await counting.previewOf(session)
    const { card } = listed.entry(session)
    return {
      card: whole === null ? card : { ...card, ...countedNow(card, log, listed.prices) },
      preview: whole ?? noPreview,
      subagents: [...listed.subagentsOf(card)],
      resume: resumeCommand(card, this.#options.system.platform)
    }
  }

  /** The matching sessions with their subagents, newest first. */
  async searched(where: string): Promise<SearchedSession[]> {
    const { listed } = await this.#ready
    // Whole logs that were read for the query have counts now.
    listed.refresh()
    return listed.matching(where).map((card) => ({ card, subagents: listed.subagentsOf(card) }))
  }

  /** Ids of matching sessions whose counts are missing or outdated. */
  async uncounted(where: string): Promise<string[]> {
    return (await this.#ready).counting.uncounted(where)
  }

  /** Folders that could not be scanned. */
  async unreadFolders(): Promise<readonly string[]> {
    return (await this.#ready).discovery.unread
  }

  /** The path of a session's log. Rejects with `not-found` for an unknown session. */
  async pathOf(session: string): Promise<string> {
    return (await this.#ready).listed.entry(session).log.path
  }

  /** The status once all sessions have cards. Rejects if the library ends before. */
  async listed(): Promise<LibraryStatus> {
    const begun = await this.#ready
    await this.#phase.listed()
    begun.listed.refresh()
    return this.#statusOf(begun)
  }

  /** All sessions and subagents, once all logs were found. */
  async all(): Promise<SessionCard[]> {
    const { listed } = await this.#ready
    await this.listed()
    return listed.all()
  }

  async watch({ isShown }: Params<'library.watch'>): Promise<void> {
    const { loop, listed } = await this.#ready
    // The file or the settings may have changed.
    await this.#readPrices(listed)
    loop.watch(isShown)
    if (isShown) this.#notice.soon()
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

  /** Writes all changes. */
  async close(): Promise<void> {
    this.#closed = true
    this.#notice.close()
    this.#phase.end(new HostError('unavailable', 'The library was closed.'))
    const begun = await this.#ready.catch(() => null)
    begun?.discovery.close()
    begun?.loop.close()
    begun?.counting.close()
    begun?.logs.close()
  }

  /** Loads stored data. */
  async #load(): Promise<LoadedParts> {
    const { cache, bytes, now, createWorker = null } = this.#options
    const database = await LibraryDatabase.open(cache, (sentence) => this.#report(sentence))
    const logs = new KnownLogs(database)
    const discovery = new LogDiscovery(logs, this.#runs)
    await this.#plan()
    const roots = this.#runs === null ? this.#planned : [...this.#planned, runsRoot(this.#runs)]
    await runInSlices(logs.load(roots), () => this.#closed)
    logs.setRootsInUse(roots, now())
    const listed = new ListedSessions(logs, discovery, now)
    await this.#readPrices(listed)
    listed.refresh()
    const changed = (): void => {
      listed.outdate()
      this.#noticeSoon()
    }
    const counting = new SessionCounting(logs, listed, { bytes, now, changed, createWorker })
    const loop = new LibraryLoop(
      { logs, discovery, listed, counting, phase: this.#phase },
      { bytes, now, changed, planned: () => this.#planned }
    )
    return (this.#loaded = { logs, discovery, listed, counting, loop })
  }

  async #readPrices(listed: ListedSessions): Promise<void> {
    const { prices } = this.#options
    if (prices === undefined) return
    const { table, problem } = await pricesInUse(prices)
    listed.prices = table
    if (problem !== null && problem !== this.#problem) this.#report(problem)
    this.#notice.soon()
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

  /** Counts that nobody looks at are told less often: each notice makes all cards again. */
  #noticeSoon(): void {
    const isUnseen = this.#phase.phase === 'counts' && this.#loaded?.loop.isShown === false
    this.#notice.soon(isUnseen ? unseenMs : 0)
  }

  #notify(): void {
    if (this.#closed || this.#loaded === null) return
    this.#loaded.listed.refresh()
    this.#options.changed(this.#statusOf(this.#loaded))
  }

  #statusOf({ listed, loop }: LoadedParts): LibraryStatus {
    return {
      ...{ phase: this.#phase.phase, ...this.#phase.progress },
      ...{ isPaused: loop.isPaused, lookedAt: loop.lookedAt, problem: this.#problem },
      ...listed.totals()
    }
  }

  #report(sentence: string): void {
    this.#problem = sentence
    this.#options.problem(sentence)
  }

  /** Rejects everything that waits for the library. */
  #failed(fault: unknown): HostError {
    // The message may quote a log.
    const name = fault instanceof Error ? fault.name : typeof fault
    const error = new HostError('internal', `The library failed inside Playhead (${name}). Please report this.`)
    this.#phase.end(error)
    if (this.#closed) return error
    this.#report(error.message)
    this.#notice.soon()
    return error
  }
}

/** Counts that a full read has just found, before the cards are made again. */
function countedNow(
  { counts, state, run }: SessionCard,
  { counted }: LibraryLog,
  prices: PriceTable | null
): Pick<SessionCard, 'counts' | 'state' | 'cost' | 'costGaps'> {
  const end = counted?.end ?? 'open'
  // A running live run is live even if its last turn has ended.
  const isKnown = end === 'open' || (run !== null && state === 'live')
  const known = counted?.counts ?? counts
  return { counts: known, state: isKnown ? state : end, ...cardCost(known, prices) }
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
