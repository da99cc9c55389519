import { HashNumbers } from '../hash-numbers.ts'
import { textHash } from './text-hash.ts'

/** A fold may have several for each of many files, most of them small. */
const chunkBits = 8

/** Ids of a log, in about 15 bytes each. An id may be forgotten in a log that is made so that all its ids meet in one place. */
export class IdSet {
  private readonly hashes = new HashNumbers(chunkBits)

  add(id: string): void {
    this.hashes.add(textHash(id))
  }

  has(id: string): boolean {
    return this.hashes.numberOf(textHash(id)) >= 0
  }
}
