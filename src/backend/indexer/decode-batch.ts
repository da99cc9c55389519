import { decodeLine, type DecodedLine } from '#core/formats/decode-line.ts'
import type { IssueDraft } from '#core/formats/issue.ts'
import type { Decoded, LogFormat } from '#core/formats/log-format.ts'
import type { DecodedLines } from '#core/formats/run-reader.ts'
import { outlineOf } from '#core/index/outline.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import { type PackedValues, ValuePacker, ValueReader } from '#core/packed-values.ts'
import { decodeShort } from '../sources/decode-fast.ts'

/** Whole lines of a log, one after the other. */
export interface LineBatch {
  readonly bytes: Uint8Array
  /** Number and offset of the first one, which is not the log's first. */
  readonly line: number
  readonly offset: number
}

/** What stands for a line whose outline cannot be packed. */
const notPacked = false

const noIssues: readonly IssueDraft[] = []

/** The outlines of the lines of a batch, for the thread that made them. */
export function outlinesHere(format: LogFormat, batch: LineBatch): DecodedLines {
  const lines: DecodedLines['lines'][number][] = []
  eachLine(batch, ({ line, offset, length, bytes, terminated }) => {
    const at = { line, offset, length, terminated }
    const { decoded, issues } = decodeShort(format, { line, offset, length, bytes, terminated }, 'lines')
    const outline = decoded === null ? null : outlineOf(decoded)
    lines.push({ at, decoded: { text: '', decoded: outline, issues } })
  })
  return { bytes: batch.bytes.length, lines }
}

/** The outlines of the lines of a batch, for `readOutlines`. */
export function packOutlines(format: LogFormat, batch: LineBatch): PackedValues {
  const packer = new ValuePacker()
  eachLine(batch, (line) => {
    const { decoded, issues } = decodeShort(format, line, 'lines')
    packer.add(line.offset - batch.offset)
    packer.add(line.length)
    packer.add(issues.length === 0 ? null : issues)
    if (!packer.add(decoded === null ? null : outlineOf(decoded))) packer.add(notPacked)
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
