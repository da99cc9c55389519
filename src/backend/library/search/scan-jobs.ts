import type { MatchAllowance } from '#queries/find/match-guard.ts'
import type { Query } from '#queries/find/search.ts'

/** `workerData` of a search thread. */
export interface ScanTask {
  readonly role: 'library-search'
}

/** A log to search, or a piece of one. */
export interface LogToScan {
  readonly path: string
  /** Null: the whole log. `to` may be Infinity. */
  readonly piece: { readonly from: number; readonly to: number } | null
}

/** Texts that a line holds, and that it does not hold. */
export interface LineQuery {
  /** Whether one of them is an expression, which may never end. */
  readonly regex: boolean
  /** The one that lines are found by. */
  readonly main: Query
  readonly also: readonly Query[]
  readonly without: readonly Query[]
}

/** Logs to search in order. */
export interface ScanJob {
  readonly kind: 'scan'
  readonly query: LineQuery
  readonly logs: readonly LogToScan[]
  /** The limit of hits. */
  readonly most: number
  /** The cache folder with an index that rules out logs; null: no index. */
  readonly index: string | null
  readonly allowance?: MatchAllowance
}

/** Offsets of lines with matches, ascending. */
export interface FoundLines {
  readonly offsets: readonly number[]
  /** Records of a document, which only a parse from its beginning finds; null: lines. */
  readonly records: readonly RecordPlace[] | null
}

export interface RecordPlace {
  readonly line: number
  readonly length: number
}

/** Hits since the last message. */
export interface ScanPart {
  /** Logs of the job that are done. */
  readonly to: number
  /** `log` is the index in the job; the last log may be unfinished. */
  readonly found: readonly { readonly log: number; readonly lines: FoundLines }[]
  /** Logs that could not be read, or not completely. */
  readonly unread: readonly number[]
}

/** Logs to index. */
export interface IndexJob {
  readonly kind: 'index'
  /** Every job has a query; here it is unused. */
  readonly query: { readonly regex: false }
  /** The cache folder. */
  readonly cache: string
  readonly paths: readonly string[]
  /** No more jobs follow: a segment is written if it covers `minBytes` of logs. */
  readonly isLast: boolean
  readonly minBytes: number
}

export interface IndexPart {
  readonly to: number
  /** Bytes of logs that were indexed. */
  readonly noted: number
}

/** A line whose excerpt is wanted. */
export interface WantedLine {
  readonly offset: number
  readonly record: RecordPlace | null
}

/** Lines of a log, ascending, whose excerpts are wanted. */
export interface ExcerptJob {
  readonly kind: 'excerpts'
  readonly query: Query
  readonly path: string
  readonly lines: readonly WantedLine[]
  /** A line with a known number, to count from. */
  readonly known: { readonly offset: number; readonly line: number }
  readonly allowance?: MatchAllowance
}

export interface ExcerptOfLine {
  readonly line: number
  /** As in `LibraryHit`. */
  readonly text: string
  readonly match: readonly [number, number] | null
}

export interface ExcerptPart {
  /** Lines of the job that are done. */
  readonly to: number
  /** Null: the log is no longer readable. */
  readonly excerpts: readonly (ExcerptOfLine | null)[]
}
