import { caseForms } from './case-forms.ts'
import { type Alternatives, type Pattern, patternOf } from './pattern.ts'

const utf8 = new TextEncoder()

/** Characters each of which may stand as one of several texts of the same length in UTF-8. */
type Form = readonly (readonly string[])[]

/**
 * What to look for to find a text: as it is, as JSON writes it inside a string (`\n`, `\"`), and with all that is not ASCII escaped as
 * well (`\u00e9`, the digits in lower or upper case). Without `caseSensitive` with all the `caseForms` of its letters. A line never holds
 * a line feed, so a form that does is left out.
 */
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

/** Of a text as it is. */
export function plainPattern(text: string, caseSensitive: boolean): Pattern {
  return patternOf([...text].map((one) => bytesOf(caseSensitive ? [one] : caseForms(one))))
}

/** UTF-8 has no bytes for half a pair, which JSON escapes. */
function isWritable(form: Form): boolean {
  return !form.some((choice) => choice.some((one) => one === '\n' || /\p{Surrogate}/u.test(one)))
}

function bytesOf(choice: readonly string[]): Alternatives {
  return [...new Set(choice)].map((one) => utf8.encode(one))
}

/** JSON allows no writer to leave the character as it is. */
function isEscaped(character: string): boolean {
  return JSON.stringify(character).length !== character.length + 2
}

/** How JSON writes a character when it does not write it as it is. */
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
