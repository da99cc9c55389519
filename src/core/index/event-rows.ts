import { Column } from '../column.ts'

/** Which rows are events, in two bits a row. `seqOf` takes constant time, `rowOf` a binary search. */
export class EventRows {
  /** A bit for each of 32 rows. */
  private readonly words = new Column('uint32', 10)
  /** By word: number of events before it. */
  private readonly before = new Column('uint32', 10)
  private rows = 0
  private count = 0

  /** Number of events. */
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

  /** The number of events before a row; -1 if the row is not an event. */
  seqOf(row: number): number {
    const word = row >>> 5
    const bit = 1 << (row & 31)
    const bits = this.words.at(word)
    return (bits & bit) === 0 ? -1 : this.before.at(word) + bitsIn(bits & (bit - 1))
  }

  /** Fills `into` with `seqOf` of rows from `from` on. */
  copy(from: number, into: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
    let next = this.countBefore(from)
    let bits = this.words.at(from >>> 5)
    for (let i = 0; i < into.length; i++) {
      const place = (from + i) & 31
      if (place === 0) bits = this.words.at((from + i) >>> 5)
      into[i] = ((bits >>> place) & 1) === 0 ? -1 : next++
    }
    return into
  }

  /** The number of events before a row; the row may be the one after the last. */
  countBefore(row: number): number {
    if (row >= this.rows) return this.count
    const word = row >>> 5
    const bit = 1 << (row & 31)
    return this.before.at(word) + bitsIn(this.words.at(word) & (bit - 1))
  }

  /** The row of an event. `seq` must be below `length`. */
  rowOf(seq: number): number {
    const word = this.before.firstFrom(seq + 1) - 1
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
