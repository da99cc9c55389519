/** A text that marks a possible secret. */
export interface Sign<T> {
  /** ASCII, two characters or more. */
  readonly text: string
  /** Ignores case. */
  readonly anyCase?: boolean
  /** Must end a word. */
  readonly endsWord?: boolean
  readonly of: T
}

/** A place at which a sign begins. */
export interface SignPlace<T> {
  readonly at: number
  readonly sign: Sign<T>
}

interface Entry<T> {
  readonly sign: Sign<T>
  readonly lower: string
  /** The place of its pair. */
  readonly offset: number
  /** The place of another character, its code, and that of its capital. */
  readonly other: number
  readonly code: number
  readonly upper: number
}

/** From rare to frequent in logs; others are rare. */
const byFrequency = '~?$@&%+KYJQXVGHzMBFWOLUqNj=ZRDEPCSITAwk./yb_-8796f5gh4x3v0m:2p1lucdiasronte '
const ascii = 128

/**
 * Finds all places of many signs in one pass, in linear time. Each sign is searched by its rarest pair of characters. A
 * table maps each pair to its signs, so most characters cost one lookup.
 */
export class SignScanner<T> {
  /** By pair of characters: index in `#signs` plus one, or 0. */
  readonly #table = new Uint16Array(ascii * ascii)
  readonly #signs: Entry<T>[][] = []

  constructor(signs: readonly Sign<T>[]) {
    for (const sign of signs) this.#add(sign)
  }

  #add(sign: Sign<T>): void {
    const lower = sign.text.toLowerCase()
    const text = sign.anyCase === true ? lower : sign.text
    let offset = 0
    for (let at = 1; at < text.length - 1; at++) if (frequency(text, at) < frequency(text, offset)) offset = at
    // Compared first, as it costs less than the whole.
    const other = offset === 0 ? text.length - 1 : 0
    const entry = {
      sign,
      lower,
      offset,
      other,
      code: text.charCodeAt(other),
      upper: sign.anyCase === true ? text.toUpperCase().charCodeAt(other) : text.charCodeAt(other)
    }
    const either = (char: string): Iterable<string> =>
      sign.anyCase === true ? new Set([char.toLowerCase(), char.toUpperCase()]) : [char]
    for (const first of either(text.charAt(offset))) {
      for (const second of either(text.charAt(offset + 1))) {
        const pair = first.charCodeAt(0) * ascii + second.charCodeAt(0)
        if (this.#table[pair] === 0) this.#table[pair] = this.#signs.push([])
        this.#signs[(this.#table[pair] ?? 0) - 1]?.push(entry)
      }
    }
  }

  /** All places, ascending; at the same place the longer sign first. */
  places(text: string): SignPlace<T>[] {
    const places: SignPlace<T>[] = []
    const table = this.#table
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= ascii) {
        before = 0
        continue
      }
      const found = table[before * ascii + code] ?? 0
      before = code
      if (found > 0) this.#check(text, at - 1, found - 1, places)
    }
    return places.sort((a, b) => a.at - b.at || b.sign.text.length - a.sign.text.length)
  }

  #check(text: string, pairAt: number, pair: number, places: SignPlace<T>[]): void {
    for (const { sign, lower, offset, other, code, upper } of this.#signs[pair] ?? []) {
      const at = pairAt - offset
      if (at < 0) continue
      const found = text.charCodeAt(at + other)
      if (found !== code && found !== upper) continue
      const end = at + lower.length
      const isThere =
        sign.anyCase === true ? text.slice(at, end).toLowerCase() === lower : text.startsWith(sign.text, at)
      if (isThere && !(sign.endsWord === true && /\w/.test(text.charAt(end)))) places.push({ at, sign })
    }
  }
}

/** Approximate frequency of the pair at a place. */
function frequency(text: string, at: number): number {
  return (byFrequency.indexOf(text.charAt(at)) + 2) * (byFrequency.indexOf(text.charAt(at + 1)) + 2)
}
