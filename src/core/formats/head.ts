import type { JsonValue } from '../json.ts'
import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { decodeRecord } from './decode-line.ts'
import { parseJson } from './json-text.ts'
import type { Framing, Head } from './log-format.ts'

/** How much of a log is looked at to tell its format. */
export const headBytes = 64 * 1024

/** The head of a log: `bytes` are its first bytes, as many as there are or at least `headBytes`. */
export function headOf(name: string, bytes: Uint8Array): Head {
  const first = bytes.subarray(0, headBytes)
  // A character that the head cuts is left out.
  const text = new TextDecoder().decode(first, { stream: bytes.length > headBytes })
  const framing = framingOf(text)
  const records: JsonValue[] = []
  const add = (line: Line): void => {
    const parsed = line.bytes === null ? null : decodeRecord(new TextDecoder().decode(line.bytes), framing)
    // A last record that the head cuts off is no JSON, so it drops out here as well.
    if (parsed?.ok) records.push(parsed.value)
  }
  const splitter = framing === 'lines' ? new LineSplitter(add) : new DocumentSplitter(add)
  splitter.push(first)
  splitter.end()
  return { name, framing, text, records }
}

/**
 * A document begins with `{` that ends its line, or with a `[` that holds objects (formats.md 2). An array on a line of its own with
 * other lines below it is a line of a log.
 */
function framingOf(text: string): Framing {
  if (/^\s*\{[ \t]*\r?\n/.test(text)) return 'document'
  if (!/^\s*\[\s*[{\]]/.test(text)) return 'lines'
  const [first = '', ...rest] = text.trimStart().split('\n')
  return parseJson(first).ok && rest.some((line) => line.trim() !== '') ? 'lines' : 'document'
}
