import { Column } from '../column.ts'

/** Which rows are events: two bits a row, and neither way of the count takes a walk. */
export class EventRows {
  /** A bit for each of 32 rows. */
  private readonly words = new Column('uint32', 10)
  /** By word: how many events stand before it. */
  private readonly before = new Column('uint32', 10)
  private rows = 0
  private count = 0

  /** How many events there are. */
  get length(): number {
    return this.count
  }

  push(isEvent: boolean): void {
    const word = this.rows >>> 5
    if (word === this.words.length) {
      this.words.push(0)
      this.before.push(this.count)
    }
    if (isEvent) {
      this.words.set(word, this.words.at(word) | (1 << (this.rows & 31)))
      this.count++
    }
    this.rows++
  }

  /** How many events stand before a row that is one; -1 for any other. */
  seqOf(row: number): number {
    const word = row >>> 5
    const bit = 1 << (row & 31)
    const bits = this.words.at(word)
    return (bits & bit) === 0 ? -1 : this.before.at(word) + bitsIn(bits & (bit - 1))
  }

  /** How many events stand before a row, which may be the one after the last. */
  countBefore(row: number): number {
    if (row >= this.rows) return this.count
    const word = row >>> 5
    const bit = 1 << (row & 31)
    return this.before.at(word) + bitsIn(this.words.at(word) & (bit - 1))
  }

  /** The row of an event, given how many stand before it, which must be less than `length`. */
  rowOf(seq: number): number {
    let low = 0
    let high = this.before.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.before.at(middle) <= seq) low = middle + 1
      else high = middle
    }
    const word = low - 1
    let bits = this.words.at(word)
    for (let skip = seq - this.before.at(word); skip > 0; skip--) bits &= bits - 1
    return word * 32 + 31 - Math.clz32(bits & -bits)
  }
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
