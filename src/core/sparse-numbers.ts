import { Column, type ColumnType } from './column.ts'

/** Small chunks, as most logs have few. */
const chunkBits = 9
/** Steps of a reader before it searches. */
const maxSteps = 8

/** Numbers of few rows: up to 12 bytes each if rows are added in ascending order. */
export class SparseNumbers {
  private readonly rows = new Column('uint32', chunkBits)
  private readonly values: Column
  /** Rows added out of order. */
  private readonly late = new Map<number, number>()

  constructor(type: ColumnType) {
    this.values = new Column(type, chunkBits)
  }

  get length(): number {
    return this.rows.length + this.late.size
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

  /** As `at`, for rows that are mostly near the one asked about before: a few steps instead of a search. */
  reader(): (row: number) => number | undefined {
    const { rows } = this
    let place = 0
    const isBefore = (row: number): boolean => place < rows.length && rows.at(place) < row
    return (row) => {
      for (let step = 0; step < maxSteps && isBefore(row); step++) place++
      if (isBefore(row) || (place > 0 && rows.at(place - 1) >= row)) place = rows.firstFrom(row)
      if (place < rows.length && rows.at(place) === row) return this.values.at(place)
      return this.late.size === 0 ? undefined : this.late.get(row)
    }
  }

  /** Fills `into` with the numbers of rows from `from` on; NaN for a row that has none. */
  copy(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    into.fill(NaN)
    const { rows, values } = this.between(from, from + into.length)
    for (let i = 0; i < rows.length; i++) into[(rows[i] ?? 0) - from] = values[i] ?? NaN
    return into
  }

  /** The rows `from` … `to - 1` that have a number, and their numbers; not always in order. */
  between(from: number, to: number): { readonly rows: Uint32Array; readonly values: Float64Array } {
    const first = this.rows.firstFrom(from)
    const count = this.rows.firstFrom(to) - first
    const late = this.late.size === 0 ? [] : [...this.late].filter(([row]) => row >= from && row < to)
    const rows = new Uint32Array(count + late.length)
    const values = new Float64Array(rows.length)
    this.rows.copy(first, rows.subarray(0, count))
    this.values.copy(first, values.subarray(0, count))
    rows.set(
      late.map(([row]) => row),
      count
    )
    values.set(
      late.map(([, value]) => value),
      count
    )
    return { rows, values }
  }

  private placeOf(row: number): number {
    const { length } = this.rows
    const last = length === 0 ? -1 : this.rows.at(length - 1)
    if (last <= row) return last === row ? length - 1 : -1
    const place = this.rows.firstFrom(row)
    return this.rows.at(place) === row ? place : -1
  }
}
