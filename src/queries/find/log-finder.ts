import { HostError } from '#contract/host-error.ts'
import type { FindProgress, Params, Result } from '#contract/methods.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import type { Query as RowQuery } from '#core/query/query.ts'
import type { Ascending } from './ascending.ts'
import { type LogCrew, LogSearch, type SearchProgress } from './log-search.ts'
import { type LogToQuery, QuerySearch } from './query-search.ts'
import { refuseNoExpression } from './expression.ts'

/** The name of the find field's search. */
export const findField = 'find'

/** `FindProgress` without the members of the log's owner. */
export type FinderProgress = Omit<FindProgress, 'log'>

/** Names of queries for the rows of a timeline begin so: several pages may show one log. */
export const filterQuery = 'filter'
/** A query with an endless expression ends after a second: see `Finder`. */
const queryLookMs = 100
/** Maximum searches of a log. */
const maxSearches = 64

/** A search with its own threads, so dropping one does not affect others. */
interface Running<H> {
  readonly find: number
  /** Equal texts are equal searches. */
  readonly of: string
  readonly search: Pick<LogSearch<H>, 'goOn' | 'end'> & { readonly rows: Ascending<Uint32Array<ArrayBuffer>> }
  readonly crew: LogCrew<H>
  /** It may be in an endless match. */
  readonly hasRegex: boolean
  isSearching: boolean
  /** The last progress sent. */
  progress: FinderProgress | null
}

/** Runs named searches of one open log: the the find field's and the timeline's query first, then the others one by one. */
export class LogFinder<H> {
  readonly #log: () => LogToQuery<H>
  readonly #found: (progress: FinderProgress) => void
  readonly #createCrew: (as: string, lookInterval?: number) => LogCrew<H>
  readonly #pieceBytes: number | undefined
  #finds = 0
  /** By name, in order of start. */
  readonly #searches = new Map<string, Running<H>>()
  /** Reused by the next search, as the user types. */
  readonly #fieldCrew: LogCrew<H>
  /** Threads of searches that have ended. */
  readonly #closing = new Set<Promise<void>>()

  /** `createCrew`: threads for a named search. `log`: the current log; throws while it is not open. */
  constructor(
    createCrew: (as: string, lookInterval?: number) => LogCrew<H>,
    log: () => LogToQuery<H>,
    found: (progress: FinderProgress) => void,
    pieceBytes?: number
  ) {
    this.#createCrew = createCrew
    this.#fieldCrew = createCrew(findField)
    this.#log = log
    this.#found = found
    this.#pieceBytes = pieceBytes
  }

  /**
   * Replaces a search of the same name. An equal search continues, except in the find field, as several pages search for
   * saved breakpoints. Throws `bad-params` for an invalid expression or query and `unavailable` at the limit of searches.
   */
  find({
    text,
    regex,
    caseSensitive,
    isQuery = false,
    bookmarks,
    as = findField
  }: Omit<Params<'log.find'>, 'log'>): Result<'log.find'> {
    const asked = { text, regex: regex && !isQuery, caseSensitive }
    const query = isQuery ? rowQueryOf(text) : null
    refuseNoExpression(asked)
    this.#log()
    const of = JSON.stringify([asked, isQuery, bookmarks])
    const same = as === findField ? undefined : this.#searches.get(as)
    if (same?.of === of) {
      if (same.progress !== null) this.#found(same.progress)
      return { find: same.find }
    }
    // A page that was closed has left its filter behind.
    const left = [...this.#searches.keys()].find((name) => name.startsWith(filterQuery))
    if (left !== undefined && this.#searches.size >= maxSearches) this.#end(left, true)
    if (!this.#searches.has(as) && this.#searches.size >= maxSearches) {
      throw new HostError('unavailable', `A log can have ${maxSearches} searches at a time. End another search first.`)
    }
    this.#end(as, false)
    const find = ++this.#finds
    const report = (progress: SearchProgress): void => {
      const isDone = running.isSearching && !progress.searching
      running.isSearching = progress.searching
      running.progress = { find, as, ...progress }
      this.#found(running.progress)
      if (isDone && this.#searches.get(as) === running) this.#goOn()
    }
    const crew = as === findField ? this.#fieldCrew : this.#createCrew(as, isQuery ? queryLookMs : undefined)
    const pieceBytes = this.#pieceBytes
    const search =
      query === null
        ? new LogSearch({ ...asked, texts: [text] }, this.#log, crew, report, { pieceBytes })
        : new QuerySearch(query, this.#log, crew, report, { pieceBytes, bookmarks })
    const hasRegex = regex || isQuery
    const running: Running<H> = { find, of, search, crew, hasRegex, isSearching: true, progress: null }
    this.#searches.set(as, running)
    this.#goOn()
    return { find }
  }

  hits({ find, from, count }: Omit<Params<'log.hits'>, 'log'>): Result<'log.hits'> {
    const rows = this.#named(find)?.[1].search.rows.slice(from, count)
    return { rows: (rows ?? new Uint32Array()).buffer }
  }

  endFind({ find }: Omit<Params<'log.endFind'>, 'log'>): Result<'log.endFind'> {
    const [as] = this.#named(find) ?? []
    if (as !== undefined) {
      this.#end(as, false)
      this.#goOn()
    }
    return {}
  }

  /** Whether there is a search, possibly finished. */
  get isInUse(): boolean {
    return this.#searches.size > 0
  }

  /** The log changed: new bytes, new or retracted rows, or read to the end. */
  grew(): void {
    this.#goOn()
  }

  /** Ends all searches before their files close. Resolves when no thread reads. `log` must return others. */
  async leave(): Promise<void> {
    for (const as of this.#searches.keys()) this.#end(as, true)
    await Promise.all([this.#fieldCrew.close(), ...this.#closing])
  }

  /** Continues the searches that go first, and the others up to the first unfinished one. */
  #goOn(): void {
    const all = [...this.#searches]
    for (const [as, { search }] of all) if (goesFirst(as)) search.goOn()
    for (const [as, running] of all) {
      if (goesFirst(as)) continue
      running.search.goOn()
      if (running.isSearching) return
    }
  }

  #named(find: number): [string, Running<H>] | undefined {
    return [...this.#searches].find(([, running]) => running.find === find)
  }

  #end(as: string, aloud: boolean): void {
    const running = this.#searches.get(as)
    if (running === undefined) return
    this.#searches.delete(as)
    running.search.end(aloud)
    // An expression may be endless; for a text a new thread is not faster.
    if (as === findField) return void running.crew.drop(running.hasRegex)
    const closing = running.crew.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}

function goesFirst(as: string): boolean {
  return as === findField || as.startsWith(filterQuery)
}

function rowQueryOf(text: string): RowQuery {
  const { query, error } = parseQuery(text, 'rows')
  if (query === null) throw new HostError('bad-params', error?.message ?? 'The query is empty.')
  return query
}
