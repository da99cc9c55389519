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

/** `at`: the thread is on its way there; said several times a second, unless one line takes it longer. */
export type FindAnswer =
  | { readonly kind: 'at'; readonly offset: number }
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'failed'; readonly code: string | null; readonly name: string }

/** Ms between two words of being on the way. */
const wordInterval = 50

/** Searches pieces of files for the thread that owns a log. */
export function serveFinding(port: MessagePort): void {
  const say = (answer: FindAnswer): void =>
    port.postMessage(answer, answer.kind === 'found' ? [answer.found.offsets.buffer] : [])
  let search: { readonly of: string; readonly search: Search } | null = null
  let said = 0
  const onWay = (offset: number): void => {
    const now = performance.now()
    if (now - said < wordInterval) return
    said = now
    say({ kind: 'at', offset })
  }
  port.on('message', ({ query, framing, descriptor, piece }: FindJob) => {
    try {
      const of = JSON.stringify([query, framing])
      if (search?.of !== of) search = { of, search: searchFor(query, framing) }
      say({ kind: 'found', found: search.search.piece(new OpenFile(descriptor), piece, onWay) })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : null
      say({ kind: 'failed', code, name: error instanceof Error ? error.name : typeof error })
    }
  })
}

function searchFor(query: Query, framing: Framing): Search {
  return query.regex ? new RegexSearch(query, { framing }) : new LiteralSearch(query, { framing })
}
