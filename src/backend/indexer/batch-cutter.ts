import type { LineBatch } from './cut-batch.ts'

/** Large enough that handing it over costs nothing beside decoding it, a few milliseconds' work. */
const defaultBatchBytes = 1 << 18
const lineFeed = 0x0a

/** Bytes of a log in order: whole lines, which may be decoded anywhere, and parts of lines, which may not. */
export type Piece = LineBatch | { readonly part: Uint8Array }

/** Cuts the chunks of a log, which end anywhere, where lines end. */
export class BatchCutter {
  private line: number
  private offset: number
  private readonly batchBytes: number

  /** `start`: the line that begins with the first byte or that the first byte is part of, and where that byte stands. */
  constructor(start: { readonly line: number; readonly offset: number }, batchBytes = defaultBatchBytes) {
    this.line = start.line
    this.offset = start.offset
    this.batchBytes = batchBytes
  }

  /** The pieces of the next chunk. Its first line is a part: it may have begun in the chunk before. */
  cut(chunk: Buffer): Piece[] {
    const pieces: Piece[] = []
    const end = chunk.lastIndexOf(lineFeed) + 1
    let at = end === 0 ? 0 : chunk.indexOf(lineFeed) + 1
    if (at > 0) {
      pieces.push({ part: chunk.subarray(0, at) })
      this.line++
    }
    while (at < end) {
      const to = this.endOfBatch(chunk, at, end)
      pieces.push({ bytes: chunk.subarray(at, to), line: this.line, offset: this.offset + at })
      this.line += linesIn(chunk, at, to)
      at = to
    }
    if (at < chunk.length) pieces.push({ part: chunk.subarray(at) })
    this.offset += chunk.length
    return pieces
  }

  private endOfBatch(chunk: Buffer, from: number, end: number): number {
    const most = from + this.batchBytes
    if (most >= end) return end
    const last = chunk.lastIndexOf(lineFeed, most - 1) + 1
    return last > from ? last : chunk.indexOf(lineFeed, most) + 1
  }
}

function linesIn(bytes: Buffer, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at = bytes.indexOf(lineFeed, at) + 1) lines++
  return lines
}
