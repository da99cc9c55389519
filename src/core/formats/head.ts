import { isJsonObject, type JsonValue } from '../json.ts'
import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { recordsOf } from './decode-parts.ts'
import { findJsonFault, parseJson } from './json-text.ts'
import type { Framing, Head } from './log-format.ts'

/** Bytes of a log that are read to detect its format. */
export const headBytes = 64 * 1024

/** The head of a log: `bytes` are its first bytes, as many as there are or at least `headBytes`. */
export function headOf(name: string, bytes: Uint8Array): Head {
  const first = bytes.subarray(0, headBytes)
  const text = textOf(bytes)
  const { framing, read } = framedRecords(text, first)
  return { name, framing, text, ...(read ?? recordsIn(first, framing)).head }
}

/** The framing of `headOf`, without the cost of its records. */
export function framingOfHead(bytes: Uint8Array): Framing {
  const first = bytes.subarray(0, headBytes)
  return isPlainlyLines(first) ? 'lines' : framedRecords(textOf(bytes), first).framing
}

/** Whether each line begins like a record of its own, so that the head cannot be a document. */
function isPlainlyLines(first: Uint8Array): boolean {
  const [quote, lineFeed, carriageReturn, openBracket, openBrace, closeBrace] = [0x22, 0x0a, 0x0d, 0x5b, 0x7b, 0x7d]
  if (first[0] !== openBrace || first[1] !== quote || first.includes(carriageReturn)) return false
  // A line that continues below.
  const firstEnd = first.indexOf(lineFeed)
  if (firstEnd > 0 && first[firstEnd - 1] !== closeBrace) return false
  for (let end = first.indexOf(lineFeed); end >= 0; end = first.indexOf(lineFeed, end + 1)) {
    const next = first[end + 1]
    if (next === openBracket || (next === openBrace && first[end + 2] !== quote)) return false
  }
  // Two more characters end lines for an expression: U+2028 and U+2029.
  for (let at = first.indexOf(0xe2); at >= 0; at = first.indexOf(0xe2, at + 1)) {
    if (first[at + 1] === 0x80 && (first[at + 2] === 0xa8 || first[at + 2] === 0xa9)) return false
  }
  return true
}

/** Drops a character cut by the head. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, headBytes), { stream: bytes.length > headBytes })
}

/** The framing of a head, and its records if they decided it. */
function framedRecords(
  text: string,
  first: Uint8Array
): { framing: Framing; read: ReturnType<typeof recordsIn> | null } {
  const framing = framingOf(text)
  if (framing === 'document' || !laterDocument.test(text)) return { framing, read: null }
  const read = recordsIn(first, 'lines')
  const inDocument = recordsIn(first, 'document')
  // One line may be longer than all of a short document below it, whose last element may be a line too: no comma ends it.
  const isAlone = read.objects <= 2 && inDocument.objects >= read.objects + 3
  const most = isAlone ? read.bytes : Math.max(2 * read.bytes, first.length / 2)
  return inDocument.bytes > most ? { framing: 'document', read: inDocument } : { framing, read }
}

/** The records of a head, the number of lines that end in one that is an object, and the bytes of those lines. */
function recordsIn(
  first: Uint8Array,
  framing: Framing
): { head: Pick<Head, 'records' | 'cut'>; objects: number; bytes: number } {
  const records: JsonValue[] = []
  let cut = ''
  let bytes = 0
  let objects = 0
  const add = (line: Line): void => {
    if (line.bytes === null || line.length === 0) return
    const found = recordsOf(null, line.bytes, framing)
    cut = found.rest
    let isObject = false
    for (const { value } of found.records) {
      records.push(value)
      isObject ||= isJsonObject(value)
    }
    // What follows is a comma, if the line is part of a document: `{…} {…},`.
    if (!isObject || found.rest !== '') return
    objects++
    bytes += line.length
  }
  const splitter = framing === 'lines' ? new LineSplitter(add) : new DocumentSplitter(add)
  splitter.push(first)
  splitter.end()
  return { head: { records, cut }, objects, bytes: bytes + (isJsonSoFar(cut) ? cut.length : 0) }
}

/** Whether a text is JSON apart from its missing end. A document's members have no braces. */
export function isJsonSoFar(cut: string): boolean {
  const text = cut.startsWith('"') ? `{${cut}` : cut
  return /^\s*[[{]/.test(text) && findJsonFault(text)?.column === text.length + 1
}

/** The start of a document below foreign lines. It counts if most of the head is its objects. */
const laterDocument = /^(?:\{[ \t]*\r?$|\[[ \t]*(?:\r?$|\{))/m

/** docs/formats/README.md#a-log-is-lines-or-one-document */
function framingOf(text: string): Framing {
  if (/^\s*\{[ \t]*\r?\n/.test(text)) return 'document'
  const [first = '', ...rest] = text.trimStart().split('\n')
  if (first.startsWith('{') && continuesBelow(first, rest)) return 'document'
  if (!/^\s*\[\s*[{\]]/.test(text)) return 'lines'
  return parseJson(first).ok && rest.some((line) => line.trim() !== '') ? 'lines' : 'document'
}

/** Whether an object begins on the first line and continues below. */
function continuesBelow(first: string, rest: readonly string[]): boolean {
  if (first.trimEnd().endsWith('}') || !rest.some((line) => line.trim() !== '') || !isJsonSoFar(first)) return false
  const text = [first, ...rest].join('\n')
  return parseJson(text).ok || isJsonSoFar(text)
}
