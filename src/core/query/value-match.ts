import { isAbsolutePath, pathText, placePath } from '../paths/log-path.ts'
import { namesInFolder, slashedPath } from '../paths/path-names.ts'
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

/** `folder`: of the session; null: not known. */
export type MatchesPath = (path: string, folder: string | null) => boolean

/** As `wholeMatch`, for a path or its end: `src/*.ts` matches `/home/me/app/src/a.ts` and `C:\app\src\a.ts`. */
export function pathMatch(value: QueryValue): MatchesPath {
  const matches = endMatch(value)
  // What is not written as a whole path asks for no name of the session's folder: `src/*` is not all of `/home/me/src/app`.
  const isWhole = value.type === 'regex' ? value.source.startsWith('^') : isAbsolutePath(value.text)
  const matchesIn = (path: string, folder: string): boolean => {
    const inside = namesInFolder(path, folder)?.join('/')
    return (inside !== undefined && matches(inside)) || (isWhole && matchesForms(pathText(placePath(path, folder))))
  }
  const matchesForms = (path: string): boolean => matches(path) || matches(slashedPath(path))
  // As it is written, without `..` and the like, and where the session has it.
  return (path, folder) =>
    matchesForms(path) || matchesForms(pathText(placePath(path, null))) || (folder !== null && matchesIn(path, folder))
}

/** Matches a path, or its end; a text in quotes and an expression also match another part of it. */
function endMatch(value: QueryValue): MatchesText {
  const own = wholeMatch(value)
  if (value.type !== 'word') return own
  const slashed = value.text.includes('\\') ? wholeMatch({ ...value, text: value.text.replaceAll('\\', '/') }) : own
  const matches: MatchesText = slashed === own ? own : (text) => own(text) || slashed(text)
  return (path) => {
    if (matches(path)) return true
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (matches(path.slice(at + 1))) return true
    }
    return false
  }
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
