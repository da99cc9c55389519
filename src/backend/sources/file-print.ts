import { createHash } from 'node:crypto'

/** How much of the beginning and of the end of what was read is looked at. */
const windowBytes = 1 << 15

interface Readable {
  read(offset: number, length: number): Promise<Uint8Array>
}

/**
 * Tells whether a file still begins with what it was seen to hold, by the first and the last 32 KiB of that: the same work however long
 * it is. Bytes far from both ends that were changed for as many others are not noticed.
 */
export class FilePrint {
  #bytes = 0
  #hash = ''

  /** How many bytes it was seen to hold. */
  get bytes(): number {
    return this.#bytes
  }

  /** False if what it held changed since the last call. `bytes`: how many it holds now. Rejects where it cannot be read. */
  async holds(file: Readable, bytes: number): Promise<boolean> {
    // Taken before the old one is checked: what is written between the two then shows in this call or the next.
    const next = bytes > this.#bytes ? await hashOf(file, bytes) : null
    if (this.#bytes > 0 && (await hashOf(file, this.#bytes)) !== this.#hash) return false
    if (next !== null) {
      this.#hash = next
      this.#bytes = bytes
    }
    return true
  }
}

async function hashOf(file: Readable, bytes: number): Promise<string> {
  const hash = createHash('sha1').update(await file.read(0, Math.min(bytes, windowBytes)))
  const tail = Math.max(windowBytes, bytes - windowBytes)
  if (bytes > tail) hash.update(await file.read(tail, bytes - tail))
  return hash.digest('base64')
}
