import type { FileFacts } from './file-facts.ts'

/** Which bytes of a source, and how many at a time. */
export interface ChunkRange {
  readonly from?: number
  /** One past the last byte wanted; the end of the source by default. */
  readonly to?: number
  /** At most so many bytes a chunk. */
  readonly chunkBytes?: number
  /** Gives the memory that each chunk is read into, as long as a chunk may be; null ends the reading. The source's own by default. */
  readonly memory?: () => Promise<Buffer | null>
}

/** A file for another thread: the number by which this process has it open, or its path as the system has it, and what it was when it was opened. */
export type SharedFile =
  { readonly descriptor: number } | { readonly path: string | Uint8Array; readonly opened: FileFacts }

/** The text of a log that is open for reading, never for writing. Offsets are those of the text, also where it is stored compressed. */
export interface LogSource {
  /** Absolute, links resolved. */
  readonly path: string
  /** Absolute, as it was asked for: a link in it may be turned to another file. */
  readonly given: string
  readonly name: string
  /** The text is a copy of what the file held: what is added to the file is not in it. */
  readonly packed: boolean
  /** What the system said of the file when it was opened. */
  readonly opened: FileFacts
  /** Bytes there are now; of a compressed log that is still being unpacked a guess. */
  size(): Promise<number>
  /** When the file was last written, ms since the epoch. */
  modified(): Promise<number>
  /** What the system says of the open file now, whatever stands under its path. */
  facts(): Promise<FileFacts>
  /** Bytes `offset` … `offset + length`, fewer where the source ends (of a compressed one: where it is unpacked to). */
  read(offset: number, length: number): Promise<Buffer>
  /** The bytes of a range in order. A chunk is valid until the next one is asked for. Throws where the source cannot be read on. */
  chunks(range?: ChunkRange): AsyncGenerator<Uint8Array>
  /** By what other threads read the text while it stays open; null: nothing is unpacked yet. */
  shared(): SharedFile | null
  close(): Promise<void>
}
