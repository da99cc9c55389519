import { ByteOffsets } from '../byte-offsets.ts'
import { Column } from '../column.ts'
import type { LineStart } from '../formats/log-format.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { Interned } from './interned.ts'

const maxFiles = 0xffff
/** Small chunks: a run may have many short files. */
const chunkBits = 10

/** File and line offset of each row, and the rows of each line. 4 bytes a row, 6 more with two files. */
export class FileRows {
  private readonly offsets = new ByteOffsets()
  private readonly names = new Interned(maxFiles, 'further files')
  /** By row; 0 is the main file. Empty while there is one file. */
  private readonly numbers = new Column('uint16')
  /** The rows of each file in line order, the main file first. Empty while there is one file. */
  private readonly rows: Column[] = []
  /** Rows out of line order, as a later line revealed their event: each with the nearest earlier row in line order. */
  private readonly late = new SparseNumbers('uint32')
  /** By file: offset of the last line. Several records of a document can share one. */
  private readonly lastOffset: number[] = [0]

  /** Adds a row of the line at `at`. */
  add(at: LineStart): void {
    const row = this.offsets.length
    const number = at.file === undefined ? 0 : this.names.numberOf(at.file)
    const isLate = at.offset < (this.lastOffset[number] ?? 0)
    if (isLate) this.late.set(row, this.inOrder(row - 1))
    else this.lastOffset[number] = at.offset
    this.offsets.push(at.offset)
    if (number === 0 && this.rows.length === 0) return
    if (this.rows.length === 0) this.begin(row)
    this.numbers.push(number)
    while (this.rows.length <= number) this.rows.push(new Column('uint32', chunkBits))
    if (!isLate) this.rows[number]?.push(row)
  }

  /** The file of a row; undefined for the main one. */
  fileOf(row: number): string | undefined {
    if (this.rows.length === 0) return undefined
    return this.nameOf(this.numbers.at(row))
  }

  nameOf(number: number): string | undefined {
    return number === 0 ? undefined : this.names.nameOf(number)
  }

  offsetOf(row: number): number {
    return this.offsets.at(row)
  }

  /** Of the rows from `from` on, which must exist. Fills `into` and returns it. */
  offsetsOf(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    return this.offsets.copy(from, into)
  }

  /** As `offsetsOf`; 0 is the main file. */
  numbersOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.rows.length === 0 ? into.fill(0) : this.numbers.copy(from, into)
  }

  isAt(row: number, at: LineStart): boolean {
    return this.offsets.at(row) === at.offset && this.fileOf(row) === at.file
  }

  /** The first row of the line, -1 if it has none. */
  firstRowOf(at: LineStart): number {
    const row = this.rowAt(at.file, this.placeFrom(at.file, at.offset))
    return row >= 0 && this.offsets.at(row) === at.offset ? row : -1
  }

  /** The number of a file's rows before `offset`, in line order. */
  private placeFrom(file: string | undefined, offset: number): number {
    const rows = this.rowsOf(file)
    let low = 0
    let high = rows === null ? this.offsets.length : rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const row = rows === null ? this.inOrder(middle) : rows.at(middle)
      if (this.offsets.at(row) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The row at a position in line order; -1 beyond the end. */
  private rowAt(file: string | undefined, place: number): number {
    const rows = this.rowsOf(file)
    if (place >= (rows === null ? this.offsets.length : rows.length)) return -1
    return rows === null ? this.inOrder(place) : rows.at(place)
  }

  /** Null if there is one file. */
  private rowsOf(file: string | undefined): Column | null {
    if (this.rows.length === 0) return file === undefined ? null : noRows
    const number = file === undefined ? 0 : this.names.knownNumberOf(file)
    return this.rows[number ?? -1] ?? noRows
  }

  /** The nearest row up to `row` that is in line order. */
  private inOrder(row: number): number {
    return this.late.at(row) ?? row
  }

  /** Called at the first row of a second file; the rows so far are the main file's. */
  private begin(rows: number): void {
    const main = new Column('uint32', chunkBits)
    for (let row = 0; row < rows; row++) {
      this.numbers.push(0)
      if (!this.late.has(row)) main.push(row)
    }
    this.rows.push(main)
  }
}

const noRows = new Column('uint32', 0)
