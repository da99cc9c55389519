import type { LogSource } from './log-source.ts'

/** How much is parsed at a time: a few milliseconds of work, so that whoever waits is answered meanwhile. */
const sliceBytes = 1 << 17
const shortChunk = 1 << 14

/**
 * Reads a file from `offset` (bytes) on, at most `most` bytes a read, and the next ones meanwhile. A slice is valid until the next one is
 * asked for. Throws where the file cannot be read on.
 */
export async function* slicesOf(source: LogSource, offset: number, most: number): AsyncGenerator<Uint8Array> {
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
