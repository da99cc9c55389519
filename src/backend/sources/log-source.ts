import type { FileFacts } from './file-facts.ts'

/** A range of bytes, and the size of its chunks. */
export interface ChunkRange {
  readonly from?: number
  /** Exclusive; absent: the end of the source. */
  readonly to?: number
  readonly chunkBytes?: number
  /** Returns the buffer for each chunk, or null to stop; absent: a buffer of the source. */
  readonly memory?: () => Promise<Buffer | null>
}

/** A file for another thread: a descriptor of this process, or a system path with the metadata at opening. */
export type SharedFile =
  { readonly descriptor: number } | { readonly path: string | Uint8Array; readonly opened: FileFacts }

/** The read-only text of an open log. Offsets are those of the uncompressed text. */
export interface LogSource {
  /** Absolute, links resolved. */
  readonly path: string
  /** Absolute, as requested: links in it may change. */
  readonly given: string
  readonly name: string
  /** Compressed: the text is a copy that does not include later additions. */
  readonly packed: boolean
  /** Metadata at opening. */
  readonly opened: FileFacts
  /** Current size in bytes; an estimate while a compressed log is being unpacked. */
  size(): Promise<number>
  /** mtime in ms since the epoch. */
  modified(): Promise<number>
  /** Current metadata of the open file, even if its path leads elsewhere. */
  facts(): Promise<FileFacts>
  /** Current metadata of what the path leads to. Rejects as `stat` does. */
  current(): Promise<FileFacts>
  /** The files whose changes may change the text. */
  readonly watched: readonly string[]
  /** The text is made of a database, where any part of it may change. True: it did, so the source must be opened again. */
  readonly isOutdated?: boolean
  /** Bytes `offset` … `offset + length`, fewer at the end, or at the end of the unpacked part. */
  read(offset: number, length: number): Promise<Buffer>
  /** The range in order. A chunk is valid until the next is requested. Throws on a read error. */
  chunks(range?: ChunkRange): AsyncGenerator<Uint8Array>
  /** Access for other threads while the source is open; null: nothing is unpacked yet. */
  shared(): SharedFile | null
  close(): Promise<void>
}
