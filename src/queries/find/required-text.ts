/** The parts of a regular expression with the flag `u`: an escape, a class, a count, a group's beginning, or a character. */
const parts =
  /\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|\d+|.)|\[(?:\\.|[^\]\\])*\]|\{[^}]*\}|./gsu
const syntax = '^$\\.*+?()[]{}|'
/** Shorter texts are in most lines. */
const minLength = 3

/** A text in all matches of an expression (flag `u`, and `i` unless `caseSensitive`); null: not obvious. */
export function requiredText(expression: string, caseSensitive: boolean): string | null {
  let longest = ''
  let run: string[] = []
  let depth = 0
  const endRun = (): void => {
    const text = run.join('')
    if (text.length > longest.length) longest = text
    run = []
  }
  for (const part of expression.match(parts) ?? []) {
    if (part === '|' && depth === 0) return null
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (depth > 0) continue
    else if (part === '*' || part === '?' || part.startsWith('{')) run.pop()
    const said = depth === 0 ? characterOf(part) : null
    if (said !== null && isSureToBeWritten(said, caseSensitive)) run.push(said)
    else endRun()
  }
  endRun()
  return longest.length < minLength ? null : longest
}

/** The character of a part; null if it is not one. */
function characterOf(part: string): string | null {
  if (part.startsWith('\\')) return part.length === 2 && `${syntax}/`.includes(part.slice(1)) ? part.slice(1) : null
  return part.startsWith('[') || part.startsWith('{') || syntax.includes(part) ? null : part
}

/** Invalid bytes decode to U+FFFD, none to a lone surrogate. Some letters (k, s) have cases that are longer in UTF-8. */
function isSureToBeWritten(character: string, caseSensitive: boolean): boolean {
  if (character === '\ufffd' || /\p{Surrogate}/u.test(character)) return false
  return caseSensitive || (character < '\u0080' && !/[ks]/i.test(character))
}
