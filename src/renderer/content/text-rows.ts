import { Column } from '#core/column.ts'
import { characterWidth, tabColumns } from './character-width.ts'

/** A row has at most so many characters: a browser lays out each row as a whole. */
export const longestRow = 2000

/** How a text is cut into rows. */
export interface RowShape {
  /** A row has at most so many columns of a fixed face; Infinity: a line goes on in another row only where it is very long. */
  readonly columns: number
}

/**
 * The rows of a text: its lines, and long lines in several rows, so that rows are equally high and none of them is long. Only where
 * each row begins is kept, and it is found out in steps: `read` goes on. The rows joined again, with their line ends, are the text.
 */
export class TextRows {
  readonly text: string
  /** Columns that the widest row takes, about. */
  widest = 0
  protected readonly columns: number
  private readonly starts = new Column('uint32', 12)
  /** The rows that go on with the line of the row before, ascending. */
  private readonly continued = new Column('uint32', 8)
  private at = 0
  /** Of the line that `at` stands in; -1: not looked for yet. */
  private lineEnd = -1

  constructor(text: string, { columns }: RowShape) {
    this.text = text
    this.columns = Math.max(10, columns)
  }

  /** Rows found so far. */
  get count(): number {
    return this.starts.length
  }

  /** Lines found so far, as editors count them: a line end at the end of the text begins none. */
  get lines(): number {
    return this.starts.length - this.continued.length
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  /** Goes on by about as much as `characters` of ordinary text cost. */
  read(characters: number): void {
    for (let left = characters; left > 0 && !this.done;) left -= this.addRow()
  }

  /** The row that shows the character at `offset`; -1 where it is not found yet. */
  rowAt(offset: number): number {
    return offset >= this.at ? -1 : upTo(this.starts, offset) - 1
  }

  startOf(row: number): number {
    return this.starts.at(row)
  }

  /** Where the row's own characters end: before its line end. */
  endOf(row: number): number {
    const next = row + 1 < this.count ? this.starts.at(row + 1) : this.at
    if (next === this.startOf(row) || this.text.charCodeAt(next - 1) !== lineFeed) return next
    const end = next - 1
    return end > this.startOf(row) && this.text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
  }

  /** The row goes on with the line that the row before it shows. */
  continues(row: number): boolean {
    return this.continued.length > 0 && this.continued.at(this.continuedUpTo(row) - 1) === row && row > 0
  }

  /** The line, counted from 0, that a row shows. */
  lineOf(row: number): number {
    return row - this.continuedUpTo(row)
  }

  /** The text of rows `from` … `to` (exclusive), with the line ends between them. */
  slice(from: number, to: number): string {
    return to <= from ? '' : this.text.slice(this.startOf(from), this.endOf(to - 1))
  }

  /** Adds the next row, and says what that cost, in characters of ordinary text. */
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

  /** The last row, from `start` to `end`, has been added. Gives what else that cost. */
  protected rowAdded(_start: number, _end: number): number {
    return 0
  }

  /** Where a row ends that begins at `start`, at the latest at `lineEnd`. */
  protected rowEnd(start: number, lineEnd: number): number {
    const { text, columns } = this
    // So many characters fit, whatever they are.
    if (lineEnd - start <= Math.min(longestRow, columns / tabColumns)) return lineEnd
    const latest = Math.min(lineEnd, start + longestRow)
    if (columns === Infinity) return latest === lineEnd ? latest : wholeCharacter(text, start, latest)
    let column = 0
    let afterSpace = -1
    for (let at = start; at < latest;) {
      const code = text.codePointAt(at) ?? 0
      const width = code === tab ? tabColumns - (column % tabColumns) : characterWidth(code)
      if (column + width > columns) {
        // Between words, unless that leaves much of the row empty.
        return afterSpace - start > columns * 0.6 ? afterSpace : Math.max(at, start + 1)
      }
      column += width
      at += code > 0xffff ? 2 : 1
      if (code === space || code === tab) afterSpace = at
    }
    return latest === lineEnd ? latest : wholeCharacter(text, start, latest)
  }

  /** How many of the rows up to `row` go on with the line before. */
  private continuedUpTo(row: number): number {
    return upTo(this.continued, row)
  }
}

/** How many numbers of an ascending column are at most `most`. */
export function upTo(column: Column, most: number): number {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (column.at(middle) <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** A row costs as much as so many characters, however short it is. */
const costOfRow = 16
const lineFeed = 0x0a
const carriageReturn = 0x0d
const tab = 0x09
const space = 0x20

/** `end`, or one less where it would cut a surrogate pair. */
export function wholeCharacter(text: string, start: number, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff && end - 1 > start ? end - 1 : end
}
