import type { Framing } from '#core/formats/log-format.ts'
import { LiteralSearch } from './literal-search.ts'
import { RegexSearch } from './regex-search.ts'
import type { Bytes, Found, OnWay, Piece, Search, SearchOptions, SearchTools, Texts } from './search.ts'

/** A piece of a file to search. `H`: how a thread reads the file, such as a descriptor. */
export interface FindJob<H> {
  readonly query: Texts
  readonly framing: Framing
  /** Opened and kept open by another thread. */
  readonly handle: H
  readonly piece: Piece
}

/** Hits since the previous answer, or since the start of the piece. */
export interface FoundPart extends Found {
  readonly to: number
}

/** `at`: progress; `file` if the job has several. `found`: hits; `isLast` marks the last part. */
export type FindAnswer<P = FoundPart> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'at'; readonly offset: number; readonly file?: string }
  | { readonly kind: 'found'; readonly part: P; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly code: string | null; readonly name: string }

/** The answer of a job that threw. */
export function failedAnswer(error: unknown): Extract<FindAnswer, { kind: 'failed' }> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  return { kind: 'failed', code, name: error instanceof Error ? error.name : typeof error }
}

/** Ms between two answers. */
const answerInterval = 50

/** Platform functions for a search thread. */
export interface FindServerOptions<H> extends SearchTools {
  readonly open: (handle: H) => Bytes
  readonly say: (answer: FindAnswer) => void
}

/** The search thread's side. Answers several times a second, except inside a long line. */
export class FindServer<H> {
  readonly #options: FindServerOptions<H>
  #search: { readonly of: string; readonly search: Search } | null = null
  #answered = 0

  constructor(options: FindServerOptions<H>) {
    this.#options = options
  }

  serve({ query, framing, handle, piece }: FindJob<H>): void {
    const { open, say } = this.#options
    let reported = piece.from
    say({ kind: 'at', offset: reported })
    const onWay: OnWay = (reached, offsets) => {
      const now = performance.now()
      if (now - this.#answered < answerInterval) return
      this.#answered = now
      // A line of the piece may end after it, in a range of other threads: it is reported when all is done.
      if (reached <= reported || reached >= piece.to) return say({ kind: 'at', offset: reached })
      reported = reached
      say({
        kind: 'found',
        part: { to: reported, offsets: offsets.map((ofText) => Float64Array.from(ofText.splice(0))), open: null },
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

  #searchFor(query: Texts, framing: Framing): Search {
    const of = JSON.stringify([query, framing])
    if (this.#search?.of !== of) this.#search = { of, search: searchFor(query, { ...this.#options, framing }) }
    return this.#search.search
  }
}

/** Throws a SyntaxError for an invalid regular expression. */
export function searchFor(query: Texts, { framing, scanner, readText }: SearchOptions): Search {
  const options = { framing, scanner, readText }
  if (!query.regex) return new LiteralSearch(query, options)
  return new RegexSearch({ ...query, text: query.texts[0] ?? '' }, options)
}
