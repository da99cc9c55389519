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

  /** The times of `from` … `from + count`, which must have been added. */
  slice(from: number, count: number): Float64Array<ArrayBuffer> {
    const distances = new Int32Array(this.distances.slice(from, count))
    const times = new Float64Array(count)
    const otherAt = this.others.reader()
    let base = NaN
    for (let i = 0; i < count; i++) {
      if (i === 0 || ((from + i) & ((1 << blockBits) - 1)) === 0) base = this.bases.at((from + i) >>> blockBits)
      const distance = distances[i] ?? none
      if (distance > apart) times[i] = base + distance
      else times[i] = distance === none ? NaN : (otherAt(from + i) ?? NaN)
    }
    return times
  }
}
