import { availableParallelism } from 'node:os'
import type { LibraryFound, LibraryHit } from '#contract/library.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { refuseNoExpression } from '#queries/find/log-finder.ts'
import { asFindThread } from '../find/start-find-thread.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { SearchedLog } from './search/batches.ts'
import type { LogHits } from './search/found-hits.ts'
import type { PlaceJob, PlacePart, PlaceTask } from './search/place-jobs.ts'
import type { ExcerptJob, ExcerptPart, IndexJob, IndexPart, ScanJob, ScanPart, ScanTask } from './search/scan-jobs.ts'
import { SessionSearch } from './search/session-search.ts'

/** More threads that search wait for memory and the system, not for each other. */
const maxThreads = 8
/** A thread that is still busy with what nobody wants any more, so many ms after, is ended: it unpacks a log. */
const graceMs = 100
const mostHits = 100_000
/** So many texts of lines are kept. */
const mostExcerpts = 10_000
/** Two, so that a log that takes long to read does not stop all others. */
const placeThreads = 2
/** So long, in ms, an answer waits for the events of its lines. */
const usualPatience = 250

/** From so many bytes of logs on a search takes longer than a second, and an index is worth its room. */
export const indexedFrom = 4 * 2 ** 30
/** So much is noted in one go: what a person asks for meanwhile waits no longer. */
const fillBytes = 1 << 25
/** Less than this is as soon searched. */
const leastIndexed = 4 << 20

/** A session that is searched: its log, and those of its subagents that are not found from it. */
export interface SearchedSession {
  readonly card: SessionCard
  readonly subagents: readonly SessionCard[]
}

export interface LibrarySearchOptions {
  readonly createWorker: CreateWorker
  /** The cache folder, for the index of large libraries; null: there is none. */
  readonly cache: string | null
  readonly found: (progress: LibraryFound) => void
  readonly problem: (message: string) => void
  /** So long, in ms, an answer waits for the events of its lines, which are told in a later one otherwise; Infinity: until all are known. */
  readonly patience?: number
  /** For tests: so many lines in all are kept, so often it is looked whether an expression has lost itself. */
  readonly mostHits?: number
  readonly lookInterval?: number
  /** For tests: from so many bytes of logs on there is an index, in files that tell of no less than so many. */
  readonly indexedFrom?: number
  readonly leastIndexed?: number
}

/** The search that goes on, or was the last one. */
interface Current {
  readonly find: number
  readonly sessions: readonly SearchedSession[]
  readonly search: SessionSearch
  readonly placing: Map<LogHits, Promise<void>>
  /** Texts kept, and answers that are being put together of them. */
  excerpts: number
  answers: number
}

/** Searches the lines of many sessions; the answers of `library.find`, `library.hits`, `library.sessionHits`, `library.endFind`. */
export class LibrarySearch {
  readonly #options: LibrarySearchOptions
  readonly #scans: FinderCrew<ScanJob, ScanPart>
  /** Apart, so that what was found first is shown while the others are searched. */
  readonly #excerpts: FinderCrew<ExcerptJob, ExcerptPart>
  readonly #places: FinderCrew<PlaceJob, PlacePart>
  readonly #fills: FinderCrew<IndexJob, IndexPart>
  #finds = 0
  #current: Current | null = null

  constructor(options: LibrarySearchOptions) {
    this.#options = options
    const { createWorker, lookInterval } = options
    const scan: ScanTask = { role: 'library-search' }
    const place: PlaceTask = { role: 'library-places' }
    const searching = <J, P>(): StartFindThread<J, P> =>
      asFindThread(() => createWorker({ workerData: scan, name: 'library-search' }))
    const placing: StartFindThread<PlaceJob, PlacePart> = asFindThread(() =>
      createWorker({ workerData: place, name: 'library-places' })
    )
    this.#scans = new FinderCrew(searching(), {
      size: Math.min(availableParallelism(), maxThreads),
      lookInterval,
      graceMs
    })
    this.#excerpts = new FinderCrew(searching(), { size: 1, lookInterval, graceMs })
    this.#fills = new FinderCrew(searching(), { size: 1 })
    this.#places = new FinderCrew(placing, { size: placeThreads, lookInterval })
  }

  /** `sessions`: the latest first; they are searched in this order. Throws `bad-params` where `text` is no regular expression. */
  find(sessions: readonly SearchedSession[], given: Omit<Params<'library.find'>, 'filter'>): Result<'library.find'> {
    const query = { text: given.text, regex: given.regex, caseSensitive: given.caseSensitive }
    refuseNoExpression(query)
    this.#end()
    const find = ++this.#finds
    const logs = logsOf(sessions)
    const search = new SessionSearch(logs, sessions.length, query, {
      crew: this.#scans,
      report: (progress) => this.#options.found({ find, ...progress }),
      mostHits: this.#options.mostHits ?? mostHits,
      index: this.#indexFor(logs)
    })
    this.#current = { find, sessions, search, placing: new Map(), excerpts: 0, answers: 0 }
    this.#excerpts.warmUp()
    void awake(search.run())
    return { find }
  }

  /** Of a search that was ended there are none. */
  async hits({ find, from, count, perSession }: Params<'library.hits'>): Promise<Result<'library.hits'>> {
    const current = this.#currentAs(find)
    if (current === null) return { sessions: [] }
    const wanted = current.search.found.slice(from, from + count)
    const shown = await awake(Promise.all(wanted.map(({ logs }) => this.#hitsOf(current, logs, 0, perSession))))
    return {
      sessions: wanted.flatMap(({ session, count: hits }, i) => {
        const card = current.sessions[session]?.card
        return card === undefined ? [] : [{ card, hits, shown: shown[i] ?? [] }]
      })
    }
  }

  async sessionHits({
    find,
    session,
    from,
    count
  }: Params<'library.sessionHits'>): Promise<Result<'library.sessionHits'>> {
    const current = this.#currentAs(find)
    const found = current?.search.found.find((one) => current.sessions[one.session]?.card.id === session)
    return {
      hits: current === null || found === undefined ? [] : await awake(this.#hitsOf(current, found.logs, from, count))
    }
  }

  endFind(find: number): void {
    if (this.#currentAs(find) !== null) this.#end()
  }

  /**
   * Notes what stands in the logs of all sessions, as far as it is not noted yet, in a thread, so that large libraries are searched sooner. Small ones are
   * left alone. Goes on until all is noted, or `signal` says to stop. Rejects with a `FindFailure` where it cannot be kept.
   */
  async fill(sessions: readonly SearchedSession[], signal: AbortSignal): Promise<void> {
    const logs = logsOf(sessions)
    const cache = this.#indexFor(logs)
    if (cache === null) return
    for (let next = 0; next < logs.length && !signal.aborted;) {
      const paths: string[] = []
      for (let sum = 0; next < logs.length && sum < fillBytes; next++) {
        paths.push(logs[next]?.path ?? '')
        sum += logs[next]?.bytes ?? 0
      }
      const isLast = next >= logs.length
      const leastBytes = this.#options.leastIndexed ?? leastIndexed
      const job: IndexJob = { kind: 'index', query: { regex: false }, cache, paths, isLast, leastBytes }
      await awake(Promise.race([this.#fills.search(job, () => {}), this.#closed]))
      if (this.#isClosed) return
    }
  }

  /** The folder with the index; null where so much is searched without one. */
  #indexFor(logs: readonly SearchedLog[]): string | null {
    const bytes = logs.reduce((sum, log) => sum + log.bytes, 0)
    return bytes < (this.#options.indexedFrom ?? indexedFrom) ? null : this.#options.cache
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#haveClosed()
    this.#end()
    await Promise.all([this.#scans.close(), this.#excerpts.close(), this.#places.close(), this.#fills.close()])
  }

  #currentAs(find: number): Current | null {
    return this.#current?.find === find ? this.#current : null
  }

  #end(): void {
    const current = this.#current
    this.#current = null
    if (current === null) return
    current.search.end()
    void this.#excerpts.drop(current.search.query.regex)
    if (current.placing.size > 0) void this.#places.drop(true)
    this.#haveEnded()
    this.#ended = new Promise((resolve) => (this.#haveEnded = resolve))
  }
  #isClosed = false
  #haveClosed: () => void = () => {}
  readonly #closed = new Promise<void>((resolve) => (this.#haveClosed = resolve))
  #haveEnded: () => void = () => {}
  /** What waits for a thread does not wait for one that was dropped. */
  #ended = new Promise<void>((resolve) => (this.#haveEnded = resolve))

  /** The hits `from` … `from + count` of some logs, one after the other. */
  async #hitsOf(current: Current, logs: readonly LogHits[], from: number, count: number): Promise<LibraryHit[]> {
    const wanted: { readonly log: LogHits; readonly from: number; readonly to: number }[] = []
    let before = 0
    for (const log of logs) {
      const first = Math.max(0, from - before)
      const last = Math.min(log.count, from + count - before)
      if (last > first) wanted.push({ log, from: first, to: last })
      before += log.count
    }
    current.answers++
    const read = wanted.map((one) => this.#readTexts(current, one.log, one.from, one.to))
    await Promise.race([Promise.all(read), this.#ended])
    const placed = wanted.map(({ log, from: first, to }) => this.#place(current, log, first, to))
    const { patience = usualPatience } = this.#options
    await Promise.race([Promise.all(placed), this.#ended, ...(patience === Infinity ? [] : [pause(patience)])])
    const hits = wanted.flatMap((one) =>
      one.log.offsets.slice(one.from, one.to).flatMap((offset) => hitAt(one.log, offset))
    )
    if (--current.answers === 0 && current.excerpts > mostExcerpts) {
      for (const { logs: all } of current.search.found) for (const log of all) log.excerpts.clear()
      current.excerpts = 0
    }
    return hits
  }

  async #readTexts(current: Current, log: LogHits, from: number, to: number): Promise<void> {
    const lines = log.missing(from, to - from)
    const [first] = lines
    if (first === undefined) return
    const known = log.knownBefore(first.offset)
    const job: ExcerptJob = { kind: 'excerpts', query: current.search.query, path: log.path, lines, known }
    current.excerpts += lines.length
    const keep = ({ excerpts }: ExcerptPart): void => {
      for (const [i, { offset }] of lines.entries()) log.excerpt(offset, excerpts[i] ?? null)
    }
    // What an expression cannot be made to say again is shown without.
    await this.#excerpts.search(job, keep).catch(() => {})
  }

  /** Finds out the events of all hits of a log that are known so far, if those of some are wanted and not known. */
  async #place(current: Current, log: LogHits, from: number, to: number): Promise<void> {
    await current.placing.get(log)
    if (this.#current !== current || log.offsets.slice(from, to).every((offset) => log.places.has(offset))) return
    const offsets = log.offsets.filter((offset) => !log.places.has(offset))
    const job: PlaceJob = { query: current.search.query, path: log.path, offsets }
    const placing = this.#places
      .search(job, ({ places }) => {
        for (const place of places) log.places.set(place.offset, place)
      })
      .catch(() => {})
      .finally(() => current.placing.delete(log))
    current.placing.set(log, placing)
    await placing
  }
}

function logsOf(sessions: readonly SearchedSession[]): SearchedLog[] {
  return sessions.flatMap(({ card, subagents }, session) =>
    [card, ...subagents].map(({ path, bytes }) => ({ session, path, bytes }))
  )
}

function hitAt(log: LogHits, offset: number): LibraryHit[] {
  const excerpt = log.excerpts.get(offset)
  // The log was cut, or is gone, since it was searched.
  if (excerpt === undefined || excerpt === null) return []
  const { seq = null, kind = '', tool = null, at = null } = log.places.get(offset) ?? {}
  const { line, text, match } = excerpt
  return [{ path: log.path, line, seq, kind, tool, at, text, match: match === null ? null : [...match] }]
}

/** Threads that search keep no program from ending; a command waits for what they find. */
async function awake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise<void>((resume) => void setTimeout(resume, ms))
}
