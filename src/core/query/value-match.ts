import { pathText, placePath } from '../paths/log-path.ts'
import { slashedPath } from '../paths/path-names.ts'
import { linearRegex } from './linear-regex.ts'
import type { QueryValue } from './query.ts'

export type MatchesText = (text: string) => boolean

/** Matches a whole value: a word equals it, in any case, with `*` for any characters; a quoted text is a part of it. */
export function wholeMatch(value: QueryValue): MatchesText {
  if (value.type !== 'word') return insideMatch(value)
  const word = value.text.toLowerCase()
  if (!word.includes('*')) return (text) => text.toLowerCase() === word
  return (text) => matchesWildcards(word.split('*'), text.toLowerCase())
}

/** Matches a text that contains the value. `*` in a word is literal. */
export function insideMatch(value: QueryValue): MatchesText {
  if (value.type === 'regex') return linearRegex(value.source, value.ignoreCase)
  const wanted = value.text.toLowerCase()
  return (text) => text.toLowerCase().includes(wanted)
}

/** As `wholeMatch`, for a path or its end: `src/*.ts` matches `/home/me/app/src/a.ts` and `C:\app\src\a.ts`. */
export function pathMatch(value: QueryValue): MatchesText {
  const own = wholeMatch(value)
  const plain = (path: string): string => slashedPath(pathText(placePath(path, null)))
  if (value.type !== 'word') return (path) => own(path) || own(plain(path))
  const slashed = value.text.includes('\\') ? wholeMatch({ ...value, text: value.text.replaceAll('\\', '/') }) : own
  const matches: MatchesText = slashed === own ? own : (text) => own(text) || slashed(text)
  const matchesEnd = (text: string): boolean => {
    if (matches(text)) return true
    for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
      if (matches(text.slice(at + 1))) return true
    }
    return false
  }
  // As it is written, and without `..` and the like.
  return (path) => matchesEnd(slashedPath(path)) || matchesEnd(plain(path))
}

/** `parts`: the texts between wildcards. The first place of each part is enough, so no backtracking is needed. */
function matchesWildcards(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
