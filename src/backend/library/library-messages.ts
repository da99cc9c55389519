import type { LibraryStatus, libraryMethods } from '#contract/library.ts'
import type { ErrorCode } from '#contract/host-error.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import type { SearchedSession } from './search/batches.ts'

/** What the thread of the library is told when it starts (`workerData`). */
export interface LibraryTask {
  readonly role: 'library'
  readonly cache: string
  readonly state: string | null
  readonly roots: readonly string[] | null
  readonly home: string
  /** What the clock of the host is ahead of the system's, in ms. */
  readonly clockAhead: number
  readonly variables: Readonly<Record<string, string | undefined>>
}

type Contract = typeof libraryMethods

/** The methods that the thread answers as the contract has them. */
export type LibraryMethod = Exclude<
  keyof Contract,
  'library.find' | 'library.hits' | 'library.sessionHits' | 'library.endFind' | 'library.reveal' | 'library.resolve'
>

/** What else the host asks it. */
export interface LibraryQuestions {
  /** Where the log of a session is; it is one of the library. */
  pathOf: { asked: string; answer: string }
  /** The sessions of a filter, the latest first. */
  searched: { asked: SessionFilter; answer: readonly SearchedSession[] }
  /** Ids of those of its sessions whose whole logs, as they are now, have yet to be read. */
  uncounted: { asked: SessionFilter; answer: readonly string[] }
  /** Folders that could not be looked into: there may be more sessions. */
  unreadFolders: { asked: null; answer: readonly string[] }
  /** How the library is, once all sessions have their cards. */
  listed: { asked: null; answer: LibraryStatus }
  /** All sessions and the logs of their subagents, once all have been looked for. */
  all: { asked: null; answer: readonly SessionCard[] }
  /** Bytes of logs that were read so far. */
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
