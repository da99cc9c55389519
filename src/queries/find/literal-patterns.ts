import { type Alternatives, type Pattern, patternOf } from './pattern.ts'

const utf8 = new TextEncoder()

/** A text whose characters have alternatives of equal UTF-8 length. */
type Form = readonly (readonly string[])[]

/** A text plain, as in a JSON string (`\n`, `\"`) and with non-ASCII escaped (`\u00e9`), except forms with a line feed. */
export function literalPatterns(text: string, caseSensitive: boolean): Pattern[] {
  const characters = [...text]
  const forms: Form[] = [
    characters.map((one) => (caseSensitive ? [one] : caseForms(one))),
    characters.map((one) => (isEscaped(one) ? escapes(one) : caseSensitive ? [one] : caseForms(one))),
    characters.map((one) => {
      if (one < '\u007f' && !isEscaped(one)) return caseSensitive ? [one] : caseForms(one)
      return (caseSensitive ? [one] : caseForms(one)).flatMap(escapes)
    })
  ]
  const different = new Map(forms.filter(isWritable).map((form) => [JSON.stringify(form), form]))
  return [...different.values()].map((form) => patternOf(form.map(bytesOf)))
}

/** The pattern of the plain text. */
export function plainPattern(text: string, caseSensitive: boolean): Pattern {
  return patternOf([...text].map((one) => bytesOf(caseSensitive ? [one] : caseForms(one))))
}

/** UTF-8 has no lone surrogates; JSON escapes them. */
function isWritable(form: Form): boolean {
  return !form.some((choice) => choice.some((one) => one === '\n' || /\p{Surrogate}/u.test(one)))
}

function bytesOf(choice: readonly string[]): Alternatives {
  return [...new Set(choice)].map((one) => utf8.encode(one))
}

/** Whether JSON requires an escape. */
function isEscaped(character: string): boolean {
  return JSON.stringify(character).length !== character.length + 2
}

/** The JSON escapes of a character. */
function escapes(character: string): readonly string[] {
  const short = JSON.stringify(character).slice(1, -1)
  if (short.length === 2 && short.startsWith('\\')) return [short]
  const digits = Array.from({ length: character.length }, (_, i) =>
    character.charCodeAt(i).toString(16).padStart(4, '0')
  )
  const lower = digits.map((four) => `\\u${four}`).join('')
  const upper = digits.map((four) => `\\u${four.toUpperCase()}`).join('')
  return [...new Set([lower, upper])]
}

/** Ranges with cased letters, by UTF-8 length; the last is the plane with the rest. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0, 0x80],
  [0x80, 0x800],
  [0x800, 0x10000],
  [0x10000, 0x20000]
]
const characters = new Map<number, string>()

/** All cases of a character (simple case folding, as in regular expressions with `iu`) with the same UTF-8 length. */
function caseForms(character: string): readonly string[] {
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
