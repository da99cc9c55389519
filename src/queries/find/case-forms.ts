/** Ranges with cased letters, by UTF-8 length; the last is the plane with the rest. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0, 0x80],
  [0x80, 0x800],
  [0x800, 0x10000],
  [0x10000, 0x20000]
]
const characters = new Map<number, string>()

/**
 * The characters that differ only in case (Unicode's simple case folding, as in regular expressions with `iu`) and have
 * the same UTF-8 length, including itself.
 */
export function caseForms(character: string): readonly string[] {
  const lower = character.toLowerCase()
  const upper = character.toUpperCase()
  if (lower === upper) return [character]
  if (character < '\u0080') return [lower, upper]
  const code = character.codePointAt(0) ?? 0
  const same = new RegExp(`\\u{${code.toString(16)}}`, 'giu')
  return charactersAsLongAs(code).match(same) ?? [character]
}

function charactersAsLongAs(code: number): string {
  const [from, to] = ranges.find(([, end]) => code < end) ?? [0, 0]
  const known = characters.get(from)
  if (known !== undefined) return known
  const codes = Array.from({ length: to - from }, (_, i) => from + i).filter((one) => one < 0xd800 || one > 0xdfff)
  const all = codes.map((one) => String.fromCodePoint(one)).join('')
  characters.set(from, all)
  return all
}
