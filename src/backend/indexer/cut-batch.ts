import type { Decoded, LogFormat } from '#core/formats/log-format.ts'
import type { DecodedLines } from '#core/formats/run-reader.ts'
import { LineSplitter } from '#core/lines/line-splitter.ts'
import { decodeCut, decodeWhole } from '../sources/decode-fast.ts'
import type { ShortLines } from '../wasm/short-lines.ts'
import { utf8Text } from '../wasm/utf8-text.ts'

/** Whole lines of a log, one after the other. */
export interface LineBatch {
  readonly bytes: Uint8Array
  /** Number and offset of the first one, which is not the log's first. */
  readonly line: number
  readonly offset: number
}

/** The lines of a batch as JSON texts whose long strings are cut (`ShortLines`). */
export interface CutBatch {
  /** UTF-8, one after the other. */
  readonly texts: ArrayBuffer
  /** `numbersOfLine` of each line: where it begins in its batch, its length, where its text ends in `texts`, and how it is (`manner`). */
  readonly lines: ArrayBuffer
}

const numbersOfLine = 4
/** Bits. A line that could not be cut has no text. */
const manner = { read: 1, isCut: 2, isAscii: 4 } as const

/** Cuts a batch, for `linesOf`. */
export function cutBatch(short: ShortLines, { bytes, line, offset }: LineBatch): CutBatch {
  const texts = new Uint8Array(bytes.length)
  const lines: number[] = []
  let end = 0
  const splitter = new LineSplitter(
    ({ bytes, length, ...at }) => {
      const text = bytes === null ? null : short.cut(bytes)
      if (text !== null) {
        texts.set(text, end)
        end += text.length
      }
      const how =
        text === null ? 0 : manner.read + (short.isCut ? manner.isCut : 0) + (short.isAscii ? manner.isAscii : 0)
      lines.push(at.offset - offset, length, end, how)
    },
    { from: { line, offset } }
  )
  // The search of Node's Buffer is many times faster than that of a plain array of bytes.
  splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return { texts: texts.slice(0, end).buffer, lines: Int32Array.from(lines).buffer }
}

/** What the lines of a batch mean, as `decodeShort` has it. The batch's bytes must stay as they are until they have been given. */
export function linesOf<D extends Decoded>(format: LogFormat<D>, batch: LineBatch, cut: CutBatch): DecodedLines<D> {
  const texts = Buffer.from(cut.texts)
  const numbers = new Int32Array(cut.lines)
  const count = numbers.length / numbersOfLine
  return {
    bytes: batch.bytes.length,
    count,
    each(take) {
      let from = 0
      for (let i = 0; i < count; i++) {
        const start = numbers[numbersOfLine * i] ?? 0
        const length = numbers[numbersOfLine * i + 1] ?? 0
        const end = numbers[numbersOfLine * i + 2] ?? 0
        const how = numbers[numbersOfLine * i + 3] ?? 0
        const at = { line: batch.line + i, offset: batch.offset + start, length, terminated: true }
        const isAscii = (how & manner.isAscii) !== 0
        const text = isAscii ? texts.toString('latin1', from, end) : utf8Text(texts.subarray(from, end))
        from = end
        const decoded =
          (how & manner.read) === 0 || text === null ? null : decodeCut(format, text, at, (how & manner.isCut) !== 0)
        take(at, decoded ?? decodeWhole(format, { ...at, bytes: batch.bytes.subarray(start, start + length) }, 'lines'))
      }
    }
  }
}
