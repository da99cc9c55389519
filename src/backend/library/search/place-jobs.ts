import type { MatchAllowance } from '#queries/find/match-guard.ts'
import type { Query } from '#queries/find/search.ts'

/** `workerData` of a thread that finds the events of lines. */
export interface PlaceTask {
  readonly role: 'library-places'
}

/** Lines of a log, by offset, to find events for. Of several events in a line, the one that `query` matches. */
export interface PlaceJob {
  readonly query: Query
  readonly path: string
  readonly offsets: readonly number[]
  readonly allowance?: MatchAllowance
}

/** The event of a line, as in `LibraryHit`. */
export interface LinePlace {
  readonly offset: number
  readonly seq: number | null
  readonly kind: string
  readonly tool: string | null
  readonly at: number | null
}

export interface PlacePart {
  readonly to: number
  readonly places: readonly LinePlace[]
}
