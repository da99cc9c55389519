import type { StoreApi } from 'zustand'
import type { LibraryFacets, LibraryHit, LibraryStatus, SessionGroup, TypedLog } from '#contract/library.ts'
import type { Host, Result } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { LibraryChoice, SessionSort } from './library-choice.ts'
import type { LibrarySearch } from './library-find.ts'
import type { LibraryLine, LibraryLines } from './library-lines.ts'

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
  /** Null: on its way. */
  readonly told: Result<'library.session'> | null
  readonly error: string | null
}

/** Where the list is scrolled to from here. Another object each time. */
export interface ListPlace {
  readonly offset: number
}

export interface LibraryState {
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

  /** Asks whether there is a library, and how far it is. */
  meet(): Promise<void>
  /** It is looked at, or no longer. */
  setShown(shown: boolean): void
  choose(change: Partial<LibraryChoice>): void
  /** A column's head was clicked: sorts by it, or the other way round. */
  sortBy(sort: SessionSort): void
  /** What is typed is forgotten, and the list is where it was. */
  endSearch(): void
  stopSearch(): void
  toggleGroup(key: string): void
  /** The list is scrolled to here, and so high. */
  see(offset: number, height: number): void
  /** To the line `by` lines on of those that can be selected; `extend`: what lies between is selected with it. */
  move(by: number, extend?: boolean): void
  moveByPage(pages: 1 | -1): void
  /** To the first or the last line. */
  moveToEnd(end: 'first' | 'last'): void
  moveByGroup(by: 1 | -1): void
  /** `add`: this one as well, or no longer. `range`: all from the cursor to here. */
  select(line: number, how?: { add?: boolean; range?: boolean }): void
  clearChosen(): void
  /** The group of the cursor; it goes to its head. */
  closeGroup(): void
  /** What stands at the cursor and can be opened in the list: a closed group, or more hits. False: it is a session or a hit. */
  openInList(): boolean
  showMore(line: LibraryLine): void
  /** Up to what came in above. */
  showNewer(): void
  pause(isPaused: boolean): Promise<void>
  lookAgain(): Promise<void>
  /** The logs that a person may mean by what they typed. Rejects where it means none, with what to do. */
  resolve(text: string): Promise<readonly TypedLog[]>
  /** Gives why it cannot; null where it can. */
  addFolder(path: string): Promise<string | null>
  removeFolder(path: string): Promise<void>
  /** Gives why it cannot; null where it can. */
  reveal(session: string): Promise<string | null>
  dismissFault(): void
  /** Asks what the sessions of these logs are called. */
  wantTitles(paths: readonly string[]): void
}

export type LibraryStore = StoreApi<LibraryState>

/** What the parts of the library's store have in common. */
export interface LibraryAccess {
  readonly host: Host
  get(): LibraryState
  set(change: Partial<LibraryState>): void
}
