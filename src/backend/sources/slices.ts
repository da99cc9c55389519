import type { LogSource } from './log-source.ts'

/** Parsed in a few milliseconds, so that the event loop is not blocked. */
const sliceBytes = 1 << 17
const shortChunk = 1 << 14

/** Reads a file from `offset` on in reads of at most `maxBytes`, one ahead. A slice is valid until the next is requested. Throws on a read error. */
export async function* slicesOf(source: LogSource, offset: number, maxBytes: number): AsyncGenerator<Uint8Array> {
  // Additions to a log are mostly short.
  const chunkBytes = Math.min(maxBytes, Math.max(shortChunk, (await source.size()) - offset))
  const [first, second] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)]
  let free = first
  const memory = async (): Promise<Buffer> => (free = free === first ? second : first)
  const chunks = source.chunks({ from: offset, chunkBytes, memory })
  for (let next = chunks.next(); ;) {
    const { done, value: chunk } = await next
    if (done === true) return
    next = chunks.next()
    // `await next` throws it later.
    next.catch(() => {})
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes)
  }
}
