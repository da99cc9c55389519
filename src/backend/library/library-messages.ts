import type { LibraryStatus, libraryMethods } from '#contract/library.ts'
import type { ErrorCode } from '#contract/host-error.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { PricesPlace } from '../prices.ts'
import type { SearchedSession } from './search/batches.ts'

/** `workerData` of the library's thread. */
export interface LibraryTask {
  readonly role: 'library'
  readonly cache: string | null
  readonly state: string | null
  readonly roots: readonly string[] | null
  readonly home: string
  /** The prices for costs; absent: none. */
  readonly prices?: PricesPlace
  /** Ms that the host's clock is ahead of the system's. */
  readonly clockAhead: number
  readonly variables: Readonly<Record<string, string | undefined>>
}

type Contract = typeof libraryMethods

/** Contract methods that the thread answers. */
export type LibraryMethod = Exclude<
  keyof Contract,
  'library.find' | 'library.hits' | 'library.sessionHits' | 'library.endFind' | 'library.reveal' | 'library.resolve'
>

/** Further questions of the host. */
export interface LibraryQuestions {
  /** The path of a session's log. */
  pathOf: { asked: string; answer: string }
  /** Sessions that match a query, newest first. */
  searched: { asked: string; answer: readonly SearchedSession[] }
  /** Ids of sessions that match a query and must be counted again. */
  uncounted: { asked: string; answer: readonly string[] }
  /** Folders that could not be scanned; sessions may be missing. */
  unreadFolders: { asked: null; answer: readonly string[] }
  /** The status once all sessions have cards. */
  listed: { asked: null; answer: LibraryStatus }
  /** All sessions and subagents, once all logs were found. */
  all: { asked: null; answer: readonly SessionCard[] }
  /** Bytes of logs read so far. */
  logBytes: { asked: null; answer: number }
}

/** Host to thread. */
export type LibraryCall =
  | { readonly kind: 'method'; readonly id: number; readonly method: LibraryMethod; readonly params: unknown }
  | {
      readonly kind: 'question'
      readonly id: number
      readonly question: keyof LibraryQuestions
      readonly asked: unknown
    }
  | { readonly kind: 'close' }

/** Thread to host. */
export type LibraryReport =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'changed'; readonly status: LibraryStatus }
  | { readonly kind: 'problem'; readonly sentence: string }
