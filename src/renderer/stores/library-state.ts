import type { LibraryFacets, LibraryHit, LibraryStatus, SessionGroup } from '#contract/library.ts'
import type { Host, Result } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { LibraryChoice } from './library-choice.ts'
import type { LibrarySearch } from './library-find.ts'
import type { LibraryLines } from './library-lines.ts'

export interface LibraryOverview {
  readonly version: number
  readonly total: number
  readonly groups: readonly SessionGroup[]
  readonly facets: LibraryFacets
}

/** What the keys act on: a session, one of its hits, or what can be opened in the list. */
export interface LibraryCursor {
  readonly key: string
  /** Where it is, or was last seen; -1: it is not in the list. */
  readonly line: number
  /** The session it is of. */
  readonly card: SessionCard | null
  readonly hit: LibraryHit | null
}

export interface ShownPreview {
  readonly card: SessionCard
  /** Null: not loaded yet. */
  readonly session: Result<'library.session'> | null
  readonly error: string | null
}

/** Where the list is scrolled to from here. Another object each time. */
export interface ListPlace {
  readonly offset: number
}

export interface LibraryValues {
  /** Whether the host has a library; `unknown`: it has not answered. */
  presence: 'unknown' | 'there' | 'none'
  status: LibraryStatus | null
  choice: LibraryChoice
  /** Null: not known so far. */
  overview: LibraryOverview | null
  /** By their places in the query, those that are here. */
  cards: ReadonlyMap<number, SessionCard>
  /** Keys of groups of which only the head is shown. */
  closed: ReadonlySet<string>
  lines: LibraryLines
  search: LibrarySearch | null
  /** What is wrong with what is typed, sentences. */
  searchProblems: readonly string[]
  cursor: LibraryCursor | null
  /** Several sessions that were selected, by their ids; empty where it is the one at the cursor. */
  chosen: ReadonlyMap<string, SessionCard>
  preview: ShownPreview | null
  place: ListPlace
  /** Sessions that came in above what is in view. */
  newer: number
  /** What was asked last and failed, a sentence. */
  fault: string | null
  /** Titles of sessions, by the paths of their logs; null: it has none that is known. */
  titles: ReadonlyMap<string, string | null>
}

/** What each part of the library's store works with. */
export interface LibraryAccess {
  readonly host: Host
  get(): LibraryValues
  set(change: Partial<LibraryValues>): void
}
