import { agents, agentTypes, agentWords } from '#core/formats/agents.ts'
import type { SessionState } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import { sinceTime } from '#core/library/since-time.ts'

/** The keys of restrictions in the library's search field. */
export const termKeys = ['project', 'branch', 'agent', 'since', 'until', 'is', 'has'] as const
export type TermKey = (typeof termKeys)[number]

/** A restriction in the search field, `is:failed`. `from` … `to`: its range in the text. */
export interface SearchTerm {
  readonly key: TermKey
  readonly value: string
  readonly from: number
  readonly to: number
}

export interface SearchText {
  readonly terms: readonly SearchTerm[]
  /** The text without restrictions. */
  readonly words: string
}

const pattern = new RegExp(`(?<=^|\\s)(${termKeys.join('|')}):("[^"]*"?|\\S*)`, 'gi')

/** Splits a text into restrictions and words. A restriction without a value, which is still being typed, is neither. */
export function parseSearch(text: string): SearchText {
  const terms: SearchTerm[] = []
  let rest = ''
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const { 0: whole, 1: key = '', 2: quoted = '', index } = match
    rest += text.slice(at, index)
    at = index + whole.length
    const value = quoted.replaceAll('"', '')
    if (value !== '') terms.push({ key: key.toLowerCase() as TermKey, value, from: index, to: at })
  }
  const words = (rest + text.slice(at)).replaceAll(/\s+/g, ' ').trim()
  return { terms, words: words.replace(/^"(.*)"$/, '$1').trim() }
}

/** The text without one of its restrictions. */
export function withoutTerm(text: string, { from, to }: SearchTerm): string {
  return (text.slice(0, from).trimEnd() + ' ' + text.slice(to).trimStart()).trim()
}

/** The text with a restriction added before its words. */
export function withTerm(text: string, key: TermKey, value: string): string {
  const last = parseSearch(text).terms.at(-1)?.to ?? 0
  const term = `${key}:${/\s/.test(value) ? `"${value}"` : value}`
  return [text.slice(0, last).trim(), term, text.slice(last).trim()].filter((part) => part !== '').join(' ')
}

/** The values of `is:`. */
export const stateWords: Readonly<Record<string, readonly SessionState[]>> = {
  live: ['live'],
  done: ['done'],
  failed: ['error'],
  interrupted: ['interrupted'],
  unreadable: ['unreadable']
}

export interface TermsMeaning {
  readonly filter: SessionFilter
  /** Invalid restrictions, with sentences about valid values. */
  readonly problems: readonly { readonly term: SearchTerm; readonly message: string }[]
}

/** The filter of restrictions. `projects`: the known folders, last used first. `now`: ms since the epoch. */
export function meaningOf(terms: readonly SearchTerm[], projects: readonly string[], now: number): TermsMeaning {
  const filter: SessionFilter = {}
  const problems: TermsMeaning['problems'][number][] = []
  for (const term of terms) {
    const message = addTerm(filter, term, projects, now)
    if (message !== null) problems.push({ term, message })
  }
  return { filter, problems }
}

/** Adds a restriction to a filter. Returns its problem; null for none. */
function addTerm(filter: SessionFilter, { key, value }: SearchTerm, projects: readonly string[], now: number) {
  const wanted = value.toLowerCase()
  switch (key) {
    case 'project': {
      const project = projectNamed(wanted, projects)
      if (project === undefined) return `No project is called “${value}”.`
      filter.project = project
      return null
    }
    case 'branch':
      filter.branch = value
      return null
    case 'agent': {
      const named = agentTypes.filter((type) =>
        [agents[type].words[0], agents[type].name.toLowerCase()].some((name) => name.startsWith(wanted))
      )
      if (named.length === 0) return `agent: takes ${wordsOf(agentWords)}.`
      filter.agents = [...(filter.agents ?? []), ...named]
      return null
    }
    case 'since':
    case 'until': {
      const time = sinceTime(wanted, now)
      if (time === null)
        return `${key}: takes a day (2026-11-20, yesterday), a time (2026-11-20T14:30), or an age (7d, 12h, 2w).`
      filter[key] = time
      return null
    }
    case 'is': {
      const states = stateWords[wanted]
      if (wanted === 'forked') filter.forked = true
      else if (states === undefined) return `is: takes ${wordsOf([...Object.keys(stateWords), 'forked'])}.`
      else filter.states = [...(filter.states ?? []), ...states]
      return null
    }
    case 'has':
      if (wanted === 'failures') filter.failed = true
      else if (wanted === 'todos') filter.todosLeft = true
      else return 'has: takes failures or todos.'
      return null
  }
}

/** The first folder that matches: by path, by name, by the start of the name, or by a part of the path. */
function projectNamed(wanted: string, projects: readonly string[]): string | undefined {
  const nameOf = (path: string) => lastPart(path).toLowerCase()
  return (
    projects.find((path) => path.toLowerCase() === wanted) ??
    projects.find((path) => nameOf(path) === wanted) ??
    projects.find((path) => nameOf(path).startsWith(wanted)) ??
    projects.find((path) => path.toLowerCase().includes(wanted))
  )
}

/** The last name of a path of any platform. */
export function lastPart(path: string): string {
  return path.split(/[\\/]+/).findLast((part) => part !== '') ?? path
}

function wordsOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
}
