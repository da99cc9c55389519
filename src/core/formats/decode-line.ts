import type { JsonValue } from '../json.ts'
import { isBlank } from '../lines/blank.ts'
import type { Line } from '../lines/line-splitter.ts'
import type { IssueDraft } from './issue.ts'
import { parseJson, type ParsedJson } from './json-text.ts'
import type { Decoded, Framing, LogFormat } from './log-format.ts'
import { valueIssues } from './stated-values.ts'

// A byte order mark inside a file is data, so the decoder must not swallow it.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const strictUtf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** A line's text and its decoded record. `decoded` is null for a blank line. */
export interface DecodedLine<D extends Decoded = Decoded> {
  readonly text: string
  readonly decoded: D | null
  /** The line's record, unless the line is blank or not JSON. */
  readonly value?: JsonValue
  /** Issues of the bytes, and of impossible values, beside those of the format's `decode`. */
  readonly issues: readonly IssueDraft[]
}

/** The text of a line's bytes; invalid UTF-8 becomes U+FFFD. */
export type TextOf = (bytes: Uint8Array) => string

/** The value of a record's text. A document's own members have no braces (`document-splitter.ts`). */
export function decodeRecord(text: string, framing: Framing): ParsedJson {
  const parsed = parseJson(text)
  if (parsed.ok || framing === 'lines' || !text.startsWith('"')) return parsed
  const members = parseJson(`{${text}}`)
  return members.ok ? members : parsed
}

const noIssues: readonly IssueDraft[] = []
const notUtf8: IssueDraft = { code: 'InvalidUtf8', path: null, message: 'the line has bytes that are not UTF-8' }
const emptyLine: DecodedLine<never> = { text: '', decoded: null, issues: noIssues }

/** As `TextOf`. */
export function utf8Text(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}

/** Decodes one line, or one part of a damaged line. Pure. `textOf`: a faster `utf8Text` of the platform. */
export function decodeLine<D extends Decoded>(
  format: LogFormat<D>,
  line: Line,
  framing: Framing = 'lines',
  textOf: TextOf = utf8Text
): DecodedLine<D> {
  if (line.bytes === null) {
    const issue: IssueDraft = {
      code: 'LineTooLong',
      path: null,
      message: `the line has ${line.length} bytes, which is too long to read`
    }
    return { text: '', decoded: format.decodeMalformed('', issue, false), issues: [] }
  }
  if (line.length === 0) return emptyLine
  const text = textOf(line.bytes)
  const issues = text.includes('\uFFFD') && !isUtf8(line.bytes) ? [notUtf8] : noIssues
  if (isBlank(text)) return { text, decoded: null, issues }
  const parsed = decodeRecord(text, framing)
  if (parsed.ok) {
    const decoded = format.decode(parsed.value, line)
    const odd = valueIssues(format.values, parsed.value, decoded.issues)
    return { text, value: parsed.value, decoded, issues: odd.length === 0 ? issues : [...odd, ...issues] }
  }
  const cut = !line.terminated
  // An unterminated last line may also be complete and invalid.
  const where = cut && parsed.column > text.length ? 'the log ends inside this line: ' : ''
  const message = `${where}column ${parsed.column}: ${parsed.what}`
  const issue: IssueDraft = { code: 'JsonParse', path: null, message }
  return { text, decoded: format.decodeMalformed(text, issue, cut), issues }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes)
    return true
  } catch {
    return false
  }
}
