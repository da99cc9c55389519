import type { RowIssue } from '#contract/methods.ts'
import { byteOfColumn, type JsonLines } from './json-lines.ts'

/** An issue and its line of the pretty JSON. */
export interface PlacedIssue {
  readonly issue: RowIssue
  readonly line: number
  /** The marked byte range; empty if the path of the issue does not exist. */
  readonly from: number
  readonly to: number
}

/** A row of the Raw tab: bytes, an issue, or a note that there are more bytes. */
export type RawRow =
  | {
      readonly kind: 'bytes'
      readonly from: number
      readonly to: number
      readonly depth: number
      /** The line of the pretty JSON; -1 in the layout as written. */
      readonly line: number
      /** It continues the line of the previous row. */
      readonly continues: boolean
      /** For a row that opens an object or list: whether it is expanded. Else null. */
      readonly open: boolean | null
    }
  /** `words`: the part of the message in this row. `head`: whether the code and path precede it. */
  | {
      readonly kind: 'issue'
      readonly issue: RowIssue
      readonly depth: number
      readonly isFirst: boolean
      readonly words: string
    }
  | { readonly kind: 'more'; readonly line: number; readonly depth: number; readonly left: number }

/** The person's state of the pretty JSON. */
export interface PrettyView {
  /** Collapsed lines. */
  readonly collapsed: ReadonlySet<number>
  /** Lines whose long text is shown whole. */
  readonly whole: ReadonlySet<number>
}

/** Bytes of a longer text that are shown at first. */
const longText = 2000
/** Deeper levels are not indented further. */
export const deepestIndent = 16

/** The rows of pretty JSON, `columns` wide. Issues are below their line. */
export function prettyRows(
  lines: JsonLines,
  columns: number,
  { collapsed, whole }: PrettyView,
  issues: readonly PlacedIssue[]
): RawRow[] {
  const rows: RawRow[] = []
  const issuesAt = new Map<number, RowIssue[]>()
  for (const { issue, line } of issues) issuesAt.set(line, [...(issuesAt.get(line) ?? []), issue])
  for (let line = 0; line < lines.count; line++) {
    const { from, to, depth: level, close } = lines.at(line)
    const depth = Math.min(level, deepestIndent)
    const end = to - from > longText + 200 && !whole.has(line) ? from + longText : to
    const room = Math.max(10, columns - 2 * depth - 2)
    const own = (issuesAt.get(line) ?? []).flatMap((issue) => issueRows(issue, depth, room))
    // The rest that is not JSON may be long, so its issue is shown first.
    if (line === lines.rest) rows.push(...own)
    const isCollapsed = close !== null && collapsed.has(line)
    const open = close === null ? null : !isCollapsed
    for (let at = from; at < end;) {
      const next = rowEnd(lines.bytes, at, end, room)
      rows.push({ kind: 'bytes', from: at, to: next, depth, line, continues: at > from, open: at > from ? null : open })
      at = next
    }
    if (end < to) rows.push({ kind: 'more', line, depth, left: to - end })
    if (line !== lines.rest) rows.push(...own)
    if (!isCollapsed) continue
    const last = close < 0 ? lines.count - 1 : close
    // Collapsed lines must not hide issues.
    for (const { issue, line: at } of issues) if (at > line && at <= last) rows.push(...issueRows(issue, depth, room))
    line = last
  }
  return rows
}

/** Columns for an icon and the spaces between the parts of an issue. */
const issueSpace = 6

/** An issue in one row. If it does not fit, the message has rows of its own. */
function issueRows(issue: RowIssue, depth: number, columns: number): RawRow[] {
  const { message, code, path } = issue
  const head = code.length + (path?.length ?? 0) + issueSpace
  const row = (isFirst: boolean, words: string): RawRow => ({ kind: 'issue', issue, depth, isFirst, words })
  if (head + message.length <= columns) return [row(true, message)]
  const rows = [row(true, '')]
  let words = ''
  for (const word of message.split(' ')) {
    if (words !== '' && words.length + word.length >= columns - 2) {
      rows.push(row(false, words))
      words = word
    } else words += words === '' ? word : ` ${word}`
  }
  return [...rows, row(false, words)]
}

/** The byte where the text stops being JSON, by its issues; undefined if none states it. */
export function faultOf(bytes: Uint8Array, issues: readonly RowIssue[]): number | undefined {
  const column = issues.map(columnOf).find((each) => each !== null)
  return column === undefined || column === null ? undefined : byteOfColumn(bytes, column)
}

/** The column in the message of an issue without a path. */
function columnOf({ path, message }: RowIssue): number | null {
  const column = path === null ? /(?:^|: )column (\d{1,15}): /.exec(message)?.[1] : undefined
  return column === undefined ? null : Number(column)
}

/** The rows of a line as written, `columns` wide. A record of a document has several lines. */
export function writtenRows(bytes: Uint8Array, columns: number): RawRow[] {
  const rows: RawRow[] = []
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, at)
    const lineEnd = feed < 0 ? bytes.length : feed
    let continues = false
    do {
      const next = rowEnd(bytes, at, lineEnd, columns)
      rows.push({ kind: 'bytes', from: at, to: next, depth: 0, line: -1, continues, open: null })
      continues = true
      at = next
    } while (at < lineEnd)
    at = lineEnd + 1
  }
  return rows
}

const lineFeed = 0x0a

/** The end of the row that begins at `from`: about `columns` wide, never inside a character. */
function rowEnd(bytes: Uint8Array, from: number, to: number, columns: number): number {
  if (to - from <= columns / 4) return to
  let column = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    // Continuation bytes of a character have no width. Stray ones are shown with four columns each.
    const width = byte < 0x80 ? 1 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : isStray(bytes, at, from) ? 4 : 0
    if (column + width > columns && at > from) return at
    column += width
  }
  return to
}

/** A continuation byte without its first byte. */
function isStray(bytes: Uint8Array, at: number, from: number): boolean {
  for (let before = at - 1; before >= Math.max(from, at - 3); before--) {
    const byte = bytes[before] ?? 0
    if (byte < 0x80) return true
    if (byte >= 0xc0) return false
  }
  return true
}

/** The place of each issue in the JSON. Issues beyond the loaded bytes are omitted, except of the whole line. */
export function placedIssues(lines: JsonLines, issues: readonly RowIssue[], isWhole: boolean): PlacedIssue[] {
  return issues.flatMap((issue) => {
    const column = columnOf(issue)
    if (column !== null) {
      const { line, byte } = lines.lineOfColumn(column)
      if (byte >= lines.bytes.length && !isWhole) return []
      return [{ issue, line, from: Math.min(byte, lines.bytes.length - 1), to: byte + 1 }]
    }
    if (issue.path === null || lines.count === 0) return []
    const { line, exact } = lines.lineAt(issue.path)
    if (!exact && !isWhole) return []
    const { from, to } = lines.at(line)
    return [{ issue, line, from, to: exact && issue.path !== '$' ? to : from }]
  })
}
