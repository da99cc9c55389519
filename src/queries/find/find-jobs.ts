import type { Framing } from '#core/formats/log-format.ts'
import { LiteralSearch } from './literal-search.ts'
import { EndlessMatch, type MatchAllowance } from './match-guard.ts'
import { RegexSearch } from './regex-search.ts'
import type { Bytes, Found, OnWay, Piece, Search, SearchOptions, SearchTools, Texts } from './search.ts'

/** A piece of a file to search. `H`: how a thread reads the file, such as a descriptor. */
export interface FindJob<H> {
  readonly query: Texts
  readonly framing: Framing
  /** Opened and kept open by another thread. */
  readonly handle: H
  readonly piece: Piece
  /** Absent in a thread that cannot end a match. */
  readonly allowance?: MatchAllowance
}

/** Hits since the previous answer, or since the start of the piece. */
export interface FoundPart extends Found {
  readonly to: number
}

/**
 * `ready`: whether the thread itself ends endless matches. `at`: progress; `file` if the job has several. `found`: hits; `isLast` marks the last
 * part, with the ms of slow matches in the job. `failed`: with the offset of the line where a match has no end.
 */
export type FindAnswer<P = FoundPart> =
  | { readonly kind: 'ready'; readonly isGuarded?: boolean }
  | { readonly kind: 'at'; readonly offset: number; readonly file?: string }
  | { readonly kind: 'found'; readonly part: P; readonly isLast: boolean; readonly spentMs?: number }
  | { readonly kind: 'failed'; readonly code: string | null; readonly name: string; readonly offset?: number }

/** The answer of a job that threw. */
export function failedAnswer(error: unknown): Extract<FindAnswer, { kind: 'failed' }> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  const name = error instanceof Error ? error.name : typeof error
  return { kind: 'failed', code, name, ...(error instanceof EndlessMatch && { offset: error.offset }) }
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
      const spentMs = this.#options.guard?.spentMs ?? 0
      say({ kind: 'found', part: { ...found, to: piece.to }, isLast: true, spentMs })
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
export function searchFor(query: Texts, options: SearchOptions): Search {
  if (!query.regex) return new LiteralSearch(query, options)
  return new RegexSearch({ ...query, text: query.texts[0] ?? '' }, options)
}
