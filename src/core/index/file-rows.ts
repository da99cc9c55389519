import type { LinePosition } from '../formats/log-format.ts'
import { Column } from '../column.ts'
import { Interned } from './interned.ts'

const maxFiles = 0xffff

/** Where lines lie: which file each row is from, and the rows of a line. Costs nothing while there is but one file. */
export class FileRows {
  readonly #names = new Interned(maxFiles, 'further files')
  /** By row, 0 the main file; empty while all rows are the main file's. */
  readonly #file = new Column('uint16')
  /** The rows of each file in the order of their lines, the main file's first; empty while there is but one. */
  readonly #rows: Column[] = []
  /** Rows of events that a later line revealed: they stand out of the order of lines. */
  readonly #late = new Set<number>()
  /** Where the last line met of each file begins; in a document several records may stand on one line. */
  readonly #lastOffset: number[] = [0]

  /** A row of the line at `at` is added; rows come in ascending order. */
  add(row: number, at: LinePosition): void {
    const number = at.file === undefined ? 0 : this.#names.numberOf(at.file)
    const late = at.offset < (this.#lastOffset[number] ?? 0)
    if (late) this.#late.add(row)
    else this.#lastOffset[number] = at.offset
    if (number === 0 && this.#rows.length === 0) return
    if (this.#rows.length === 0) this.#begin(row)
    this.#file.push(number)
    while (this.#rows.length <= number) this.#rows.push(new Column('uint32'))
    if (!late) this.#rows[number]?.push(row)
  }

  /** The file of a row; undefined for the main one. */
  fileOf(row: number): string | undefined {
    if (this.#rows.length === 0) return undefined
    const number = this.#file.at(row)
    return number === 0 ? undefined : this.#names.nameOf(number)
  }

  /** The first row of the line, -1 if it has none. `offsets`: where the line of each row begins. */
  firstRowOf(at: LinePosition, offsets: Column): number {
    const rows = this.#rows.length === 0 ? null : this.#rowsOf(at.file)
    if (rows === undefined) return -1
    let low = 0
    let high = rows === null ? offsets.length : rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (offsets.at(this.#inOrder(rows === null ? middle : rows.at(middle))) < at.offset) low = middle + 1
      else high = middle
    }
    const row = rows === null ? low : low < rows.length ? rows.at(low) : -1
    return row >= 0 && row < offsets.length && offsets.at(row) === at.offset ? row : -1
  }

  #rowsOf(file: string | undefined): Column | undefined {
    return file === undefined ? this.#rows[0] : this.#rows[this.#names.knownNumberOf(file) ?? -1]
  }

  /** The nearest row up to `row` that stands in the order of lines. */
  #inOrder(row: number): number {
    let at = row
    while (at > 0 && this.#late.has(at)) at--
    return at
  }

  /** A second file begins: the rows so far are the main one's. */
  #begin(rows: number): void {
    const main = new Column('uint32')
    for (let row = 0; row < rows; row++) {
      this.#file.push(0)
      if (!this.#late.has(row)) main.push(row)
    }
    this.#rows.push(main)
  }
}
