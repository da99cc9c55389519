import { Column, type ColumnType } from './column.ts'

/** Small chunks, as most logs have few. */
const chunkBits = 9

/** Numbers of few rows: up to 12 bytes each if rows are added in ascending order. */
export class SparseNumbers {
  private readonly rows = new Column('uint32', chunkBits)
  private readonly values: Column
  /** Rows added out of order. */
  private readonly late = new Map<number, number>()

  constructor(type: ColumnType) {
    this.values = new Column(type, chunkBits)
  }

  /** The number of a row; undefined if it has none. */
  at(row: number): number | undefined {
    const place = this.placeOf(row)
    return place < 0 ? this.late.get(row) : this.values.at(place)
  }

  has(row: number): boolean {
    return this.placeOf(row) >= 0 || this.late.has(row)
  }

  set(row: number, value: number): void {
    const { length } = this.rows
    if (length === 0 || this.rows.at(length - 1) < row) {
      this.rows.push(row)
      this.values.push(value)
      return
    }
    const place = this.placeOf(row)
    if (place < 0) this.late.set(row, value)
    else this.values.set(place, value)
  }

  private placeOf(row: number): number {
    let low = 0
    let high = this.rows.length
    if (high === 0 || this.rows.at(high - 1) < row) return -1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.rows.at(middle) < row) low = middle + 1
      else high = middle
    }
    return this.rows.at(low) === row ? low : -1
  }
}
