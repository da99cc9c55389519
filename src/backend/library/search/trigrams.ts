import { literalPatterns, plainPattern } from '#queries/find/literal-patterns.ts'
import type { Pattern } from '#queries/find/pattern.ts'
import { requiredText } from '#queries/find/required-text.ts'
import type { Query } from '#queries/find/search.ts'

/** Three bytes after each other, letters of ASCII in lower case, are one of so many numbers. */
export const trigramNumbers = 1 << 16
/** Of a pattern so many bytes are looked at: a block knows the trigrams of so many bytes behind it. */
export const patternReach = 4000
/** To look for more of a pattern's trigrams rules out hardly more. */
const mostPlaces = 12
/** Letters of some scripts have many cases; what may be more than this is not asked for. */
const mostForms = 16
const mix = 0x9e3779b1

/** By byte. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte))

function numberOf(three: number): number {
  return Math.imul(three, mix) >>> 16
}

/** Marks the trigrams of some bytes; `last`: of the two bytes before them, -1 where there are none. Gives those for the next bytes. */
export function markTrigrams(bytes: Uint8Array, marks: Uint8Array, last: number): number {
  let three = last
  let at = 0
  if (three < 0) {
    if (bytes.length < 2) return -1
    three = ((folded[bytes[0] ?? 0] ?? 0) << 8) | (folded[bytes[1] ?? 0] ?? 0)
    at = 2
  }
  for (; at < bytes.length; at++) {
    three = ((three << 8) | (folded[bytes[at] ?? 0] ?? 0)) & 0xffffff
    marks[Math.imul(three, mix) >>> 16] = 1
  }
  return three & 0xffff
}

/**
 * What has to be marked where a query is found: for one of the patterns at each of some places one of some numbers. null: anything may be, as nothing of
 * three bytes is sure to stand there.
 */
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
    if (a.length * b.length * c.length > mostForms) continue
    const numbers = a.flatMap((one) => b.flatMap((two) => c.map((three) => numberOf((one << 16) | (two << 8) | three))))
    places.push([...new Set(numbers)])
  }
  const step = Math.max(1, places.length / mostPlaces)
  return Array.from({ length: Math.min(places.length, mostPlaces) }, (_, i) => places[Math.floor(i * step)] ?? [])
}

/** What a byte of a pattern may be, letters in lower case. */
function valuesOf(byte: number, mask: number): number[] {
  const all = new Set<number>()
  for (let value = 0; value < 256; value++) if ((value & mask) === byte) all.add(folded[value] ?? 0)
  return [...all]
}
