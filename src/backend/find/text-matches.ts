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
export function* matchesOfRecords(expression: RegExp, bytes: Buffer, { from, to }: MatchRange): Generator<number> {
  const text = bytes.toString()
  let at = from
  let index = from === 0 ? 0 : bytes.toString('utf8', 0, from).length
  const end = to >= bytes.length ? Infinity : text.length - bytes.toString('utf8', to).length
  expression.lastIndex = index
  for (;;) {
    const match = expression.exec(text)
    if (match === null || match.index >= end) return
    at += bytesOf(text.slice(index, match.index), bytes.subarray(at))
    index = match.index
    yield at
    recordEnd.lastIndex = index
    if (!recordEnd.test(text)) return
    expression.lastIndex = Math.max(expression.lastIndex, recordEnd.lastIndex)
  }
}

/** How many bytes a text takes that was read from the beginning of `bytes`. */
function bytesOf(text: string, bytes: Buffer): number {
  if (!text.includes(replacement)) return Buffer.byteLength(text)
  // Damaged bytes were one to three for each replacement: the most that give no more than the text.
  let least = 0
  let most = Math.min(bytes.length, 3 * text.length)
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (bytes.toString('utf8', 0, middle).length <= text.length) least = middle
    else most = middle - 1
  }
  return least
}

/** The place at or a few bytes before `at` that lies between two characters. */
export function betweenCharacters(bytes: Uint8Array, at: number): number {
  for (let back = 0; back < 4 && back <= at; back++) {
    // More than three bytes that go on with a character belong to none.
    if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back
  }
  return at
}
