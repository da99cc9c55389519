import { Column } from './column.ts'

/** Limits collisions of hostile ids; a hash without a free slot in reach is not stored. */
const maxProbes = 1024
const slotChunkBits = 12

/**
 * Numbers hashes of ids (`textHash`) in order of appearance, from 0. A hash costs 8 bytes and a slot of 4; at most
 * three in four slots are used.
 */
export class HashNumbers {
  /**
   * By hash: its number plus one in the low `bits`, bits of the hash above them, so that few probes read a whole hash. 0 is
   * free.
   */
  private slots = Column.zeros('int32', 6, 1 << 6)
  /** Two to this power are the slots. */
  private bits = 6
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
    return slot === -1 ? -1 : this.numberIn(slot)
  }

  /** The number of a hash: `length` so far, if it is new. -1 if there is no room for it. */
  numberFor(hash: number): number {
    if (this.hashes.length * 4 >= this.slots.length * 3) this.grow()
    const slot = this.slotOf(hash)
    if (slot === -1) return -1
    const known = this.numberIn(slot)
    if (known >= 0) return known
    this.take(slot, hash, this.hashes.length)
    this.hashes.push(hash)
    return this.hashes.length - 1
  }

  /** Numbers a hash. Null if it is known; -1 if there is no room for it. */
  add(hash: number): number | null {
    const { length } = this.hashes
    const number = this.numberFor(hash)
    return number >= 0 && number < length ? null : number
  }

  private numberIn(slot: number): number {
    return (this.slots.at(slot) & ((1 << this.bits) - 1)) - 1
  }

  private take(slot: number, hash: number, number: number): void {
    this.slots.set(slot, ((mix(hash) >>> this.bits) << this.bits) | (number + 1))
  }

  /** The slot of the hash, else a free one for it; -1 if neither is in reach. */
  private slotOf(hash: number): number {
    const { bits } = this
    const mask = (1 << bits) - 1
    const mixed = mix(hash)
    const tag = mixed >>> bits
    let slot = (mixed ^ (mixed >>> 15)) & mask
    for (let probes = 0; probes < maxProbes; probes += 1) {
      const held = this.slots.at(slot)
      if (held === 0 || (held >>> bits === tag && this.hashes.at((held & mask) - 1) === hash)) return slot
      slot = (slot + 1) & mask
    }
    return -1
  }

  private grow(): void {
    this.bits++
    this.slots = Column.zeros('int32', Math.min(slotChunkBits, this.slots.chunkBits + 1), 1 << this.bits)
    for (let number = 0; number < this.hashes.length; number += 1) {
      const hash = this.hashes.at(number)
      const slot = this.slotOf(hash)
      if (slot !== -1) this.take(slot, hash, number)
    }
  }
}

/** Spreads what two hashes differ in over 32 bits. */
function mix(hash: number): number {
  return Math.imul((hash | 0) ^ Math.imul(hash / 0x100000000, 0x27d4eb2f), 0x9e3779b1)
}
