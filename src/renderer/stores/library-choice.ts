import type { AgentType } from '#core/events/agent-event.ts'
import type { LibraryFacets } from '#contract/library.ts'
import type { SessionFilter, SessionQuery, sessionSorts } from '#core/library/session-query.ts'
import { meaningOf, parseSearch } from './search-terms.ts'

export const libraryViews = ['all', 'live', 'failed', 'todos', 'forked'] as const
export type LibraryView = (typeof libraryViews)[number]
export type SessionSort = (typeof sessionSorts)[number]

/** Which sessions a person wants to see, and in which order. */
export interface LibraryChoice {
  readonly view: LibraryView
  readonly agent: AgentType | null
  /** A folder. */
  readonly project: string | null
  /** What stands in the search field. */
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
  /** Null: the list is not known yet. */
  readonly overview: { readonly facets: Pick<LibraryFacets, 'projects'> } | null
}

/** What is chosen now: which sessions, the words that are searched for, and what is wrong with what is typed, in sentences. */
export function readChoice({ choice, overview }: Chosen) {
  const projects = overview?.facets.projects.map(({ project }) => project) ?? []
  const { terms, words } = parseSearch(choice.text)
  const { filter: typed, problems } = meaningOf(terms, projects, Date.now())
  const filter: SessionFilter = {
    ...(choice.agent !== null && { agents: [choice.agent] }),
    ...(choice.project !== null && { project: choice.project }),
    ...typed,
    // Both count: a view and what was typed.
    ...viewFilters[choice.view]
  }
  return { words, filter, problems: problems.map(({ message }) => message) }
}

/** What the list is asked for. */
export function queryNow(chosen: Chosen): SessionQuery {
  const { sort, descending, group } = chosen.choice
  return { ...readChoice(chosen).filter, sort, descending, group: sort === 'last' ? group : 'none' }
}

/** Whether two choices list the same: words alone are looked for in another way. */
export function listsTheSame(one: LibraryChoice, other: LibraryChoice): boolean {
  return listedBy(one) === listedBy(other)
}

function listedBy({ view, agent, project, sort, descending, group, text }: LibraryChoice): string {
  const terms = parseSearch(text).terms.map(({ key, value }) => [key, value])
  return JSON.stringify([view, agent, project, sort, descending, group, terms])
}
