import { readSync } from 'node:fs'
import type { Bytes } from '#queries/find/search.ts'

/** The bytes of a file that a thread of this process has opened, and keeps open meanwhile. Throws the system's error where it cannot be read. */
export class OpenFile implements Bytes {
  readonly #descriptor: number

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  read(target: Uint8Array, offset: number): number {
    let filled = 0
    while (filled < target.length) {
      const length = readSync(this.#descriptor, target, filled, target.length - filled, offset + filled)
      if (length === 0) break
      filled += length
    }
    return filled
  }
}
