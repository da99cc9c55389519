import type { AgentType } from '#core/events/agent-event.ts'
import type { LibraryFacets } from '#contract/library.ts'
import type { SessionFilter, SessionQuery, sessionSorts } from '#core/library/session-query.ts'
import { meaningOf, parseSearch } from './search-terms.ts'

export const libraryViews = ['all', 'live', 'failed', 'todos', 'forked'] as const
export type LibraryView = (typeof libraryViews)[number]
export type SessionSort = (typeof sessionSorts)[number]

/** The person's choice of sessions and their order. */
export interface LibraryChoice {
  readonly view: LibraryView
  readonly agent: AgentType | null
  /** A folder. */
  readonly project: string | null
  /** The text of the search field. */
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
  readonly sort: SessionSort
  readonly descending: boolean
  readonly group: 'day' | 'project'
}

export const firstChoice: LibraryChoice = {
  view: 'all',
  agent: null,
  project: null,
  text: '',
  regex: false,
  caseSensitive: false,
  sort: 'last',
  descending: true,
  group: 'day'
}

const viewFilters: Readonly<Record<LibraryView, SessionFilter>> = {
  all: {},
  live: { states: ['live'] },
  failed: { states: ['error'] },
  todos: { todosLeft: true },
  forked: { forked: true }
}

interface Chosen {
  readonly choice: LibraryChoice
  /** Null: not loaded yet. */
  readonly overview: { readonly facets: Pick<LibraryFacets, 'projects'> } | null
}

/** The filter of a choice, the words to search for, and the problems of the search text as sentences. */
export function readChoice({ choice, overview }: Chosen) {
  const projects = overview?.facets.projects.map(({ project }) => project) ?? []
  const { terms, words } = parseSearch(choice.text)
  const { filter: typed, problems } = meaningOf(terms, projects, Date.now())
  const filter: SessionFilter = {
    ...(choice.agent !== null && { agents: [choice.agent] }),
    ...(choice.project !== null && { project: choice.project }),
    ...typed,
    // A view and a typed restriction both apply.
    ...viewFilters[choice.view]
  }
  return { words, filter, problems: problems.map(({ message }) => message) }
}

/** The query of the list. */
export function queryNow(chosen: Chosen): SessionQuery {
  const { sort, descending, group } = chosen.choice
  return { ...readChoice(chosen).filter, sort, descending, group: sort === 'last' ? group : 'none' }
}

/** Whether two choices list the same sessions. Words do not count, because they are searched separately. */
export function listsTheSame(one: LibraryChoice, other: LibraryChoice): boolean {
  return listedBy(one) === listedBy(other)
}

function listedBy({ view, agent, project, sort, descending, group, text }: LibraryChoice): string {
  const terms = parseSearch(text).terms.map(({ key, value }) => [key, value])
  return JSON.stringify([view, agent, project, sort, descending, group, terms])
}
