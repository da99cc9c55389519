import type { Expression } from '#core/query/linear-regex.ts'

/** One of them is between any two records of a document that share a line. */
const recordEnd = /[,[\]{}]/g
const replacement = '\ufffd'

/** The bytes in which a match may begin. */
export interface MatchRange {
  readonly from: number
  /** Exclusive; Infinity: up to and including the end. */
  readonly to: number
}

/** Byte offsets of matches (flags `g`, `u`), at most one a record. `from` and `to` must not split a character. */
export function* matchesOfRecords(
  expression: Expression,
  bytes: Uint8Array,
  readText: (bytes: Uint8Array) => string,
  { from, to }: MatchRange
): Generator<number> {
  const text = readText(bytes)
  let at = from
  let index = from === 0 ? 0 : readText(bytes.subarray(0, from)).length
  const end = to >= bytes.length ? Infinity : text.length - readText(bytes.subarray(to)).length
  expression.lastIndex = index
  for (;;) {
    const match = expression.exec(text)
    if (match === null || match.index >= end) return
    at += bytesOf(text.slice(index, match.index), bytes.subarray(at), readText)
    index = match.index
    yield at
    recordEnd.lastIndex = index
    if (!recordEnd.test(text)) return
    expression.lastIndex = Math.max(expression.lastIndex, recordEnd.lastIndex)
  }
}

/** The number of bytes that were decoded to a text, from the start of `bytes`. */
function bytesOf(text: string, bytes: Uint8Array, readText: (bytes: Uint8Array) => string): number {
  if (!text.includes(replacement)) return utf8Length(text)
  // Each replacement character is one to three invalid bytes: the maximum that decodes to no more than the text.
  let least = 0
  let most = Math.min(bytes.length, 3 * text.length)
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (readText(bytes.subarray(0, middle)).length <= text.length) least = middle
    else most = middle - 1
  }
  return least
}

/** `text`: without lone surrogates. */
function utf8Length(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Each surrogate of a pair is two of its four bytes.
    length += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  return length
}

/** The nearest character border at or before `at`. */
export function betweenCharacters(bytes: Uint8Array, at: number): number {
  for (let back = 0; back < 4 && back <= at; back++) {
    // More than three continuation bytes are invalid.
    if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back
  }
  return at
}
