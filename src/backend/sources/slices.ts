import type { DecodedLines } from '#core/formats/run-reader.ts'
import type { LogSource } from './log-source.ts'

/** How much is parsed at a time: a few milliseconds of work, so that whoever waits is answered meanwhile. */
export const sliceBytes = 1 << 17
const shortChunk = 1 << 14

/** The next bytes of a file: as they are, or whole lines decoded. */
export type Slice = Uint8Array | DecodedLines

/** Where reading begins: an offset, and the number of the line that the byte there is part of. */
export interface SliceStart {
  readonly line: number
  readonly offset: number
}

/** Reads a file from some point on. A slice is valid until the next one is asked for. Throws where the file cannot be read on. */
export type ReadSlices = (source: LogSource, start: SliceStart) => AsyncGenerator<Slice>

/** The bytes as they are, at most `most` a read. The next ones are read meanwhile. */
export async function* plainSlices(source: LogSource, { offset }: SliceStart, most: number): AsyncGenerator<Slice> {
  // What is added to a log is mostly short.
  const chunkBytes = Math.min(most, Math.max(shortChunk, (await source.size()) - offset))
  const [first, second] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)]
  let free = first
  const memory = async (): Promise<Buffer> => (free = free === first ? second : first)
  const chunks = source.chunks({ from: offset, chunkBytes, memory })
  for (let next = chunks.next(); ;) {
    const { done, value: chunk } = await next
    if (done === true) return
    next = chunks.next()
    // It is thrown when its turn comes.
    next.catch(() => {})
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes)
  }
}

/** How many bytes of the file a slice is. */
export function bytesOf(slice: Slice): number {
  return slice instanceof Uint8Array ? slice.length : slice.bytes
}
