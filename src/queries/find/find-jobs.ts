import type { Framing } from '#core/formats/log-format.ts'
import { LiteralSearch } from './literal-search.ts'
import { RegexSearch } from './regex-search.ts'
import type { Bytes, Found, Piece, Query, Search, SearchTools } from './search.ts'

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

/** `at`: the thread has come there: it begins, or a line takes it long. `found`: `part` is the last one if `isLast`. */
export type FindAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'at'; readonly offset: number }
  | { readonly kind: 'found'; readonly part: FoundPart; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly code: string | null; readonly name: string }

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
      const code = error instanceof Error && 'code' in error ? String(error.code) : null
      say({ kind: 'failed', code, name: error instanceof Error ? error.name : typeof error })
    } finally {
      bytes?.close?.()
    }
  }

  #searchFor(query: Query, framing: Framing): Search {
    const of = JSON.stringify([query, framing])
    const { scanner, readText } = this.#options
    const options = { framing, scanner, readText }
    if (this.#search?.of !== of) {
      const search = query.regex ? new RegexSearch(query, options) : new LiteralSearch(query, options)
      this.#search = { of, search }
    }
    return this.#search.search
  }
}
