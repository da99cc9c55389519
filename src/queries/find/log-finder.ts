import { HostError } from '#contract/host-error.ts'
import type { FindProgress, Params, Result } from '#contract/methods.ts'
import { type LogCrew, LogSearch, type LogToSearch, type SearchProgress } from './log-search.ts'
import { expressionOf } from './regex-search.ts'
import type { Query } from './search.ts'

/** The name of the search of the find field. */
export const findField = 'find'

/** `FindProgress` without what the log's owner knows. */
export type FinderProgress = Omit<FindProgress, 'log'>

/** A log is searched for so many things at a time. */
const maxSearches = 8

/** One of the searches, with threads of its own: what is dropped of one is nothing of another's. */
interface Running<H> {
  readonly find: number
  readonly search: LogSearch<H>
  readonly crew: LogCrew<H>
  isSearching: boolean
  /** As it was told last. */
  progress: FinderProgress | null
}

/**
 * Searches one open log, for several things at a time, each of which has a name. That of the find field goes first, with as many threads
 * as there may be; the others follow one after the other.
 */
export class LogFinder<H> {
  readonly #log: () => LogToSearch<H>
  readonly #found: (progress: FinderProgress) => void
  readonly #createCrew: (as: string) => LogCrew<H>
  readonly #pieceBytes: number | undefined
  #finds = 0
  /** By name, in the order in which they began. */
  readonly #searches = new Map<string, Running<H>>()
  /** Used again by the next search, since somebody types. */
  readonly #fieldCrew: LogCrew<H>
  /** Threads of searches that have ended. */
  readonly #closing = new Set<Promise<void>>()

  /**
   * `createCrew`: threads for the search of a name. `log`: as it is whenever that is asked; throws a `HostError` while it is not open.
   * `found` is told how far a search is. `pieceBytes`: about how much a thread searches at a time.
   */
  constructor(
    createCrew: (as: string) => LogCrew<H>,
    log: () => LogToSearch<H>,
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
   * Begins a search, which ends the one before of the same name; but for the find field's, one for the same thing goes on instead: several
   * pages look for what is kept of the log. Throws `bad-params` where the text is no regular expression,
   * `unavailable` where there are as many searches as there may be, and as `log` does.
   */
  find({ text, regex, caseSensitive, as = findField }: Omit<Params<'log.find'>, 'log'>): Result<'log.find'> {
    const query = { text, regex, caseSensitive }
    refuseNoExpression(query)
    this.#log()
    const same = as === findField ? undefined : this.#searches.get(as)
    if (same && isSameQuery(same.search.query, query)) {
      if (same.progress !== null) this.#found(same.progress)
      return { find: same.find }
    }
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
    const crew = as === findField ? this.#fieldCrew : this.#createCrew(as)
    const search = new LogSearch(query, this.#log, crew, report, this.#pieceBytes)
    const running: Running<H> = { find, search, crew, isSearching: true, progress: null }
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

  /** There is a search, perhaps one that is over and has hits. */
  get isInUse(): boolean {
    return this.#searches.size > 0
  }

  /** Something of the log is new: bytes, rows, rows that were taken back, or that it is read to its end. */
  grew(): void {
    this.#goOn()
  }

  /**
   * Ends all searches because the files they look at are about to be closed: `log` must give others by now. Resolves once no
   * thread reads them any more.
   */
  async leave(): Promise<void> {
    for (const as of this.#searches.keys()) this.#end(as, true)
    await Promise.all([this.#fieldCrew.close(), ...this.#closing])
  }

  /** Each search that may: that of the find field, and of the others those up to the first that is not done. */
  #goOn(): void {
    this.#searches.get(findField)?.search.goOn()
    for (const [as, running] of this.#searches) {
      if (as === findField) continue
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
    // An expression may go on for ever; a text is not found any sooner by a new thread.
    if (as === findField) return void running.crew.drop(running.search.query.regex)
    const closing = running.crew.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}

function isSameQuery(a: Query, b: Query): boolean {
  return a.text === b.text && a.regex === b.regex && a.caseSensitive === b.caseSensitive
}

/** Throws `bad-params` with the reason where the text is to be a regular expression and is none. */
export function refuseNoExpression(query: Query): void {
  try {
    if (query.regex) expressionOf(query)
  } catch (error) {
    // V8 says the expression, and after the last colon why it is none.
    const reason = error instanceof Error ? error.message.split(': ').at(-1) : undefined
    throw new HostError('bad-params', `Invalid regular expression: ${reason ?? 'it cannot be read'}.`)
  }
}
