import { lastName } from '#core/paths/path-names.ts'
import { sessionSearchOf, textPart } from '#core/library/session-search.ts'
import type { SessionQuery, sessionSorts } from '#core/library/session-query.ts'
import { printQuery } from '#core/query/print-query.ts'
import { allOf, partsOf, projectTerm, termOf } from '#core/query/query-choices.ts'
import type { Query } from '#core/query/query.ts'
import type { SearchRequest } from './library-find.ts'

export const libraryViews = ['all', 'live', 'failed', 'todos', 'forked'] as const
export type LibraryView = (typeof libraryViews)[number]
export type SessionSort = (typeof sessionSorts)[number]

/** The person's choice of sessions and their order. */
export interface LibraryChoice {
  /** The text of the query. */
  readonly text: string
  readonly sort: SessionSort
  readonly descending: boolean
  readonly group: 'day' | 'project'
}

export const firstChoice: LibraryChoice = { text: '', sort: 'last', descending: true, group: 'day' }

interface Chosen {
  readonly choice: LibraryChoice
  /** The last text that was one; null: all sessions. */
  readonly query: Query | null
}

/** The query of the list. Texts do not count, because they are searched for separately. */
export function queryNow({ choice: { sort, descending, group }, query }: Chosen): SessionQuery {
  const where = printQuery(sessionSearchOf(query).cards)
  return { where, sort, descending, group: sort === 'last' ? group : 'none' }
}

/** What a query searches lines for; null: nothing. */
export function searchOf(query: Query | null): SearchRequest | null {
  const { cards, texts, without } = sessionSearchOf(query)
  return texts.length === 0 ? null : { where: cards, texts, without }
}

/** The query without its restrictions: what is left is searched for in all sessions. */
export function withoutRestrictions(query: Query | null): Query | null {
  return textPart(sessionSearchOf(query))
}

const viewTerms: readonly (readonly [LibraryView, Query])[] = [
  ['live', termOf('state', ['live'])],
  ['failed', termOf('state', ['error'])],
  ['todos', termOf('has', ['todos'])],
  ['forked', termOf('has', ['forks'])]
]

/** The view that a query asks for; `all` without restrictions, null for others. */
export function viewOf(query: Query | null): LibraryView | null {
  const parts = partsOf(sessionSearchOf(query).cards)
  return parts.length === 0
    ? 'all'
    : (viewTerms.find(([, term]) => parts.some((part) => isSame(part, term)))?.[0] ?? null)
}

/** The query with another view. */
export function withView(query: Query | null, view: LibraryView): Query | null {
  if (view === 'all') return withoutRestrictions(query)
  const others = partsOf(query).filter((part) => !viewTerms.some(([, term]) => isSame(part, term)))
  return before(
    others,
    viewTerms.flatMap(([name, term]) => (name === view ? [term] : []))
  )
}

/** The query with one term of its key, or without it if it has this one. */
export function toggleOnly(query: Query | null, term: Query): Query | null {
  const parts = partsOf(query)
  const others = parts.filter((part) => !(part.op === 'term' && term.op === 'term' && part.key === term.key))
  return parts.some((part) => isSame(part, term)) ? allOf(others) : before(others, [term])
}

/** The shortest term for each of the projects. */
export function projectTerms(projects: readonly string[]): ReadonlyMap<string, Query> {
  const counts = new Map<string, number>()
  const named = (path: string) => lastName(path).toLowerCase()
  for (const path of projects) counts.set(named(path), (counts.get(named(path)) ?? 0) + 1)
  const termFor = (path: string): Query => {
    const short = termOf('project', [lastName(path)])
    return counts.get(named(path)) === 1 && /^project:[^/]/.test(printQuery(short)) ? short : projectTerm(path)
  }
  return new Map(projects.map((path) => [path, termFor(path)]))
}

/** Whether a query has a term at its top level. */
export function hasTerm(query: Query | null, term: Query | undefined): boolean {
  return term !== undefined && partsOf(query).some((part) => isSame(part, term))
}

function before(parts: readonly Query[], terms: readonly Query[]): Query | null {
  const at = parts.findIndex((part) => part.op === 'text' || (part.op === 'not' && part.of.op === 'text'))
  return allOf(at < 0 ? [...parts, ...terms] : parts.toSpliced(at, 0, ...terms))
}

function isSame(one: Query, other: Query): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
