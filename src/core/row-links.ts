import { Column } from './column.ts'
import { SparseNumbers } from './sparse-numbers.ts'

/** Links each row to one other, mostly near row: stores the distance in one byte or two. */
export class RowLinks {
  /** 0: no link; the maximum: a far link. */
  private readonly distances: Column
  private readonly farthest: number
  /** Separate, so rows are ascending in each if results are in order. */
  private readonly farBefore = new SparseNumbers('uint32')
  private readonly farAfter = new SparseNumbers('uint32')

  constructor(type: 'uint8' | 'uint16', chunkBits?: number) {
    this.distances = new Column(type, chunkBits)
    this.farthest = type === 'uint8' ? 0xff : 0xffff
  }

  get length(): number {
    return this.distances.length
  }

  /** Adds a row without a link. */
  push(): void {
    this.distances.push(0)
  }

  /** Links a row below `length` to another one; replaces its link. */
  set(row: number, other: number): void {
    const distance = Math.abs(other - row)
    this.distances.set(row, Math.min(distance, this.farthest))
    if (distance < this.farthest) return
    if (other < row) this.farBefore.set(row, other)
    else this.farAfter.set(row, other)
  }

  /** The linked row of a row that is linked backwards; -1 without a link. */
  before(row: number): number {
    const distance = this.distances.at(row)
    if (distance === 0) return -1
    return distance < this.farthest ? row - distance : (this.farBefore.at(row) ?? -1)
  }

  /** The linked row of a row that is linked forwards; -1 without a link. */
  after(row: number): number {
    const distance = this.distances.at(row)
    if (distance === 0) return -1
    return distance < this.farthest ? row + distance : (this.farAfter.at(row) ?? -1)
  }

  /** Fills `into` with the distances of rows from `from` on: 0 without a link, and `far` where only `before` and `after` know. */
  distancesOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.distances.copy(from, into)
  }

  get far(): number {
    return this.farthest
  }
}
