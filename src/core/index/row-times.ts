import { Column } from '../column.ts'
import { SparseNumbers } from '../sparse-numbers.ts'

/** Rows with a base in common: two to the power of it. */
const blockBits = 12
/** Stand in the column for a row without a time, and for a time that does not fit. */
const none = -0x8000_0000
const apart = none + 1

/**
 * A time for each row, in milliseconds since the epoch, NaN where it is not known: 4 bytes for one that lies within three weeks of the times
 * around it and is a whole number, 16 for any other.
 */
export class RowTimes {
  /** Against the base of the row's block. */
  private readonly distances = new Column('int32')
  /** By block: the first time in it that is a whole number; NaN while there is none. */
  private readonly bases = new Column('float64', 6)
  private readonly others = new SparseNumbers('float64')

  push(time: number): void {
    const row = this.distances.length
    const block = row >>> blockBits
    if (block === this.bases.length) this.bases.push(NaN)
    if (Number.isNaN(time)) {
      this.distances.push(none)
      return
    }
    if (Number.isNaN(this.bases.at(block)) && Number.isInteger(time)) this.bases.set(block, time)
    const distance = time - this.bases.at(block)
    if (Number.isInteger(distance) && Number.isInteger(time) && Math.abs(distance) < -apart) {
      this.distances.push(distance)
    } else {
      this.others.set(row, time)
      this.distances.push(apart)
    }
  }

  /** `row` must be one of those added. */
  at(row: number): number {
    const distance = this.distances.at(row)
    if (distance === none) return NaN
    return distance === apart ? (this.others.at(row) ?? NaN) : this.bases.at(row >>> blockBits) + distance
  }
}
