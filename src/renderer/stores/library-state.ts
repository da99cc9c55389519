import type { LibraryFacets, LibraryHit, LibraryStatus, SessionGroup } from '#contract/library.ts'
import type { Host, Result } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { QueryError } from '#core/query/parse-query.ts'
import type { Query } from '#core/query/query.ts'
import type { LibraryChoice } from './library-choice.ts'
import type { LibrarySearch } from './library-find.ts'
import type { LibraryLines } from './library-lines.ts'

export interface LibraryOverview {
  readonly version: number
  readonly total: number
  readonly groups: readonly SessionGroup[]
  readonly facets: LibraryFacets
}

/** The selected line: a session, a match, or a line that expands. */
export interface LibraryCursor {
  readonly key: string
  /** Its line, or its last one; -1: no longer in the list. */
  readonly line: number
  /** The session of the line. */
  readonly card: SessionCard | null
  readonly hit: LibraryHit | null
}

export interface ShownPreview {
  readonly card: SessionCard
  /** Null: not loaded yet. */
  readonly session: Result<'library.session'> | null
  readonly error: string | null
}

/** A scroll position set by the stores. A new object for each request. */
export interface ListPlace {
  readonly offset: number
}

export interface LibraryValues {
  /** Whether the host has a library; `unknown`: it has not answered. */
  presence: 'unknown' | 'there' | 'none'
  status: LibraryStatus | null
  choice: LibraryChoice
  /** Null: not loaded yet. */
  overview: LibraryOverview | null
  /** The loaded sessions, by their index in the query. */
  cards: ReadonlyMap<number, SessionCard>
  /** Keys of the collapsed groups. */
  closed: ReadonlySet<string>
  lines: LibraryLines
  search: LibrarySearch | null
  /** The query of the last text that was one; null: all sessions. */
  query: Query | null
  /** What is wrong with the text; null: it is a query. */
  queryError: QueryError | null
  cursor: LibraryCursor | null
  /** Several selected sessions, by id; empty if only the one at the cursor is selected. */
  chosen: ReadonlyMap<string, SessionCard>
  preview: ShownPreview | null
  place: ListPlace
  /** Number of new sessions above the visible part. */
  newer: number
  /** The error of the last action, as a sentence. */
  fault: string | null
  /** Titles of sessions by log path; null: none known. */
  titles: ReadonlyMap<string, string | null>
}

/** What the parts of the library's store share. */
export interface LibraryAccess {
  readonly host: Host
  get(): LibraryValues
  set(change: Partial<LibraryValues>): void
}
