import { Column } from './column.ts'

/** Limits collisions of hostile ids; a hash without a free slot in reach is not stored. */
const maxProbes = 1024
const slotChunkBits = 12

/**
 * Numbers hashes of ids (`textHash`) in order of appearance, from 0. A hash costs 8 bytes and a slot of 4; at most
 * three in four slots are used.
 */
export class HashNumbers {
  /** Number plus one by hash; 0 is free. */
  private slots = Column.zeros('int32', 6, 1 << 6)
  private readonly hashes: Column

  /** As in `Column`. */
  constructor(chunkBits = 12) {
    this.hashes = new Column('float64', chunkBits)
  }

  get length(): number {
    return this.hashes.length
  }

  /** The number of a known hash, else -1. */
  numberOf(hash: number): number {
    const slot = this.slotOf(hash)
    return slot === -1 ? -1 : this.slots.at(slot) - 1
  }

  /** Numbers a hash. Null if it is known; -1 if there is no room for it. */
  add(hash: number): number | null {
    if (this.hashes.length * 4 >= this.slots.length * 3) this.grow()
    const slot = this.slotOf(hash)
    if (slot === -1) return -1
    if (this.slots.at(slot) !== 0) return null
    this.hashes.push(hash)
    this.slots.set(slot, this.hashes.length)
    return this.hashes.length - 1
  }

  /** The slot of the hash, else a free one for it; -1 if neither is in reach. */
  private slotOf(hash: number): number {
    const mask = this.slots.length - 1
    const mixed = Math.imul((hash | 0) ^ Math.imul(hash / 0x100000000, 0x27d4eb2f), 0x9e3779b1)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    for (let probes = 0; probes < maxProbes; probes += 1) {
      const number = this.slots.at(slot)
      if (number === 0 || this.hashes.at(number - 1) === hash) return slot
      slot = (slot + 1) & mask
    }
    return -1
  }

  private grow(): void {
    const { length } = this.slots
    this.slots = Column.zeros('int32', Math.min(slotChunkBits, this.slots.chunkBits + 1), length * 2)
    for (let number = 0; number < this.hashes.length; number += 1) {
      const slot = this.slotOf(this.hashes.at(number))
      if (slot !== -1) this.slots.set(slot, number + 1)
    }
  }
}
