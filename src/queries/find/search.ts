import type { Framing } from '#core/formats/log-format.ts'
import type { MatchGuard } from './match-guard.ts'
import type { CreateScanner } from './scanner.ts'

/** A query, as in `log.find` of the contract. */
export interface Query {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/** What one pass looks for: texts, or a single expression. */
export interface Texts extends Omit<Query, 'text'> {
  readonly texts: readonly string[]
}

/** Random access to bytes. */
export interface Bytes {
  /** Fills `target` from `offset` on; returns the number of bytes. */
  read(target: Uint8Array, offset: number): number
  /** Called after the last read. */
  close?(): void
}

/** A piece of a file: matches that begin in `from` … `to`. Only bytes before `limit` may be read. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** The hits of a piece. */
export interface Found {
  /** By text: offsets, ascending, at least one in each matching line (in a document, record). */
  readonly offsets: readonly Float64Array<ArrayBuffer>[]
  /** The offset to search again from when bytes are added at `limit`; null: none in this piece. */
  readonly open: number | null
}

/** Called at least once a line, or once a read where matches are guarded. `offsets`: by text, the hits before `reached`; the callback may remove entries. */
export type OnWay = (reached: number, offsets: readonly number[][]) => void

export interface Search {
  piece(bytes: Bytes, piece: Piece, onWay: OnWay): Found
}

/** Faster, platform-specific functions. */
export interface SearchTools {
  readonly scanner: CreateScanner
  /** Decodes bytes: invalid UTF-8 becomes U+FFFD, a byte order mark is text. */
  readonly readText: (bytes: Uint8Array) => string
  /** Absent where nothing can end a match. */
  readonly guard?: MatchGuard
}

export interface SearchOptions extends SearchTools {
  readonly framing: Framing
  /** Bytes of one read. */
  readonly windowBytes?: number
}
