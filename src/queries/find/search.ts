import type { Framing } from '#core/formats/log-format.ts'
import type { CreateScanner } from './scanner.ts'

/** What is looked for, as `log.find` of the contract describes it. */
export interface Query {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/** Bytes that can be read at any place. */
export interface Bytes {
  /** Fills `target` with the bytes from `offset` on, fewer where they end; how many. */
  read(target: Uint8Array, offset: number): number
  /** Nothing is read any more. */
  close?(): void
}

/** A piece of a file to search: what begins in `from` … `to`. Only what comes before `limit` may be looked at. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** What was found in a piece. */
export interface Found {
  /** Where it was found, ascending: at least one place of each line that has it (of each record, in a document). */
  readonly offsets: Float64Array<ArrayBuffer>
  /** From where on everything has to be looked at again when bytes are added at `limit`; null: nothing of this piece. */
  readonly open: number | null
}

/**
 * Is told again and again, once a line at least, how far a search has come: `offsets` are all that was found before `reached`, but for
 * those it has taken out of them.
 */
export type OnWay = (reached: number, offsets: number[]) => void

/** Searches pieces of files for one query. */
export interface Search {
  piece(bytes: Bytes, piece: Piece, onWay: OnWay): Found
}

/** What a platform does faster than any code that runs on all of them. */
export interface SearchTools {
  readonly scanner: CreateScanner
  /** The text of some bytes: what is not UTF-8 is U+FFFD, a byte order mark is text. */
  readonly readText: (bytes: Uint8Array) => string
}

/** What a search of a file's bytes depends on. */
export interface SearchOptions extends SearchTools {
  readonly framing: Framing
  /** How much is read at a time. */
  readonly windowBytes?: number
}
