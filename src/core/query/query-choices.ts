import { isAbsolutePath } from '../paths/log-path.ts'
import { slashedPath } from '../paths/path-names.ts'
import { isBareWord, isWord, printQuery } from './print-query.ts'
import type { Query, QueryValue } from './query.ts'

/** Names that a query asks for, or leaves out, with one key, as far as check boxes can show it: at its top level. */
export interface QueryChoices {
  readonly asked: ReadonlySet<string>
  readonly without: ReadonlySet<string>
}

/** The terms that are combined by `and`. */
export function partsOf(query: Query | null): readonly Query[] {
  if (query === null) return []
  return query.op === 'and' ? query.of : [query]
}

/** Whether a text or a term passes, anywhere in a query. */
export function hasLeaf(query: Query, passes: (leaf: Exclude<Query, { of: unknown }>) => boolean): boolean {
  switch (query.op) {
    case 'and':
    case 'or':
      return query.of.some((part) => hasLeaf(part, passes))
    case 'not':
      return hasLeaf(query.of, passes)
    default:
      return passes(query)
  }
}

/** Whether bookmarks must be known to answer it. */
export function asksForBookmarks(query: Query): boolean {
  return hasLeaf(
    query,
    (leaf) =>
      leaf.op === 'term' &&
      leaf.key === 'has' &&
      leaf.test.type === 'any' &&
      leaf.test.values.some((value) => value.type === 'word' && value.text === 'bookmark')
  )
}

/** All of these; null for none. */
export function allOf(parts: readonly Query[]): Query | null {
  const [first, ...others] = parts
  return first === undefined ? null : others.length === 0 ? first : { op: 'and', of: parts }
}

/** A term that asks for one of `names`. */
export function termOf(key: string, names: Iterable<string>): Query {
  return { op: 'term', key, test: { type: 'any', values: [...names].map(valueOf) } }
}

/** The query with a further required or excluded term. The opposite term is removed. */
export function withTerm(query: Query | null, term: Query, how: keyof QueryChoices): Query | null {
  const negated: Query = { op: 'not', of: term }
  const [wanted, opposite] = how === 'asked' ? [term, negated] : [negated, term]
  const isNot = (other: Query) => (part: Query) => JSON.stringify(part) !== JSON.stringify(other)
  return allOf([...partsOf(query).filter(isNot(opposite)).filter(isNot(wanted)), wanted])
}

/** The text of a term that asks for one name. */
export function termText(key: string, name: string): string {
  return printQuery(termOf(key, [name]))
}

/** The text of a term for a file, by its path or the end of it. */
export function fileTerm(path: string): string {
  // A relative one may be of any system, so its backslashes stay.
  const written = isAbsolutePath(path) ? slashedPath(path) : path
  // A quoted text is matched literally in the path.
  const value: QueryValue = isWord(written) ? { type: 'word', text: written } : { type: 'quoted', text: path }
  return printQuery({ op: 'term', key: 'file', test: { type: 'any', values: [value] } })
}

/** A term for the sessions of a folder and of those in it. */
export function projectTerm(folder: string): Query {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(folder)
  // `/w/` would be a regular expression.
  const whole = folder.replace(isWindows ? /(?<=[^:\\/])[\\/]+$/ : /(?<=[^/])\/+$/, '')
  if (isWord(whole) && !whole.includes('*')) return termOf('project', [whole])
  const own = escaped(whole)
  const source = `^${isWindows ? own.replace(/\\\\|\//g, '[\\\\/]') : own}(?:[\\\\/]|$)`
  const value: QueryValue = { type: 'regex', source, ignoreCase: isWindows }
  return { op: 'term', key: 'project', test: { type: 'any', values: [value] } }
}

/** A text to search for, as Find takes it. */
export interface FoundText {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/** A query for the rows that a search for a text finds. */
export function textQuery({ text, regex, caseSensitive }: FoundText): Query {
  if (!regex && !caseSensitive) return { op: 'text', value: { type: isBareWord(text) ? 'word' : 'quoted', text } }
  const source = regex ? text : escaped(text)
  return { op: 'text', value: { type: 'regex', source, ignoreCase: !caseSensitive } }
}

/** What to search for to find a text of a query. */
export function foundTextOf(value: QueryValue): FoundText {
  return value.type === 'regex'
    ? { text: value.source, regex: true, caseSensitive: !value.ignoreCase }
    : { text: value.text, regex: false, caseSensitive: false }
}

/** A slash stays as it is: the printer escapes it. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The value that is this name, whatever its characters. */
function valueOf(name: string): QueryValue {
  if (isWord(name) && !name.includes('*')) return { type: 'word', text: name }
  return { type: 'regex', source: `^${escaped(name)}$`, ignoreCase: false }
}

/** The name that `valueOf` made a value of; null for another value. */
function nameOf(value: QueryValue): string | null {
  if (value.type !== 'regex') return value.type === 'word' ? value.text : null
  const name = value.source.slice(1, -1).replace(/\\(?=[^\w\s])/g, '')
  return JSON.stringify(valueOf(name)) === JSON.stringify(value) ? name : null
}

export function choicesOf(query: Query | null, key: string): QueryChoices {
  const parts = partsOf(query)
  const negated = parts.flatMap((part) => (part.op === 'not' ? [part.of] : []))
  return { asked: new Set(namesIn(parts, key)), without: new Set(namesIn(negated, key)) }
}

function namesIn(parts: readonly Query[], key: string): readonly string[] {
  return parts.flatMap((part) =>
    part.op === 'term' && part.key === key && part.test.type === 'any'
      ? part.test.values.flatMap((value) => nameOf(value) ?? [])
      : []
  )
}

/** The query with a name asked for, or no longer asked for; a name that is asked for is not left out, and the other way round. */
export function toggleChoice(
  query: Query | null,
  key: string,
  name: string,
  how: keyof QueryChoices = 'asked'
): Query | null {
  const isChosen = choicesOf(query, key)[how].has(name)
  const parts = partsOf(query).flatMap((part) => {
    const of = part.op === 'not' ? part.of : part
    const kept = without(of, key, name)
    if (kept === of) return [part]
    if (kept === null) return []
    return [part.op === 'not' ? ({ op: 'not', of: kept } as const) : kept]
  })
  if (isChosen) return allOf(parts)
  const isNot = how === 'without'
  const isOfKey = (part: Query): boolean => part.op === 'term' && part.key === key && part.test.type === 'any'
  const at = parts.findIndex((part) => (part.op === 'not' ? isNot && isOfKey(part.of) : !isNot && isOfKey(part)))
  const former = parts[at]
  const before = former?.op === 'not' ? former.of : former
  const values = before?.op === 'term' && before.test.type === 'any' ? before.test.values : []
  const term: Query = { op: 'term', key, test: { type: 'any', values: [...values, valueOf(name)] } }
  const part: Query = isNot ? { op: 'not', of: term } : term
  return allOf(at < 0 ? [...parts, part] : parts.with(at, part))
}

/** The term without a name: unchanged if the name is not in it, null if nothing is left. */
function without(part: Query, key: string, name: string): Query | null {
  if (part.op !== 'term' || part.key !== key || part.test.type !== 'any') return part
  const values = part.test.values.filter((value) => nameOf(value) !== name)
  if (values.length === part.test.values.length) return part
  return values.length === 0 ? null : { ...part, test: { type: 'any', values } }
}
