/** The most frequent characters of JSON, in order. */
const frequent = '" etaoinsrlhdcumpfg,:{}\\wybv'

/**
 * The offset of an ASCII text in bytes, from `from` on; -1 if there is none. Searches for its rarest byte: decoding all
 * bytes to a string takes twice as long and a copy.
 */
export function indexOfAscii(bytes: Uint8Array, text: string, from = 0): number {
  const at = rarest(text)
  const code = text.charCodeAt(at)
  for (let found = bytes.indexOf(code, from + at); found >= 0; found = bytes.indexOf(code, found + 1)) {
    if (isAt(bytes, text, found - at)) return found - at
  }
  return -1
}

function rarest(text: string): number {
  let best = 0
  let rank = -1
  for (let at = 0; at < text.length; at++) {
    const found = frequent.indexOf(text.charAt(at))
    const rarity = found < 0 ? frequent.length : found
    if (rarity > rank) [best, rank] = [at, rarity]
  }
  return best
}

function isAt(bytes: Uint8Array, text: string, from: number): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false
  return true
}
