import { availableParallelism } from 'node:os'
import type { LibraryFound } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { refuseNoExpression } from '#queries/find/log-finder.ts'
import { asFindThread } from '../find/start-find-thread.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { logsOf, type SearchedLog } from './search/batches.ts'
import type { SearchedSession } from './search/batches.ts'
import { CurrentSearch } from './search/current-search.ts'
import type { PlaceJob, PlacePart, PlaceTask } from './search/place-jobs.ts'
import type { ExcerptJob, ExcerptPart, IndexJob, IndexPart, ScanJob, ScanPart, ScanTask } from './search/scan-jobs.ts'

/** More threads that search wait for memory and the system, not for each other. */
const maxThreads = 8
/** A thread that is still busy with what nobody wants any more, so many ms after, is ended: it unpacks a log. */
const graceMs = 100
const mostHits = 100_000
/** So many searches can be asked what they found: each page has one. */
const mostSearches = 4
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

/** Searches the lines of many sessions; the answers of `library.find`, `library.hits`, `library.sessionHits`, `library.endFind`. */
export class LibrarySearch {
  readonly #options: LibrarySearchOptions
  readonly #scans: FinderCrew<ScanJob, ScanPart>
  /** Apart, so that what was found first is shown while the others are searched. */
  readonly #excerpts: FinderCrew<ExcerptJob, ExcerptPart>
  readonly #places: FinderCrew<PlaceJob, PlacePart>
  readonly #fills: FinderCrew<IndexJob, IndexPart>
  #finds = 0
  /** By number, the oldest first. */
  readonly #searches = new Map<number, CurrentSearch>()

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

  /**
   * `sessions`: the latest first; they are searched in this order. Ends the oldest search where there are as many as there may be, and says so. Throws
   * `bad-params` where `text` is no regular expression.
   */
  find(sessions: readonly SearchedSession[], given: Omit<Params<'library.find'>, 'filter'>): Result<'library.find'> {
    const query = { text: given.text, regex: given.regex, caseSensitive: given.caseSensitive }
    refuseNoExpression(query)
    this.#makeRoom()
    const find = ++this.#finds
    const search = new CurrentSearch(sessions, query, {
      crew: this.#scans,
      excerpts: this.#excerpts,
      places: this.#places,
      report: (progress) => this.#options.found({ find, ...progress }),
      mostHits: this.#options.mostHits ?? mostHits,
      index: this.#indexFor(logsOf(sessions)),
      patience: this.#options.patience ?? usualPatience
    })
    this.#searches.set(find, search)
    void awake(search.run())
    return { find }
  }

  async hits({ find, ...wanted }: Params<'library.hits'>): Promise<Result<'library.hits'>> {
    return await awake(this.#searchAs(find).hits(wanted))
  }

  async sessionHits({ find, ...wanted }: Params<'library.sessionHits'>): Promise<Result<'library.sessionHits'>> {
    return await awake(this.#searchAs(find).sessionHits(wanted))
  }

  endFind(find: number): void {
    const search = this.#searches.get(find)
    this.#searches.delete(find)
    search?.end()
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
    for (const find of this.#searches.keys()) this.endFind(find)
    const crews = [this.#scans, this.#excerpts, this.#places, this.#fills]
    await awake(Promise.all(crews.map((crew) => crew.close())))
  }

  #searchAs(find: number): CurrentSearch {
    const search = this.#searches.get(find)
    if (search === undefined) throw new HostError('not-found', 'This search has ended. Search again.')
    return search
  }

  #makeRoom(): void {
    const [oldest] = this.#searches
    if (oldest === undefined || this.#searches.size < mostSearches) return
    const [find, { progress }] = oldest
    this.endFind(find)
    const error = `This search was stopped, because ${mostSearches} newer ones were started. Search again.`
    this.#options.found({ find, ...progress, searching: false, error })
  }

  #isClosed = false
  #haveClosed: () => void = () => {}
  readonly #closed = new Promise<void>((resolve) => (this.#haveClosed = resolve))
}

/** Threads that search keep no program from ending; a command waits for what they find, and for their end. */
async function awake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
