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

  /** Fills `into` with the offsets from `from` on; they must be there. */
  copy(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    into.set(this.low.copy(from, new Uint32Array(into.length)))
    if (this.high === null) return into
    const high = this.high.copy(from, new Uint16Array(into.length))
    for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) + (high[i] ?? 0) * highStep
    return into
  }

  at(index: number): number {
    const low = this.low.at(index)
    return this.high === null ? low : this.high.at(index) * highStep + low
  }
}
