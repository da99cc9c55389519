import type { Framing } from '#core/formats/log-format.ts'
import { LiteralSearch } from './literal-search.ts'
import { RegexSearch } from './regex-search.ts'
import type { Bytes, Found, Piece, Query, Search, SearchOptions, SearchTools } from './search.ts'

/** A piece of a file that a thread is asked to search. `H`: what a thread can read the file by, such as a descriptor. */
export interface FindJob<H> {
  readonly query: Query
  readonly framing: Framing
  /** Opened by another thread, which keeps it open meanwhile. */
  readonly handle: H
  readonly piece: Piece
}

/** What was found from where the answer before ended, or the piece begins. */
export interface FoundPart extends Found {
  readonly to: number
}

/**
 * `at`: the thread has come there: it begins, or a line takes it long; `file` where its job has several. `found`: `part` is the last one if
 * `isLast`.
 */
export type FindAnswer<P = FoundPart> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'at'; readonly offset: number; readonly file?: string }
  | { readonly kind: 'found'; readonly part: P; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly code: string | null; readonly name: string }

/** What became of a job that threw. */
export function failedAnswer(error: unknown): Extract<FindAnswer, { kind: 'failed' }> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  return { kind: 'failed', code, name: error instanceof Error ? error.name : typeof error }
}

/** Ms between two answers. */
const answerInterval = 50

/** What a thread that searches needs of its platform. */
export interface FindServerOptions<H> extends SearchTools {
  readonly open: (handle: H) => Bytes
  readonly say: (answer: FindAnswer) => void
}

/** The inside of a thread that searches pieces of files. Answers several times a second, unless one line takes it longer. */
export class FindServer<H> {
  readonly #options: FindServerOptions<H>
  #search: { readonly of: string; readonly search: Search } | null = null
  #answered = 0

  constructor(options: FindServerOptions<H>) {
    this.#options = options
  }

  serve({ query, framing, handle, piece }: FindJob<H>): void {
    const { open, say } = this.#options
    let told = piece.from
    say({ kind: 'at', offset: told })
    const onWay = (reached: number, offsets: number[]): void => {
      const now = performance.now()
      if (now - this.#answered < answerInterval) return
      this.#answered = now
      // A line that began in the piece may end behind it, where others search as well: it is told of when all of it is done.
      if (reached <= told || reached >= piece.to) return say({ kind: 'at', offset: reached })
      told = reached
      say({
        kind: 'found',
        part: { to: told, offsets: Float64Array.from(offsets.splice(0)), open: null },
        isLast: false
      })
    }
    let bytes: Bytes | null = null
    try {
      bytes = open(handle)
      const found = this.#searchFor(query, framing).piece(bytes, piece, onWay)
      say({ kind: 'found', part: { ...found, to: piece.to }, isLast: true })
    } catch (error) {
      say(failedAnswer(error))
    } finally {
      bytes?.close?.()
    }
  }

  #searchFor(query: Query, framing: Framing): Search {
    const of = JSON.stringify([query, framing])
    if (this.#search?.of !== of) this.#search = { of, search: searchFor(query, { ...this.#options, framing }) }
    return this.#search.search
  }
}

/** What searches for a query. Throws a SyntaxError where its text is to be a regular expression and is none. */
export function searchFor(query: Query, { framing, scanner, readText }: SearchOptions): Search {
  const options = { framing, scanner, readText }
  return query.regex ? new RegexSearch(query, options) : new LiteralSearch(query, options)
}
