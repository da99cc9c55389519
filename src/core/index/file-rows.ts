import { ByteOffsets } from '../byte-offsets.ts'
import { Column } from '../column.ts'
import type { LineStart } from '../formats/log-format.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { Interned } from './interned.ts'

const maxFiles = 0xffff
/** A run may have many files, most of them short. */
const chunkBits = 10

/** Where lines lie: the file and the offset of each row's, and the rows of a line. A row costs 4 bytes, 6 more once there are two files. */
export class FileRows {
  private readonly offsets = new ByteOffsets()
  private readonly names = new Interned(maxFiles, 'further files')
  /** By row, 0 the main file; empty while all rows are the main file's. */
  private readonly numbers = new Column('uint16')
  /** The rows of each file in the order of their lines, the main file's first; empty while there is but one. */
  private readonly rows: Column[] = []
  /** Rows of events that a later line revealed, out of the order of lines: of each the nearest row before that stands in it. */
  private readonly late = new SparseNumbers('uint32')
  /** Where the last line met of each file begins; in a document several records may stand on one line. */
  private readonly lastOffset: number[] = [0]

  /** The next row is of the line at `at`. */
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
    const number = this.numbers.at(row)
    return number === 0 ? undefined : this.names.nameOf(number)
  }

  offsetOf(row: number): number {
    return this.offsets.at(row)
  }

  isAt(row: number, at: LineStart): boolean {
    return this.offsets.at(row) === at.offset && this.fileOf(row) === at.file
  }

  /** The first row of the line, -1 if it has none. */
  firstRowOf(at: LineStart): number {
    const row = this.rowAt(at.file, this.placeFrom(at.file, at.offset))
    return row >= 0 && this.offsets.at(row) === at.offset ? row : -1
  }

  /** How many of a file's rows, in the order of its lines, stand before `offset`. */
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

  /** The row at a place in the order of a file's lines; -1 beyond its end. */
  private rowAt(file: string | undefined, place: number): number {
    const rows = this.rowsOf(file)
    if (place >= (rows === null ? this.offsets.length : rows.length)) return -1
    return rows === null ? this.inOrder(place) : rows.at(place)
  }

  /** Null: all rows are the main file's. */
  private rowsOf(file: string | undefined): Column | null {
    if (this.rows.length === 0) return file === undefined ? null : noRows
    const number = file === undefined ? 0 : this.names.knownNumberOf(file)
    return this.rows[number ?? -1] ?? noRows
  }

  /** The nearest row up to `row` that stands in the order of lines. */
  private inOrder(row: number): number {
    return this.late.at(row) ?? row
  }

  /** A second file begins: the rows so far are the main one's. */
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
