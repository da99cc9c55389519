import type { LibraryHit } from '#contract/library.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { FinderCrew } from '#queries/find/finder-crew.ts'
import { logsOf, type SearchedSession } from './batches.ts'
import type { LogHits } from './found-hits.ts'
import type { PlaceJob, PlacePart } from './place-jobs.ts'
import type { ExcerptJob, ExcerptPart, LineQuery } from './scan-jobs.ts'
import { SessionSearch, type SessionSearchOptions } from './session-search.ts'

const maxExcerpts = 10_000

export interface CurrentSearchOptions extends SessionSearchOptions {
  readonly excerpts: FinderCrew<ExcerptJob, ExcerptPart>
  readonly places: FinderCrew<PlaceJob, PlacePart>
  /** See `LibrarySearchOptions.patienceMs`. */
  readonly patienceMs: number
}

/** A running or finished search with its hits. Searches share threads. */
export class CurrentSearch {
  readonly #sessions: readonly SearchedSession[]
  readonly #options: CurrentSearchOptions
  readonly #search: SessionSearch
  readonly #placing = new Map<LogHits, Promise<void>>()
  /** Cached excerpts, and answers in progress that use them. */
  #cached = 0
  #answers = 0
  #isEnded = false

  constructor(sessions: readonly SearchedSession[], query: LineQuery, options: CurrentSearchOptions) {
    this.#sessions = sessions
    this.#options = options
    this.#search = new SessionSearch(logsOf(sessions), sessions.length, query, options)
  }

  /** Resolves at the end of the search, however it ended; never rejects. */
  async run(): Promise<void> {
    this.#options.excerpts.warmUp()
    await this.#search.run()
  }

  get progress(): SessionSearch['progress'] {
    return this.#search.progress
  }

  /** Stops reports, and removes its jobs from all threads. */
  end(): void {
    this.#isEnded = true
    this.#search.end()
    void this.#options.excerpts.drop(this.#search.query.regex, this)
    void this.#options.places.drop(true, this)
    this.#resolveEnded()
  }
  #resolveEnded: () => void = () => {}
  /** Ends the wait for threads that were dropped. */
  readonly #ended = new Promise<void>((resolve) => (this.#resolveEnded = resolve))

  async hits({ from, count, perSession }: Omit<Params<'library.hits'>, 'find'>): Promise<Result<'library.hits'>> {
    // A copy: more hits may be added while excerpts are read.
    const wanted = this.#search.found.slice(from, from + count).map((found) => ({ ...found }))
    const shown = await Promise.all(wanted.map(({ logs }) => this.#hitsOf(logs, 0, perSession)))
    return {
      sessions: wanted.flatMap(({ session, count: hits }, i) => {
        const card = this.#sessions[session]?.card
        return card === undefined ? [] : [{ card, hits, shown: shown[i] ?? [] }]
      })
    }
  }

  async sessionHits({
    session,
    from,
    count
  }: Omit<Params<'library.sessionHits'>, 'find'>): Promise<Result<'library.sessionHits'>> {
    const found = this.#search.found.find((one) => this.#sessions[one.session]?.card.id === session)
    return { hits: found === undefined ? [] : await this.#hitsOf(found.logs, from, count) }
  }

  /** The hits `from` … `from + count` of the logs, counted across them. */
  async #hitsOf(logs: readonly LogHits[], from: number, count: number): Promise<LibraryHit[]> {
    const wanted: { readonly log: LogHits; readonly from: number; readonly to: number }[] = []
    let before = 0
    for (const log of logs) {
      const first = Math.max(0, from - before)
      const last = Math.min(log.count, from + count - before)
      if (last > first) wanted.push({ log, from: first, to: last })
      before += log.count
    }
    this.#answers++
    const read = wanted.map((one) => this.#readTexts(one.log, one.from, one.to))
    await Promise.race([Promise.all(read), this.#ended])
    const placed = wanted.map(({ log, from: first, to }) => this.#place(log, first, to))
    const { patienceMs } = this.#options
    await Promise.race([Promise.all(placed), this.#ended, ...(patienceMs === Infinity ? [] : [pause(patienceMs)])])
    const hits = wanted.flatMap((one) =>
      one.log.offsets.slice(one.from, one.to).flatMap((offset) => hitAt(one.log, offset))
    )
    if (--this.#answers === 0 && this.#cached > maxExcerpts) {
      for (const { logs: all } of this.#search.found) for (const log of all) log.excerpts.clear()
      this.#cached = 0
    }
    return hits
  }

  async #readTexts(log: LogHits, from: number, to: number): Promise<void> {
    const lines = log.missing(from, to - from)
    const [first] = lines
    if (first === undefined || this.#isEnded) return
    const known = log.knownBefore(first.offset)
    const job: ExcerptJob = { kind: 'excerpts', query: this.#search.query.main, path: log.path, lines, known }
    this.#cached += lines.length
    const keep = ({ excerpts }: ExcerptPart): void => {
      for (const [i, { offset }] of lines.entries()) log.excerpt(offset, excerpts[i] ?? null)
    }
    // A hit is shown without an excerpt if the expression does not terminate.
    await this.#options.excerpts.search(job, keep, this).catch(() => {})
  }

  /** Finds the events of all hits of a log so far, if one of the wanted ones is missing. */
  async #place(log: LogHits, from: number, to: number): Promise<void> {
    await this.#placing.get(log)
    if (this.#isEnded || log.offsets.slice(from, to).every((offset) => log.places.has(offset))) return
    const offsets = log.offsets.filter((offset) => !log.places.has(offset))
    const job: PlaceJob = { query: this.#search.query.main, path: log.path, offsets }
    const keep = ({ places }: PlacePart): void => {
      for (const place of places) log.places.set(place.offset, place)
    }
    const placing = this.#options.places
      .search(job, keep, this)
      .catch(() => {})
      .finally(() => this.#placing.delete(log))
    this.#placing.set(log, placing)
    await placing
  }
}

function hitAt(log: LogHits, offset: number): LibraryHit[] {
  const excerpt = log.excerpts.get(offset)
  // The log was truncated or removed since the search.
  if (excerpt === undefined || excerpt === null) return []
  const { seq = null, kind = '', tool = null, at = null } = log.places.get(offset) ?? {}
  const { line, text, match } = excerpt
  return [{ path: log.path, line, seq, kind, tool, at, text, match: match === null ? null : [...match] }]
}

async function pause(ms: number): Promise<void> {
  await new Promise<void>((resume) => void setTimeout(resume, ms))
}
