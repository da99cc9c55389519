import { type FindProgress, HostError, type Params, type Result } from '#contract/methods.ts'
import type { FinderCrew } from './finder-crew.ts'
import { LogSearch, type LogToSearch, type SearchProgress } from './log-search.ts'
import { expressionOf } from './regex-search.ts'

/** `FindProgress` without what the log's owner knows. */
export type FinderProgress = Omit<FindProgress, 'log'>

/** Searches one open log in threads of its own, one search at a time. */
export class LogFinder<H> {
  readonly #log: () => LogToSearch<H>
  readonly #found: (progress: FinderProgress) => void
  readonly #crew: FinderCrew<H>
  readonly #pieceBytes: number | undefined
  #finds = 0
  #search: LogSearch<H> | null = null

  /**
   * `log`: as it is whenever that is asked; throws a `HostError` while it is not open. `found` is told how far a search is. `pieceBytes`:
   * about how much a thread searches at a time.
   */
  constructor(
    crew: FinderCrew<H>,
    log: () => LogToSearch<H>,
    found: (progress: FinderProgress) => void,
    pieceBytes?: number
  ) {
    this.#log = log
    this.#found = found
    this.#pieceBytes = pieceBytes
    this.#crew = crew
  }

  /** Begins a search, which ends the one before. Throws `bad-params` where the text is no regular expression, and as `log` does. */
  find({ text, regex, caseSensitive }: Omit<Params<'log.find'>, 'log'>): Result<'log.find'> {
    const query = { text, regex, caseSensitive }
    if (regex) refuseNoExpression(() => expressionOf(query))
    this.#log()
    this.#end(false)
    const find = ++this.#finds
    const report = (progress: SearchProgress): void => this.#found({ find, ...progress })
    this.#search = new LogSearch(query, this.#log, this.#crew, report, this.#pieceBytes)
    this.#search.goOn()
    return { find }
  }

  hits({ find, from, count }: Omit<Params<'log.hits'>, 'log'>): Result<'log.hits'> {
    const rows = find === this.#finds ? this.#search?.rows.slice(from, count) : undefined
    return { rows: (rows ?? new Uint32Array()).buffer }
  }

  endFind({ find }: Omit<Params<'log.endFind'>, 'log'>): Result<'log.endFind'> {
    if (find === this.#finds) this.#end(false)
    return {}
  }

  /** Something of the log is new: bytes, rows, rows that were taken back, or that it is read to its end. */
  grew(): void {
    this.#search?.goOn()
  }

  /**
   * Ends the search because the files it looks at are about to be closed: `log` must give others by now. Resolves once no
   * thread reads them any more.
   */
  async leave(): Promise<void> {
    this.#end(true)
    await this.#crew.close()
  }

  #end(aloud: boolean): void {
    const search = this.#search
    this.#search = null
    search?.end(aloud)
    // An expression may go on for ever; a text is not found any sooner by a new thread.
    if (search) void this.#crew.drop(search.query.regex)
  }
}

function refuseNoExpression(compile: () => unknown): void {
  try {
    compile()
  } catch (error) {
    // V8 says the expression, and after the last colon why it is none.
    const reason = error instanceof Error ? error.message.split(': ').at(-1) : undefined
    throw new HostError('bad-params', `This is no regular expression: ${reason ?? 'it cannot be read'}.`)
  }
}
