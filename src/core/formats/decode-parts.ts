import { isJsonObject, type JsonValue } from '../json.ts'
import type { Line } from '../lines/line-splitter.ts'
import { type LinePart, partsOfLine, recognize } from './damaged-line.ts'
import { decodeLine, type DecodedLine, decodeRecord, type TextOf, utf8Text } from './decode-line.ts'
import { issueCodes, type IssueDraft } from './issue.ts'
import type { Decoded, Framing, LogFormat } from './log-format.ts'

const lineFeed = 0x0a
/** Arguments of one call. */
const charsAtOnce = 8192

/** Receives a line, or a part of one. */
export type TakeLine<D extends Decoded> = (line: Line, decoded: DecodedLine<D>) => void

/**
 * Decodes a line. A damaged line that holds whole records is given in parts, each with its own offset and length, as if it
 * were a line: `decodeLine` reads it again. Its one malformed issue is that of the first part that should not be there.
 */
export function decodeParts<D extends Decoded>(
  format: LogFormat<D>,
  line: Line,
  framing: Framing,
  take: TakeLine<D>,
  textOf: TextOf = utf8Text
): void {
  const decoded = decodeLine(format, line, framing, textOf)
  const malformed = decoded.value === undefined ? decoded.decoded : null
  if (malformed === null || line.bytes === null) return take(line, decoded)
  const places = new PartPlaces(line, line.bytes)
  let waiting: LinePart | null = null
  let isTold = false
  const give = (part: LinePart, terminated: boolean): void => {
    const place = places.next(part, terminated)
    const own = decodeLine(format, place, framing, textOf)
    const tells = !isTold && !(part.isRecord && part.start === 0)
    isTold ||= tells
    take(place, withIssues(own, tells ? malformed.issues : noIssues))
  }
  for (const part of partsOf(format, line.bytes, decoded.text, framing)) {
    if (waiting !== null) give(waiting, true)
    waiting = part
  }
  if (waiting === null) take(line, decoded)
  else give(waiting, line.terminated)
}

/** A record of a line. `end`: behind its last byte in the line. */
export interface LineRecord {
  readonly value: JsonValue
  readonly end: number
}

/**
 * The record of a line, or the whole ones of a damaged line. `format` null: not known. `rest`: the text behind them, if the
 * line ends in text that is no record.
 */
export function recordsOf(
  format: LogFormat | null,
  bytes: Uint8Array,
  framing: Framing
): { readonly records: readonly LineRecord[]; readonly rest: string } {
  const text = utf8Text(bytes)
  const whole = decodeRecord(text, framing)
  if (whole.ok) return { records: [{ value: whole.value, end: bytes.length }], rest: '' }
  const records: LineRecord[] = []
  let rest = text
  for (const { start, end, isRecord } of partsOf(format, bytes, text, framing)) {
    rest = isRecord ? '' : utf8Text(bytes.subarray(start, end))
    const parsed = isRecord ? decodeRecord(utf8Text(bytes.subarray(start, end)), framing) : null
    if (parsed?.ok === true) records.push({ value: parsed.value, end })
  }
  return { records, rest }
}

/** The parts of a line that is not JSON. `text`: of `bytes`. */
function partsOf(format: LogFormat | null, bytes: Uint8Array, text: string, framing: Framing): Iterable<LinePart> {
  return partsOfLine(textByByte(bytes, text), {
    framing,
    nested: format === null ? 'all' : (format.nested ?? []),
    recognized({ start, end }) {
      const parsed = decodeRecord(utf8Text(bytes.subarray(start, end)), framing)
      if (!parsed.ok || !isJsonObject(parsed.value)) return 'none'
      if (format === null) return Object.keys(parsed.value).length > 0 ? 'likely' : 'none'
      return recognize(format, parsed.value, { line: 1, offset: start, length: end - start })
    }
  })
}

/** One code unit for each byte. Structure is ASCII, so other characters do not matter. */
function textByByte(bytes: Uint8Array, text: string): string {
  if (text.length === bytes.length) return text
  let chars = ''
  for (let at = 0; at < bytes.length; at += charsAtOnce) {
    chars += String.fromCharCode(...bytes.subarray(at, at + charsAtOnce))
  }
  return chars
}

const noIssues: readonly IssueDraft[] = []

/** A part's issues, with those of its line in place of its own malformed one. */
function withIssues<D extends Decoded>(part: DecodedLine<D>, ofLine: readonly IssueDraft[]): DecodedLine<D> {
  const { decoded } = part
  if (decoded === null) return part
  const issues = decoded.issues.filter(({ code }) => issueCodes[code].severity !== 'malformed')
  return { ...part, decoded: { ...decoded, issues: [...ofLine, ...issues] } }
}

/** The places of a line's parts, in order. A record of a document may have several lines. */
class PartPlaces {
  readonly #line: Line
  readonly #bytes: Uint8Array
  #number: number
  #nextFeed: number

  constructor(line: Line, bytes: Uint8Array) {
    this.#line = line
    this.#bytes = bytes
    this.#number = line.line
    this.#nextFeed = bytes.indexOf(lineFeed)
  }

  next({ start, end }: LinePart, terminated: boolean): Line {
    while (this.#nextFeed >= 0 && this.#nextFeed < start) {
      this.#number++
      this.#nextFeed = this.#bytes.indexOf(lineFeed, this.#nextFeed + 1)
    }
    const bytes = this.#bytes.subarray(start, end)
    return { line: this.#number, offset: this.#line.offset + start, length: end - start, bytes, terminated }
  }
}
