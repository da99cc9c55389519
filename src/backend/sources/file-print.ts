import { createHash } from 'node:crypto'

/** How much of the beginning and of the end of what was read is looked at. */
const windowBytes = 1 << 15

interface Readable {
  read(offset: number, length: number): Promise<Uint8Array>
}

/**
 * Tells whether a file still begins with what was read of it, by the first and the last 32 KiB of that: the same work however long it
 * is. Bytes far from both ends that were changed for as many others are not noticed.
 */
export class FilePrint {
  #to = 0
  #hash = ''

  /** False if what was read changed since the last call. `readTo`: bytes read by now. Rejects where the file cannot be read. */
  async holds(file: Readable, readTo: number): Promise<boolean> {
    // Taken before the old one is checked: what is written between the two then shows in this call or the next.
    const next = readTo > this.#to ? await hashOf(file, readTo) : null
    if (this.#to > 0 && (await hashOf(file, this.#to)) !== this.#hash) return false
    if (next !== null) {
      this.#hash = next
      this.#to = readTo
    }
    return true
  }
}

async function hashOf(file: Readable, to: number): Promise<string> {
  const hash = createHash('sha1').update(await file.read(0, Math.min(to, windowBytes)))
  const tail = Math.max(windowBytes, to - windowBytes)
  if (to > tail) hash.update(await file.read(tail, to - tail))
  return hash.digest('base64')
}
