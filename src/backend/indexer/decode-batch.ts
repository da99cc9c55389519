import { decodeLine, type DecodedLine } from '#core/formats/decode-line.ts'
import type { IssueDraft } from '#core/formats/issue.ts'
import type { Decoded, LogFormat } from '#core/formats/log-format.ts'
import type { DecodedLines } from '#core/formats/run-reader.ts'
import { outlineOf } from '#core/index/outline.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'

/** Whole lines of a log, one after the other. */
export interface LineBatch {
  readonly bytes: Uint8Array
  /** Number and offset of the first one, which is not the log's first. */
  readonly line: number
  readonly offset: number
}

/** What `decoded` is for a line whose outline JSON cannot hold. */
const notWritten = 0

/** One line as it crosses to the thread that folds. `decoded` null: it is blank. */
type WrittenLine = readonly [
  offset: number,
  length: number,
  decoded: Decoded | null | typeof notWritten,
  issues?: readonly IssueDraft[]
]

const noIssues: readonly IssueDraft[] = []

/** The lines of a batch, decoded. */
export function decodedLines(format: LogFormat, batch: LineBatch): DecodedLines {
  const lines: DecodedLines['lines'][number][] = []
  eachLine(batch, (line) => {
    const { offset, length, terminated } = line
    lines.push({ at: { line: line.line, offset, length, terminated }, decoded: decodeLine(format, line) })
  })
  return { bytes: batch.bytes.length, lines }
}

/** The outlines of the lines of a batch as one text, for `readOutlines`. */
export function writeOutlines(format: LogFormat, batch: LineBatch): string {
  const lines: WrittenLine[] = []
  eachLine(batch, (line) => {
    const { decoded, issues } = decodeLine(format, line)
    const outline = decoded === null ? null : (outlineOf(decoded) ?? notWritten)
    if (issues.length === 0) lines.push([line.offset, line.length, outline])
    else lines.push([line.offset, line.length, outline, issues])
  })
  return JSON.stringify(lines)
}

/** What `writeOutlines` made of the same batch; whatever it could not write is decoded here. */
export function readOutlines(format: LogFormat, batch: LineBatch, text: string): DecodedLines {
  const written = JSON.parse(text) as readonly WrittenLine[]
  const lines = written.map(([offset, length, outline, issues = noIssues], i) => {
    const at = { line: batch.line + i, offset, length, terminated: true }
    if (outline !== notWritten) {
      const decoded: DecodedLine = { text: '', decoded: outline, issues }
      return { at, decoded }
    }
    const start = offset - batch.offset
    return { at, decoded: decodeLine(format, { ...at, bytes: batch.bytes.subarray(start, start + length) }) }
  })
  return { bytes: batch.bytes.length, lines }
}

function eachLine({ bytes, line, offset }: LineBatch, onLine: (line: Line) => void): void {
  // The search of Node's Buffer is many times faster than that of a plain array of bytes.
  new LineSplitter(onLine, { from: { line, offset } }).push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
}
