import { Column } from '../column.ts'
import { SparseNumbers } from '../sparse-numbers.ts'

/** Two to this power rows share a base. */
const blockBits = 12
/** Column values: no time; a time that does not fit. */
const none = -0x8000_0000
const apart = none + 1

/** Ms since the epoch; NaN if unknown. An integer within three weeks of its block's base costs 4 bytes, others 16. */
export class RowTimes {
  /** Relative to the base of the row's block. */
  private readonly distances = new Column('int32')
  /** By block: its first integer time; NaN if none. */
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

  /** `row` must have been added. */
  at(row: number): number {
    const distance = this.distances.at(row)
    if (distance === none) return NaN
    return distance === apart ? (this.others.at(row) ?? NaN) : this.bases.at(row >>> blockBits) + distance
  }

  /** Fills `into` with the times of rows from `from` on, which must have been added. */
  copy(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const distances = this.distances.copy(from, new Int32Array(into.length))
    // NaN where the distance tells the time.
    this.others.copy(from, into)
    for (let i = 0; i < into.length;) {
      const block = (from + i) >>> blockBits
      const base = this.bases.at(block)
      const end = Math.min(into.length, ((block + 1) << blockBits) - from)
      for (; i < end; i++) {
        const distance = distances[i] ?? none
        if (distance > apart) into[i] = base + distance
      }
    }
    return into
  }
}
