/** One of them stands between any two records of a document that share a line. */
const recordEnd = /[,[\]{}]/g
const replacement = '\ufffd'

/** Which bytes of a text a match may begin in. */
export interface MatchRange {
  readonly from: number
  /** One past the last; Infinity: anywhere up to the end, also at it. */
  readonly to: number
}

/**
 * Where in the bytes of a text the matches of an expression (with the flags `g` and `u`) begin, at most one for each record of a document.
 * `from` and `to` must lie between two characters.
 */
export function* matchesOfRecords(
  expression: RegExp,
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

/** How many bytes a text takes that was read from the beginning of `bytes`. */
function bytesOf(text: string, bytes: Uint8Array, readText: (bytes: Uint8Array) => string): number {
  if (!text.includes(replacement)) return utf8Length(text)
  // Damaged bytes were one to three for each replacement: the most that give no more than the text.
  let least = 0
  let most = Math.min(bytes.length, 3 * text.length)
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (readText(bytes.subarray(0, middle)).length <= text.length) least = middle
    else most = middle - 1
  }
  return least
}

/** Of a text of whole characters. */
function utf8Length(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Each half of a pair is two of its four bytes.
    length += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  return length
}

/** The place at or a few bytes before `at` that lies between two characters. */
export function betweenCharacters(bytes: Uint8Array, at: number): number {
  for (let back = 0; back < 4 && back <= at; back++) {
    // More than three bytes that go on with a character belong to none.
    if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back
  }
  return at
}
