import type { AgentType } from '#core/events/agent-event.ts'
import type { SessionFilter, SessionQuery, sessionSorts } from '#core/library/session-query.ts'
import { meaningOf, parseSearch, type TermsMeaning } from './search-terms.ts'

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

/** What a choice asks for, but for the words in its search field. */
export function filterOf(choice: LibraryChoice, { filter }: TermsMeaning): SessionFilter {
  return {
    ...(choice.agent !== null && { agents: [choice.agent] }),
    ...(choice.project !== null && { project: choice.project }),
    ...filter,
    // Both count: a view and what was typed.
    ...viewFilters[choice.view]
  }
}

export function queryOf(choice: LibraryChoice, filter: SessionFilter): SessionQuery {
  const { sort, descending, group } = choice
  return { ...filter, sort, descending, group: sort === 'last' ? group : 'none' }
}

/** What is typed, and what it means. */
export function searchOf({ text }: LibraryChoice, projects: readonly string[], now: number) {
  const { terms, words } = parseSearch(text)
  return { terms, words, meaning: meaningOf(terms, projects, now) }
}
