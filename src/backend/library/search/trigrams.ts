import { literalPatterns, plainPattern } from '#queries/find/literal-patterns.ts'
import type { Pattern } from '#queries/find/pattern.ts'
import { requiredText } from '#queries/find/required-text.ts'
import type { Query } from '#queries/find/search.ts'

/** Three bytes, ASCII letters in lower case, are hashed to one of these numbers. */
export const trigramNumbers = 1 << 16
/** Only this many bytes of a pattern are used: a block includes the trigrams of as many bytes behind it. */
export const patternReach = 4000
/** More trigrams of a pattern rule out hardly more blocks. */
const maxPlaces = 12
/** Letters with more variants than this are skipped. */
const maxForms = 16
const mix = 0x9e3779b1

/** Lower-case letters, by byte. */
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte))

function numberOf(three: number): number {
  return Math.imul(three, mix) >>> 16
}

/** Marks the trigrams of bytes. `last`: the two bytes before them, or -1; returns the same for the next call. */
export function markTrigrams(bytes: Uint8Array, marks: Uint8Array, last: number): number {
  let three = last
  let at = 0
  if (three < 0) {
    if (bytes.length < 2) return -1
    three = ((lowerCase[bytes[0] ?? 0] ?? 0) << 8) | (lowerCase[bytes[1] ?? 0] ?? 0)
    at = 2
  }
  for (; at < bytes.length; at++) {
    three = ((three << 8) | (lowerCase[bytes[at] ?? 0] ?? 0)) & 0xffffff
    marks[Math.imul(three, mix) >>> 16] = 1
  }
  return three & 0xffff
}

/** The trigrams of a match: of one pattern, at each place one of the numbers. Null: every block may match. */
export function neededTrigrams(query: Query): readonly (readonly (readonly number[])[])[] | null {
  const required = query.regex ? requiredText(query.text, query.caseSensitive) : null
  if (query.regex && required === null) return null
  const patterns =
    required === null ? literalPatterns(query.text, query.caseSensitive) : [plainPattern(required, query.caseSensitive)]
  const needed = patterns.map(placesOf)
  return needed.some((places) => places.length === 0) ? null : needed
}

function placesOf(pattern: Pattern): number[][] {
  const values = Array.from(pattern.bytes.subarray(0, patternReach), (byte, at) =>
    valuesOf(byte, pattern.masks[at] ?? 0)
  )
  const places: number[][] = []
  for (let at = 0; at + 2 < values.length; at++) {
    const [a = [], b = [], c = []] = values.slice(at, at + 3)
    if (a.length * b.length * c.length > maxForms) continue
    const numbers = a.flatMap((one) => b.flatMap((two) => c.map((three) => numberOf((one << 16) | (two << 8) | three))))
    places.push([...new Set(numbers)])
  }
  const step = Math.max(1, places.length / maxPlaces)
  return Array.from({ length: Math.min(places.length, maxPlaces) }, (_, i) => places[Math.floor(i * step)] ?? [])
}

/** The values that a byte of a pattern matches, in lower case. */
function valuesOf(byte: number, mask: number): number[] {
  const all = new Set<number>()
  for (let value = 0; value < 256; value++) if ((value & mask) === byte) all.add(lowerCase[value] ?? 0)
  return [...all]
}
