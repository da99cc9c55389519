import type { MessagePort } from 'node:worker_threads'
import type { Framing } from '#core/formats/log-format.ts'
import { LiteralSearch } from './literal-search.ts'
import { OpenFile } from './open-file.ts'
import { RegexSearch } from './regex-search.ts'
import type { Found, Piece, Query, Search } from './search.ts'

/** What a new thread that searches is told (`workerData`). */
export interface FindTask {
  readonly role: 'find'
}

/** A piece of a file that a thread is asked to search. */
export interface FindJob {
  readonly query: Query
  readonly framing: Framing
  /** The file, opened by another thread of the process, which keeps it open meanwhile. */
  readonly descriptor: number
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

/** Searches pieces of files for the thread that owns a log. Answers several times a second, unless one line takes it longer. */
export function serveFinding(port: MessagePort): void {
  const say = (answer: FindAnswer): void =>
    port.postMessage(answer, answer.kind === 'found' ? [answer.part.offsets.buffer] : [])
  let search: { readonly of: string; readonly search: Search } | null = null
  let answered = 0
  port.on('message', ({ query, framing, descriptor, piece }: FindJob) => {
    let told = piece.from
    say({ kind: 'at', offset: told })
    const onWay = (reached: number, offsets: number[]): void => {
      const now = performance.now()
      if (now - answered < answerInterval) return
      answered = now
      // A line that began in the piece may end behind it, where others search as well: it is told of when all of it is done.
      if (reached <= told || reached >= piece.to) return say({ kind: 'at', offset: reached })
      told = reached
      say({
        kind: 'found',
        part: { to: told, offsets: Float64Array.from(offsets.splice(0)), open: null },
        isLast: false
      })
    }
    try {
      const of = JSON.stringify([query, framing])
      if (search?.of !== of) search = { of, search: searchFor(query, framing) }
      const found = search.search.piece(new OpenFile(descriptor), piece, onWay)
      say({ kind: 'found', part: { ...found, to: piece.to }, isLast: true })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : null
      say({ kind: 'failed', code, name: error instanceof Error ? error.name : typeof error })
    }
  })
  say({ kind: 'ready' })
}

function searchFor(query: Query, framing: Framing): Search {
  return query.regex ? new RegexSearch(query, { framing }) : new LiteralSearch(query, { framing })
}
