import { availableParallelism } from 'node:os'
import type { LibraryFound, SearchedText } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { refuseNoExpression } from '#queries/find/expression.ts'
import { asFindThread } from '../find/start-find-thread.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { logsOf, type SearchedLog } from './search/batches.ts'
import type { SearchedSession } from './search/batches.ts'
import { CurrentSearch } from './search/current-search.ts'
import type { PlaceJob, PlacePart, PlaceTask } from './search/place-jobs.ts'
import type {
  ExcerptJob,
  ExcerptPart,
  IndexJob,
  IndexPart,
  LineQuery,
  ScanJob,
  ScanPart,
  ScanTask
} from './search/scan-jobs.ts'

/** More threads only wait for memory and the system. */
const maxThreads = 8
/** A thread that is still busy this long after its job was dropped is terminated: it unpacks a log. */
const graceMs = 100
/** Ms that slow matches may take beside the search itself: without them, a hit is shown without its match. */
const slowDetailsMs = 400
const maxHits = 100_000
/** One for each open page. */
const maxSearches = 4
/** Two, so that one slow log does not block all others. */
const placeThreads = 2
/** An answer waits this long for the events of its lines. */
const defaultPatienceMs = 250

/** Above this size a search takes longer than a second, and an index is worth its space. */
export const indexedFromBytes = 4 * 2 ** 30
/** Bytes indexed by one job; a request of the user waits no longer than one job. */
const fillBytes = 1 << 25
/** Smaller amounts are searched as fast without an index. */
const minIndexedBytes = 4 << 20

export interface LibrarySearchOptions {
  readonly createWorker: CreateWorker
  /** The cache folder, for the index; null: no index. */
  readonly cache: string | null
  readonly found: (progress: LibraryFound) => void
  readonly problem: (message: string) => void
  /** An answer waits this long for events, which a later answer has otherwise; Infinity: until all are known. */
  readonly patienceMs?: number
  /** For tests: limits of hits and of the interval for endless expressions. */
  readonly maxHits?: number
  readonly lookInterval?: number
  /** For tests: sizes of logs from which there is an index, and from which a segment is written. */
  readonly indexedFromBytes?: number
  readonly minIndexedBytes?: number
}

/** Searches the lines of many sessions, for `library.find`, `library.hits`, `library.sessionHits`, `library.endFind`. */
export class LibrarySearch {
  readonly #options: LibrarySearchOptions
  readonly #scans: FinderCrew<ScanJob, ScanPart>
  /** Threads of their own, so that first hits are shown during the search. */
  readonly #excerpts: FinderCrew<ExcerptJob, ExcerptPart>
  readonly #places: FinderCrew<PlaceJob, PlacePart>
  readonly #fills: FinderCrew<IndexJob, IndexPart>
  #finds = 0
  /** By number, oldest first. */
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
    this.#excerpts = new FinderCrew(searching(), { size: 1, lookInterval, graceMs, slowMs: slowDetailsMs })
    this.#fills = new FinderCrew(searching(), { size: 1 })
    this.#places = new FinderCrew(placing, { size: placeThreads, lookInterval, slowMs: slowDetailsMs })
  }

  /** Searches newest first. Ends the oldest search at the limit. Throws `bad-params` for an invalid expression. */
  find(
    sessions: readonly SearchedSession[],
    { texts, without }: Pick<Params<'library.find'>, 'texts' | 'without'>
  ): Result<'library.find'> {
    for (const each of [...texts, ...without]) refuseNoExpression(each)
    const query = lineQueryOf(texts, without)
    this.#dropOldest()
    const find = ++this.#finds
    const search = new CurrentSearch(sessions, query, {
      crew: this.#scans,
      excerpts: this.#excerpts,
      places: this.#places,
      report: (progress) => this.#options.found({ find, ...progress }),
      maxHits: this.#options.maxHits ?? maxHits,
      index: this.#indexFor(logsOf(sessions)),
      patienceMs: this.#options.patienceMs ?? defaultPatienceMs
    })
    this.#searches.set(find, search)
    void keepAlive(search.run())
    return { find }
  }

  async hits({ find, ...wanted }: Params<'library.hits'>): Promise<Result<'library.hits'>> {
    return await keepAlive(this.#searchAs(find).hits(wanted))
  }

  async sessionHits({ find, ...wanted }: Params<'library.sessionHits'>): Promise<Result<'library.sessionHits'>> {
    return await keepAlive(this.#searchAs(find).sessionHits(wanted))
  }

  endFind(find: number): void {
    const search = this.#searches.get(find)
    this.#searches.delete(find)
    search?.end()
  }

  /** Indexes the logs of a large library until done or aborted. Rejects with a `FindFailure` if the index cannot be written. */
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
      const minBytes = this.#options.minIndexedBytes ?? minIndexedBytes
      const job: IndexJob = { kind: 'index', query: { regex: false }, cache, paths, isLast, minBytes }
      await keepAlive(Promise.race([this.#fills.search(job, () => {}), this.#closed]))
      if (this.#isClosed) return
    }
  }

  /** The folder of the index; null: too few bytes for one. */
  #indexFor(logs: readonly SearchedLog[]): string | null {
    const bytes = logs.reduce((sum, log) => sum + log.bytes, 0)
    return bytes < (this.#options.indexedFromBytes ?? indexedFromBytes) ? null : this.#options.cache
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#resolveClosed()
    for (const find of this.#searches.keys()) this.endFind(find)
    const crews = [this.#scans, this.#excerpts, this.#places, this.#fills]
    await keepAlive(Promise.all(crews.map((crew) => crew.close())))
  }

  #searchAs(find: number): CurrentSearch {
    const search = this.#searches.get(find)
    if (search === undefined) throw new HostError('not-found', 'This search has ended. Search again.')
    return search
  }

  #dropOldest(): void {
    const [oldest] = this.#searches
    if (oldest === undefined || this.#searches.size < maxSearches) return
    const [find, { progress }] = oldest
    this.endFind(find)
    const error = `This search was stopped, because ${maxSearches} newer ones were started. Search again.`
    this.#options.found({ find, ...progress, searching: false, error })
  }

  #isClosed = false
  #resolveClosed: () => void = () => {}
  readonly #closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve))
}

/** Lines are found by the longest text, which is in the fewest lines, and then tested for the others. */
function lineQueryOf(texts: readonly SearchedText[], without: readonly SearchedText[]): LineQuery {
  const [main, ...also] = texts.toSorted(
    (one, other) => Number(one.regex) - Number(other.regex) || other.text.length - one.text.length
  )
  if (main === undefined) throw new HostError('bad-params', 'There is no text to search for.')
  return { regex: [...texts, ...without].some(({ regex }) => regex), main, also, without }
}

/** Search threads do not keep the process alive, but a command must wait for their results and their end. */
async function keepAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
