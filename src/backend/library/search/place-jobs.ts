import type { Query } from '#queries/find/search.ts'

/** What a new thread that tells the events of lines is told (`workerData`). */
export interface PlaceTask {
  readonly role: 'library-places'
}

/** Lines of one log whose events are wanted, by their offsets; of several events of a line that one which `query` finds. */
export interface PlaceJob {
  readonly query: Query
  readonly path: string
  readonly offsets: readonly number[]
}

/** Where in its log a line stands, and what: as in `LibraryHit`. */
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
