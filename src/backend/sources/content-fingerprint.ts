import { createHash } from 'node:crypto'

/** Size of the hashed ranges. */
const windowBytes = 1 << 15

interface Readable {
  read(offset: number, length: number): Promise<Uint8Array>
}

/** Detects whether the bytes of a file that were read have changed, by hashes of their first and last 32 KiB. Changes between these, of equal length, are not found. */
export class ContentFingerprint {
  #bytes = 0
  #hash = ''

  /** The number of bytes covered. */
  get bytes(): number {
    return this.#bytes
  }

  /** False if covered bytes changed since the last call; then covers `bytes`. Rejects if the file is unreadable. */
  async holds(file: Readable, bytes: number): Promise<boolean> {
    // Before the check of the old hash: a write between the two shows now or in the next call.
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
