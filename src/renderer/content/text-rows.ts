import { Column } from '#core/column.ts'
import { firstWhere } from '#core/first-where.ts'
import { characterWidth, tabColumns } from './character-width.ts'

/** Characters per row: a browser lays out each row as a whole. */
export const longestRow = 2000

/** How a text is split into rows. */
export interface RowShape {
  /** Columns per row in a monospaced font; Infinity: only very long lines are wrapped. */
  readonly columns: number
}

/** The lines of a text, split into rows of equal height. Stores only the start of each row. `read` takes steps. */
export class TextRows {
  readonly text: string
  /** Approximate columns of the widest row. */
  widest = 0
  protected readonly columns: number
  private readonly starts = new Column('uint32', 12)
  /** The rows that continue the line of the previous row, ascending. */
  private readonly continued = new Column('uint32', 8)
  private at = 0
  /** End of the line at `at`; -1 if not searched yet. */
  private lineEnd = -1

  constructor(text: string, { columns }: RowShape) {
    this.text = text
    this.columns = Math.max(10, columns)
  }

  /** Rows found so far. */
  get count(): number {
    return this.starts.length
  }

  /** Lines found so far, as in editors: a final line end does not begin a line. */
  get lines(): number {
    return this.starts.length - this.continued.length
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  /** Reads on, for about the cost of `characters` of ordinary text. */
  read(characters: number): void {
    for (let left = characters; left > 0 && !this.done;) left -= this.addRow()
  }

  /** The row of the character at `offset`; -1 if not found yet. */
  rowAt(offset: number): number {
    return offset >= this.at ? -1 : upTo(this.starts, offset) - 1
  }

  startOf(row: number): number {
    return this.starts.at(row)
  }

  /** End of the row's characters, before its line end. */
  endOf(row: number): number {
    const next = row + 1 < this.count ? this.starts.at(row + 1) : this.at
    if (next === this.startOf(row) || this.text.charCodeAt(next - 1) !== lineFeed) return next
    const end = next - 1
    return end > this.startOf(row) && this.text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
  }

  /** Whether the row continues the line of the previous row. */
  continues(row: number): boolean {
    return this.continued.length > 0 && this.continued.at(this.continuedUpTo(row) - 1) === row && row > 0
  }

  /** The 0-based line of a row. */
  lineOf(row: number): number {
    return row - this.continuedUpTo(row)
  }

  /** The text of rows `from` … `to` (exclusive), with the line ends between them. */
  slice(from: number, to: number): string {
    return to <= from ? '' : this.text.slice(this.startOf(from), this.endOf(to - 1))
  }

  /** Adds the next row. Returns the cost in characters of ordinary text. */
  private addRow(): number {
    const { text, at: start } = this
    if (this.lineEnd < start) {
      const end = text.indexOf('\n', start)
      this.lineEnd = end < 0 ? text.length : end
    } else if (start > 0 && text.charCodeAt(start - 1) !== lineFeed) this.continued.push(this.count)
    this.starts.push(start)
    const end = this.rowEnd(start, this.lineEnd)
    this.widest = Math.max(this.widest, end - start)
    this.at = end < this.lineEnd ? end : this.lineEnd + 1
    if (this.at > text.length) this.at = text.length
    if (end >= this.lineEnd) this.lineEnd = -1
    return end - start + costOfRow + this.rowAdded(start, end)
  }

  /** Called after the row from `start` to `end` was added. Returns the additional cost. */
  protected rowAdded(_start: number, _end: number): number {
    return 0
  }

  /** The end of a row that begins at `start`, at most `lineEnd`. */
  protected rowEnd(start: number, lineEnd: number): number {
    const { text, columns } = this
    // So few characters always fit.
    if (lineEnd - start <= Math.min(longestRow, columns / tabColumns)) return lineEnd
    const latest = Math.min(lineEnd, start + longestRow)
    if (columns === Infinity) return latest === lineEnd ? latest : wholeCharacter(text, start, latest)
    let column = 0
    let afterSpace = -1
    for (let at = start; at < latest;) {
      const code = text.codePointAt(at) ?? 0
      const width = code === tab ? tabColumns - (column % tabColumns) : characterWidth(code)
      if (column + width > columns) {
        // Break between words, unless that leaves much of the row empty.
        return afterSpace - start > columns * 0.6 ? afterSpace : Math.max(at, start + 1)
      }
      column += width
      at += code > 0xffff ? 2 : 1
      if (code === space || code === tab) afterSpace = at
    }
    return latest === lineEnd ? latest : wholeCharacter(text, start, latest)
  }

  /** How many rows up to `row` continue the line before. */
  private continuedUpTo(row: number): number {
    return upTo(this.continued, row)
  }
}

/** How many numbers of an ascending column are at most `most`. */
export function upTo(column: Column, most: number): number {
  return firstWhere(column.length, (at) => column.at(at) > most)
}

/** Cost of a row, in characters, even of a short one. */
const costOfRow = 16
const lineFeed = 0x0a
const carriageReturn = 0x0d
const tab = 0x09
const space = 0x20

/** `end`, or one less to keep a surrogate pair together. */
export function wholeCharacter(text: string, start: number, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff && end - 1 > start ? end - 1 : end
}
