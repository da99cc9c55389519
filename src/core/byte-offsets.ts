import { Column } from './column.ts'

const highStep = 0x1_0000_0000

/** File offsets below 2 to the power of 48: 4 bytes each, and 2 more above 4 GiB. */
export class ByteOffsets {
  private readonly low: Column
  private high: Column | null = null

  constructor(chunkBits?: number) {
    this.low = new Column('uint32', chunkBits)
  }

  get length(): number {
    return this.low.length
  }

  push(offset: number): void {
    if (this.high === null && offset >= highStep) {
      this.high = Column.zeros('uint16', this.low.chunkBits, this.low.length)
    }
    this.high?.push(offset / highStep)
    this.low.push(offset)
  }

  /** Removes all from `length` on. */
  truncate(length: number): void {
    this.low.truncate(length)
    this.high?.truncate(length)
  }

  at(index: number): number {
    const low = this.low.at(index)
    return this.high === null ? low : this.high.at(index) * highStep + low
  }
}
