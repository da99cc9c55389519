import { Column } from '#core/column.ts'
import { characterWidth, tabColumns } from './character-width.ts'
import { isRewritten, screenSpans, sequenceAt, styleCodes, type TerminalSpan, terminalSpans } from './terminal-line.ts'
import { plainStyle, sameStyle, StyleReader, type TerminalStyle } from './terminal-style.ts'
import { longestRow, type RowShape, TextRows, upTo, wholeCharacter } from './text-rows.ts'

/** Sequences per row; each may become an element. */
const maxSequences = 200
/** A longer overwritten line is shown as written. */
const longestRewritten = 131_072
/** The cost of a sequence, in characters. */
const costOfSequence = 100
const controls = new RegExp(`[${String.fromCharCode(0x1b, 0x9b)}\\r\\b]`, 'g')
const reset = '\u001b[0m'

/** The rows of terminal output. `everyStep`: an overwritten line has a row per step; else only its final state. */
export class TerminalRows extends TextRows {
  /** Overwritten lines so far. */
  rewritten = 0
  private readonly everyStep: boolean
  private readonly scan = new StyleReader(plainStyle)
  /** The rows that begin in another style than the previous row, ascending, and the styles. */
  private readonly changedAt = new Column('uint32', 8)
  private readonly changedTo: TerminalStyle[] = []
  /** The first control character from `controlFrom` on. */
  private control = -1
  private controlFrom = 0

  constructor(text: string, shape: RowShape & { readonly everyStep: boolean }) {
    super(text, shape)
    this.everyStep = shape.everyStep
  }

  /** The content of a row. */
  spansOf(row: number): TerminalSpan[] {
    const line = this.slice(row, row + 1)
    const style = this.styleAt(row)
    return !this.everyStep && this.isWholeLine(row) && isRewritten(line)
      ? screenSpans(line, style)
      : terminalSpans(line, style)
  }

  protected override rowEnd(start: number, lineEnd: number): number {
    const { text } = this
    if (this.nextControl(start) >= lineEnd) return super.rowEnd(start, lineEnd)
    const isLineStart = start === 0 || text.charCodeAt(start - 1) === lineFeed
    if (isLineStart && lineEnd - start <= longestRewritten && isRewritten(text.slice(start, lineEnd))) {
      this.rewritten++
      if (!this.everyStep) return lineEnd
    }
    const columns = Math.min(this.columns, longestRow)
    let column = 0
    let sequences = 0
    let afterSpace = -1
    let at = start
    while (at < lineEnd) {
      const code = text.codePointAt(at) ?? 0
      const sequence = code === escape || code === controlSequence ? sequenceAt(text, at) : null
      if (sequence !== null) {
        if (++sequences > maxSequences) return at
        at += sequence.length
        continue
      }
      if (code === carriageReturn && at + 1 < lineEnd) return at + 1
      const width = code === tab ? tabColumns - (column % tabColumns) : characterWidth(code)
      if (column + width > columns || at - start >= 10 * longestRow) {
        return afterSpace - start > columns * 0.6 && this.columns < longestRow ? afterSpace : Math.max(at, start + 1)
      }
      column += width
      at += code > 0xffff ? 2 : 1
      if (code === space || code === tab) afterSpace = at
    }
    return at === lineEnd ? at : wholeCharacter(text, start, at)
  }

  protected override rowAdded(start: number, end: number): number {
    const row = this.count - 1
    const before = this.changedTo.at(-1) ?? plainStyle
    if (!sameStyle(before, this.scan.style)) {
      this.changedAt.push(row)
      this.changedTo.push(this.scan.style)
    }
    if (this.nextControl(start) >= end) return 0
    const { text } = this
    // Sequences before a reset do not affect what follows.
    const last = start + text.slice(start, end).lastIndexOf(reset)
    let sequences = 0
    for (let at = this.nextControl(last >= start ? last : start); at < end; at = this.nextControl(at)) {
      const sequence = sequenceAt(text, at)
      const codes = sequence === null ? null : styleCodes(sequence)
      if (codes !== null) this.scan.read(codes)
      if (sequence !== null) sequences++
      at += sequence?.length ?? 1
    }
    return sequences * costOfSequence
  }

  private styleAt(row: number): TerminalStyle {
    return this.changedTo[upTo(this.changedAt, row) - 1] ?? plainStyle
  }

  private isWholeLine(row: number): boolean {
    return !this.continues(row) && !this.continues(row + 1)
  }

  /** The first control character from `from` on; the text's length for none. */
  private nextControl(from: number): number {
    if (this.control < from || from < this.controlFrom) {
      controls.lastIndex = from
      this.control = controls.exec(this.text)?.index ?? this.text.length
      this.controlFrom = from
    }
    return this.control
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const escape = 0x1b
const controlSequence = 0x9b
const tab = 0x09
const space = 0x20
