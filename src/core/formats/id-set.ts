import { HashNumbers } from '../hash-numbers.ts'
import { textHash } from './text-hash.ts'

/** A fold may have several per file, and most files are small. */
const chunkBits = 8

/** A set of ids, about 15 bytes each. Colliding hashes of a hostile log may be dropped. */
export class IdSet {
  private readonly hashes = new HashNumbers(chunkBits)

  add(id: string): void {
    this.hashes.add(textHash(id))
  }

  has(id: string): boolean {
    return this.hashes.numberOf(textHash(id)) >= 0
  }
}
