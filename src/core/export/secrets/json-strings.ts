/** A string of a JSON text, by where its inside stands. */
export interface JsonString {
  /** Of its first character after the quote. */
  readonly start: number
  /** Of the quote that ends it; the end of the text where it is cut. */
  readonly end: number
  readonly escaped: boolean
}

/** The strings of a JSON text, names and values, in order. Of what is no JSON: what stands between its quotes. Linear. */
export function* jsonStrings(text: string): Generator<JsonString> {
  /** The next backslash: searched for once, however many strings have none. */
  let backslash = indexOrEnd(text, '\\', 0)
  for (let quote = text.indexOf('"'); quote >= 0;) {
    const start = quote + 1
    let end = indexOrEnd(text, '"', start)
    if (backslash < start) backslash = indexOrEnd(text, '\\', start)
    const escaped = backslash < end
    while (backslash < end) {
      if (backslash + 1 === end) end = indexOrEnd(text, '"', end + 1)
      backslash = indexOrEnd(text, '\\', backslash + 2)
    }
    yield { start, end, escaped }
    quote = text.indexOf('"', end + 1)
  }
}

function indexOrEnd(text: string, searched: string, from: number): number {
  const at = text.indexOf(searched, from)
  return at < 0 ? text.length : at
}

/** An escape of a JSON string. One that JSON does not know stands for the character after the backslash. */
const anyEscape = /\\(?:u([0-9a-fA-F]{4})|([^]))/g
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The text that the inside of a JSON string stands for. */
export function unescaped(inside: string): string {
  try {
    // Far faster, and the same for what is JSON.
    return JSON.parse(`"${inside}"`) as string
  } catch {
    return unescapedAnyway(inside)
  }
}

function unescapedAnyway(inside: string): string {
  return inside.replace(anyEscape, (_, hex: string | undefined, char: string) =>
    hex === undefined ? (escapes[char] ?? char) : String.fromCharCode(parseInt(hex, 16))
  )
}

/** Where places of the text that `unescaped` gives stand in `inside`. `places` ascend. */
export function placesInside(inside: string, places: readonly number[]): number[] {
  const found: number[] = []
  let written = 0
  let read = 0
  anyEscape.lastIndex = 0
  let escape = anyEscape.exec(inside)
  for (const place of places) {
    while (escape !== null && read + (escape.index - written) < place) {
      read += escape.index - written + 1
      written = anyEscape.lastIndex
      escape = anyEscape.exec(inside)
    }
    found.push(written + (place - read))
  }
  return found
}
