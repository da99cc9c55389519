import { isJsonObject, type JsonValue } from '../json.ts'
import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { decodeRecord } from './decode-line.ts'
import { findJsonFault, parseJson } from './json-text.ts'
import type { Framing, Head } from './log-format.ts'

/** How much of a log is looked at to tell its format. */
export const headBytes = 64 * 1024

/** The head of a log: `bytes` are its first bytes, as many as there are or at least `headBytes`. */
export function headOf(name: string, bytes: Uint8Array): Head {
  const first = bytes.subarray(0, headBytes)
  // A character that the head cuts is left out.
  const text = new TextDecoder().decode(first, { stream: bytes.length > headBytes })
  const framing = framingOf(text)
  const read = recordsOf(first, framing)
  if (framing === 'lines' && laterDocument.test(text)) {
    const inDocument = recordsOf(first, 'document')
    const most = Math.max(2 * read.bytes, first.length / 2)
    if (inDocument.bytes > most) return { name, framing: 'document', text, ...inDocument.head }
  }
  return { name, framing, text, ...read.head }
}

/** The records of a head, and how many bytes of it those take that are objects, or what is whole of one. */
function recordsOf(first: Uint8Array, framing: Framing): { head: Pick<Head, 'records' | 'cut'>; bytes: number } {
  const records: JsonValue[] = []
  let cut = ''
  let bytes = 0
  const add = (line: Line): void => {
    if (line.bytes === null || line.length === 0) return
    const record = new TextDecoder().decode(line.bytes)
    const parsed = decodeRecord(record, framing)
    cut = parsed.ok ? '' : record
    if (!parsed.ok) return
    records.push(parsed.value)
    if (isJsonObject(parsed.value)) bytes += line.length
  }
  const splitter = framing === 'lines' ? new LineSplitter(add) : new DocumentSplitter(add)
  splitter.push(first)
  splitter.end()
  return { head: { records, cut }, bytes: bytes + (isJsonSoFar(cut) ? cut.length : 0) }
}

/** Whether the text of a record is JSON but for its end. Members of a document stand without their braces. */
export function isJsonSoFar(cut: string): boolean {
  const text = cut.startsWith('"') ? `{${cut}` : cut
  return /^\s*[[{]/.test(text) && findJsonFault(text)?.column === text.length + 1
}

/** Where a document may begin below lines of something else. Then most of the head is its objects, and hardly any line is one. */
const laterDocument = /^(?:\{[ \t]*\r?$|\[[ \t]*(?:\r?$|\{))/m

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
