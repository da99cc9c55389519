import { decodeLine, type DecodedLine, type DecodeLine, decodeText } from '#core/formats/decode-line.ts'
import type { IssueDraft } from '#core/formats/issue.ts'
import { parseJson } from '#core/formats/json-text.ts'
import type { Decoded, LogFormat } from '#core/formats/log-format.ts'
import { keepsTexts } from '#core/index/kept-texts.ts'
import type { Line } from '#core/lines/line-splitter.ts'
import { ShortLines } from '../wasm/short-lines.ts'
import { utf8Text } from '../wasm/utf8-text.ts'

/** As `decodeLine`, in less time. */
export const decodeWhole: DecodeLine = (format, line, framing) => decodeLine(format, line, framing, utf8Text)

const noIssues: readonly IssueDraft[] = []

/**
 * For whoever keeps no texts, as an index does: long texts of drafts may be cut (`LongTexts`), and a line may come without its own. In two thirds
 * of the time.
 */
export const decodeShort: DecodeLine = (format, line, framing) => {
  if (line.length === 0) return decodeWhole(format, line, framing)
  const short = framing === 'lines' ? shortLinesOf(format) : null
  const text = short === null || line.bytes === null ? null : short.textOf(line.bytes)
  const decoded = short === null || text === null ? null : decodeCut(format, text, line, short.isCut)
  return decoded ?? decodeWhole(format, line, framing)
}

/** What a line means, given the text that `ShortLines` made of it; null where the whole line has to be read. */
export function decodeCut<D extends Decoded>(
  format: LogFormat<D>,
  text: string,
  line: Omit<Line, 'bytes'>,
  isCut: boolean
): DecodedLine<D> | null {
  if (!isCut) return decodeText(format, text, line)
  const parsed = parseJson(text)
  if (!parsed.ok) return null
  const decoded = format.decode(parsed.value, line)
  if (keepsTexts(decoded) || format.longTexts?.readsMore(decoded) === true) return null
  return { text: '', decoded, issues: noIssues }
}

/** Of this thread, by format. */
const shortLines = new WeakMap<object, ShortLines>()

function shortLinesOf<D extends Decoded>(format: LogFormat<D>): ShortLines | null {
  if (format.longTexts === undefined) return null
  let short = shortLines.get(format)
  if (short === undefined) shortLines.set(format, (short = new ShortLines(format.longTexts)))
  return short
}
