import { decodeLine, type DecodedLine } from '#core/formats/decode-line.ts'
import type { IssueDraft } from '#core/formats/issue.ts'
import type { Decoded, LogFormat } from '#core/formats/log-format.ts'
import type { DecodedLines } from '#core/formats/run-reader.ts'
import { outlineOf } from '#core/index/outline.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import { type PackedValues, ValuePacker, ValueReader } from '#core/packed-values.ts'
import { utf8Text } from '../wasm/utf8-text.ts'
import type { LeftOut, LeftOutWriter } from './left-out.ts'

/** Whole lines of a log, one after the other. */
export interface LineBatch {
  readonly bytes: Uint8Array
  /** Number and offset of the first one, which is not the log's first. */
  readonly line: number
  readonly offset: number
}

/** A batch as another thread has decoded it. */
export interface DecodedBatch {
  /** As `packOutlines` makes them. */
  readonly outlines: PackedValues
  /** What they leave out; null where nobody wants it. */
  readonly leftOut: LeftOut | null
}

/** What stands for a line whose outline cannot be packed. */
const notPacked = false

const noIssues: readonly IssueDraft[] = []

/** The outlines of the lines of a batch, for the thread that made them. What they leave out goes to `leftOut`. */
export function outlinesHere(format: LogFormat, batch: LineBatch, leftOut?: LeftOutWriter): DecodedLines {
  const lines: DecodedLines['lines'][number][] = []
  eachLine(batch, ({ line, offset, length, bytes, terminated }) => {
    const at = { line, offset, length, terminated }
    const { decoded, issues } = decodeLine(format, { line, offset, length, bytes, terminated }, 'lines', utf8Text)
    const outline = decoded === null ? null : outlineOf(decoded)
    if (decoded !== null && outline !== null) leftOut?.add(offset, decoded.drafts, outline.drafts)
    lines.push({ at, decoded: { text: '', decoded: outline, issues } })
  })
  return { bytes: batch.bytes.length, lines }
}

/** The outlines of the lines of a batch, for `readOutlines`. What they leave out goes to `leftOut`. */
export function packOutlines(format: LogFormat, batch: LineBatch, leftOut?: LeftOutWriter): PackedValues {
  const packer = new ValuePacker()
  eachLine(batch, (line) => {
    const { decoded, issues } = decodeLine(format, line, 'lines', utf8Text)
    packer.add(line.offset - batch.offset)
    packer.add(line.length)
    packer.add(issues.length === 0 ? null : issues)
    const outline = decoded === null ? null : outlineOf(decoded)
    if (!packer.add(outline)) packer.add(notPacked)
    else if (decoded !== null && outline !== null) leftOut?.add(line.offset, decoded.drafts, outline.drafts)
  })
  return packer.take()
}

/** What `packOutlines` made of the same batch. What it could not pack is decoded here. */
export function readOutlines(format: LogFormat, batch: LineBatch, packed: PackedValues): DecodedLines {
  const reader = new ValueReader(packed)
  const lines: DecodedLines['lines'][number][] = []
  for (let line = batch.line; !reader.ended; line++) {
    const start = reader.next() as number
    const length = reader.next() as number
    const issues = (reader.next() as readonly IssueDraft[] | null) ?? noIssues
    const outline = reader.next() as Decoded | null | typeof notPacked
    const at = { line, offset: batch.offset + start, length, terminated: true }
    const decoded: DecodedLine =
      outline === notPacked
        ? decodeLine(format, { ...at, bytes: batch.bytes.subarray(start, start + length) })
        : { text: '', decoded: outline, issues }
    lines.push({ at, decoded })
  }
  return { bytes: batch.bytes.length, lines }
}

function eachLine({ bytes, line, offset }: LineBatch, onLine: (line: Line) => void): void {
  // The search of Node's Buffer is many times faster than that of a plain array of bytes.
  new LineSplitter(onLine, { from: { line, offset } }).push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
}
