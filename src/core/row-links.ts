import { Column } from './column.ts'
import { SparseNumbers } from './sparse-numbers.ts'

/** From each row to one other, which is near in most cases: what is kept is how far it is, in one byte or two. */
export class RowLinks {
  /** 0: no link; the highest number: farther than this column can tell. */
  private readonly distances: Column
  private readonly farthest: number
  /** Apart, so that each is given in ascending order where calls are answered in order. */
  private readonly farBefore = new SparseNumbers('uint32')
  private readonly farAfter = new SparseNumbers('uint32')

  constructor(type: 'uint8' | 'uint16', chunkBits?: number) {
    this.distances = new Column(type, chunkBits)
    this.farthest = type === 'uint8' ? 0xff : 0xffff
  }

  get length(): number {
    return this.distances.length
  }

  /** Adds a row that has no link. */
  push(): void {
    this.distances.push(0)
  }

  /** Links a row below `length` to another one, instead of what it was linked to. */
  set(row: number, other: number): void {
    const distance = Math.abs(other - row)
    this.distances.set(row, Math.min(distance, this.farthest))
    if (distance < this.farthest) return
    if (other < row) this.farBefore.set(row, other)
    else this.farAfter.set(row, other)
  }

  /** The row that a row is linked to, which is known to stand before it; -1 where it has no link. */
  before(row: number): number {
    const distance = this.distances.at(row)
    if (distance === 0) return -1
    return distance < this.farthest ? row - distance : (this.farBefore.at(row) ?? -1)
  }

  /** The row that a row is linked to, which is known to stand after it; -1 where it has no link. */
  after(row: number): number {
    const distance = this.distances.at(row)
    if (distance === 0) return -1
    return distance < this.farthest ? row + distance : (this.farAfter.at(row) ?? -1)
  }
}
