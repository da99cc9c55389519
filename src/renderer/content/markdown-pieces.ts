import { type FencedCode, fencedCodeAt } from '#core/markdown/fenced-code.ts'

/** A piece of a markdown text that is parsed and rendered on its own. */
export type MarkdownPiece =
  /** `text`: its part of the whole; `source`: the parsed text; `hiddenColumns`: omitted columns of a table. */
  | { readonly kind: 'blocks'; readonly text: string; readonly source: string; readonly hiddenColumns: number }
  /** A long fenced code block. */
  | { readonly kind: 'code'; readonly text: string; readonly info: string; readonly code: string }
  /** Not parsed as markdown, because that could take long. */
  | { readonly kind: 'plain'; readonly text: string }

/** A piece ends at the first block end after this many characters … */
const wantedPiece = 4096
/** … and at a line end before this many. The parser needs quadratic time for malicious texts. */
const longestPiece = 8192
/** Shown columns of a table. */
const maxColumns = 50
/** A block with more characters that can begin emphasis, links or tags is not prose. */
const maxSpecials = 1000
/** Nested quotes and lists on one line. */
const deepMarkers = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]))){24}/m

/** Splits a markdown text into pieces between its blocks. The `text` of all pieces is the whole text. */
export class MarkdownPieces {
  private readonly source: string
  private at = 0
  /** The parsed head of the table that continues at `at`; empty for none. */
  private tableHead = ''
  /** For that table. */
  private hiddenColumns = 0

  constructor(source: string) {
    this.source = source
  }

  get done(): boolean {
    return this.at >= this.source.length
  }

  /** Characters returned so far. */
  get given(): number {
    return this.at
  }

  /** The next piece; there must be one. */
  next(): MarkdownPiece {
    const { source, at: start } = this
    if (this.tableHead !== '') return this.tableRows(start)
    let line = start
    let wasBlank = false
    let header = -1
    while (line < source.length) {
      const end = this.lineEnd(line)
      const text = source.slice(line, Math.min(end, line + longestPiece))
      const code = fencedCodeAt(source, line)
      if (code !== null) {
        if (code.end - start > longestPiece) return line > start ? this.blocks(start, line) : this.code(code)
        line = code.end
        wasBlank = false
        header = -1
        continue
      }
      const isBlank = text.trim() === ''
      if (wasBlank && !isBlank && !/^\s/.test(text) && line - start >= wantedPiece) return this.blocks(start, line)
      if (header >= 0 && isDelimiterRow(text) && columnsOf(source, header, line) > maxColumns) {
        return header > start ? this.blocks(start, header) : this.wideTable(line, end)
      }
      if (end - start > longestPiece) {
        if (line > start) return this.blocks(start, line)
        // The line may be the head of a wide table; otherwise it is too long.
        const next = source.slice(end, Math.min(this.lineEnd(end), end + longestPiece))
        if (next === '' || !isDelimiterRow(next)) return this.plain(start, end)
      }
      wasBlank = isBlank
      header = isBlank ? -1 : line
      line = end
    }
    return this.blocks(start, source.length)
  }

  private lineEnd(from: number): number {
    const end = this.source.indexOf('\n', from)
    return end < 0 ? this.source.length : end + 1
  }

  private blocks(start: number, end: number): MarkdownPiece {
    const text = this.take(start, end)
    return isSlow(text) ? { kind: 'plain', text } : { kind: 'blocks', text, source: text, hiddenColumns: 0 }
  }

  private plain(start: number, end: number): MarkdownPiece {
    return { kind: 'plain', text: this.take(start, end) }
  }

  private code({ info, from, to, end }: FencedCode): MarkdownPiece {
    return { kind: 'code', text: this.take(this.at, end), info, code: this.source.slice(from, to) }
  }

  /** The table at `at`, whose second line is `delimiter` … `end`: its head and the rows that fit a piece. */
  private wideTable(delimiter: number, end: number): MarkdownPiece {
    const { source, at } = this
    const head = `${cutRow(source, at, delimiter)}\n${cutRow(source, delimiter, end)}\n`
    if (head.length > longestPiece / 2) return this.plain(at, end)
    this.tableHead = head
    this.hiddenColumns = columnsOf(source, at, delimiter) - maxColumns
    return this.tableRows(end)
  }

  /** Further rows of the table with a known head, from `from` on. */
  private tableRows(from: number): MarkdownPiece {
    const { source, at: start, hiddenColumns } = this
    let cut = this.tableHead
    let line = from
    let goesOn = false
    while (line < source.length) {
      const end = this.lineEnd(line)
      if (source.slice(line, Math.min(end, line + 1000)).trim() === '') break
      const row = cutRow(source, line, end)
      // The next piece begins with this row, or consists of it.
      goesOn = cut.length + row.length > longestPiece
      if (goesOn && line === start) return this.plain(start, end)
      if (goesOn) break
      cut += `${row}\n`
      line = end
    }
    if (!goesOn) this.tableHead = ''
    // The table ends here.
    if (line === start) return this.next()
    const text = this.take(start, line)
    return isSlow(cut) ? { kind: 'plain', text } : { kind: 'blocks', text, source: cut, hiddenColumns }
  }

  private take(start: number, end: number): string {
    this.at = end
    return this.source.slice(start, end)
  }
}

function isDelimiterRow(line: string): boolean {
  return line.includes('-') && line.includes('|') && /^[|:\- \t\r\n]+$/.test(line)
}

/** The cells of a table row beyond `columns`; "" for none. */
export function restOfRow(row: string, columns: number): string {
  const rest = row.slice(cutAt(row, 0, row.length, columns) + 1).trim()
  return rest.endsWith('|') ? rest.slice(0, -1).trim() : rest
}

/** The position of the bar after `columns` cells of a row; `end` if there are fewer. */
function cutAt(source: string, start: number, end: number, columns: number): number {
  let at = start
  while (source[at] === ' ') at++
  let bars = source[at] === '|' ? -1 : 0
  for (; at < end; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '|' && ++bars === columns) return at
  }
  return end
}

function cutRow(source: string, start: number, end: number): string {
  const cut = cutAt(source, start, end, maxColumns)
  return cut < end ? `${source.slice(start, cut)}|` : source.slice(start, end).trimEnd()
}

function columnsOf(source: string, start: number, end: number): number {
  const row = source.slice(start, end).trim().replace(/^\|/, '').replace(/\|$/, '')
  let bars = 0
  for (let at = row.indexOf('|'); at >= 0; at = row.indexOf('|', at + 1)) if (row[at - 1] !== '\\') bars++
  return bars + 1
}

/** Whether parsing `text` may take long or overflow the stack. */
function isSlow(text: string): boolean {
  if (deepMarkers.test(text)) return true
  for (const block of text.split(/\n[ \t]*\r?\n/)) {
    if (block.length > maxSpecials && (block.match(/[_*~![<`]/g)?.length ?? 0) > maxSpecials) return true
  }
  return false
}
