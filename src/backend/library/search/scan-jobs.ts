import type { Query } from '#queries/find/search.ts'

/** What a new thread that searches many logs is told (`workerData`). */
export interface ScanTask {
  readonly role: 'library-search'
}

/** A log that a thread is asked to search, or a piece of one that several share. */
export interface LogToScan {
  readonly path: string
  /** null: all of it. `to` may be Infinity. */
  readonly piece: { readonly from: number; readonly to: number } | null
}

/** Logs that a thread is asked to search, one after the other. */
export interface ScanJob {
  readonly kind: 'scan'
  readonly query: Query
  readonly logs: readonly LogToScan[]
  /** So many lines are enough. */
  readonly most: number
  /** The cache folder, where an index may tell which logs need not be looked at; null: none does. */
  readonly index: string | null
}

/** Lines of a log in which something was found, by their offsets, ascending. */
export interface FoundLines {
  readonly offsets: readonly number[]
  /** Of records of a document, which one finds only by reading it from its beginning; null: lines are found by their offsets. */
  readonly records: readonly RecordPlace[] | null
}

export interface RecordPlace {
  readonly line: number
  readonly length: number
}

/** What was found in the logs of a job from the last answer on. */
export interface ScanPart {
  /** So many logs of the job are done. */
  readonly to: number
  /** By their places in the job; the last one may not be done. */
  readonly found: readonly { readonly log: number; readonly lines: FoundLines }[]
  /** Those that could not be read, or not to their ends. */
  readonly unread: readonly number[]
}

/** Logs whose trigrams are to be noted. */
export interface IndexJob {
  readonly kind: 'index'
  /** As of any job; here nothing is searched. */
  readonly query: { readonly regex: false }
  /** The cache folder. */
  readonly cache: string
  readonly paths: readonly string[]
  /** There are no more: what is noted is written, if it is so many bytes of logs. */
  readonly isLast: boolean
  readonly leastBytes: number
}

export interface IndexPart {
  readonly to: number
  /** Bytes of logs that were noted. */
  readonly noted: number
}

/** A line whose text is wanted. */
export interface WantedLine {
  readonly offset: number
  readonly record: RecordPlace | null
}

/** Lines of one log whose texts are wanted, ascending. */
export interface ExcerptJob {
  readonly kind: 'excerpts'
  readonly query: Query
  readonly path: string
  readonly lines: readonly WantedLine[]
  /** A line of which the number is known, from which the others are counted. */
  readonly known: { readonly offset: number; readonly line: number }
}

export interface ExcerptOfLine {
  readonly line: number
  /** As in `LibraryHit`. */
  readonly text: string
  readonly match: readonly [number, number] | null
}

export interface ExcerptPart {
  /** So many lines of the job are done. */
  readonly to: number
  /** null: the log can no longer be read. */
  readonly excerpts: readonly (ExcerptOfLine | null)[]
}
