import { isAbsolutePath } from '../paths/log-path.ts'
import { isInFolder } from '../paths/path-names.ts'
import { findingRules, type RuleName } from '../findings/finding.ts'
import { agentOf, makersModelName } from '../formats/agents.ts'
import { linearRegexError } from '../query/linear-regex.ts'
import { isInRanges, isOfAtLeast, type NumberRanges, quantityRanges } from '../query/number-match.ts'
import type { Query, QueryTest, QueryValue } from '../query/query.ts'
import { sinceTime } from '../query/since-time.ts'
import { insideMatch, type MatchesText, pathMatch, wholeMatch } from '../query/value-match.ts'
import { bareModel } from '../requests/platform-names.ts'
import { lastOf, type SessionCard } from './session-card.ts'

export type MatchesSession = (card: SessionCard) => boolean

/** Whether a session meets a query; null: all do. `now`: ms since the epoch, for ages. What is unknown matches nothing. */
export function sessionMatch(query: Query | null, now: number): MatchesSession {
  if (query === null) return () => true
  switch (query.op) {
    case 'and':
    case 'or': {
      const parts = query.of.map((part) => sessionMatch(part, now))
      return query.op === 'and'
        ? (card) => parts.every((part) => part(card))
        : (card) => parts.some((part) => part(card))
    }
    case 'not': {
      const matches = sessionMatch(query.of, now)
      return (card) => !matches(card)
    }
    case 'text':
      return nameMatch(query.value)
    case 'term':
      return termMatch(query.key, query.test, now)
  }
}

/** The names of a session that a text without a key is looked for in. A line feed stands in no text. */
function nameMatch(value: QueryValue): MatchesSession {
  // Lines are searched for any expression, names for those that cannot stop the thread.
  if (value.type === 'regex' && linearRegexError(value.source) !== null) return () => false
  const matches = insideMatch(value)
  return ({ title, project, branch, model, sessionId, path }) =>
    matches([title, project, branch, model, sessionId, path].join('\n'))
}

function termMatch(key: string, test: QueryTest, now: number): MatchesSession {
  const values = test.type === 'any' ? test.values : []
  const words = values.flatMap((value) => (value.type === 'word' ? [value.text] : []))
  const named = someOf(values.map(wholeMatch))
  const inside = someOf(values.map(insideMatch))
  switch (key) {
    case 'project': {
      const projects = values.map(projectMatch)
      return ({ project }) => project !== null && projects.some((matches) => matches(project))
    }
    case 'branch':
      return ({ branch }) => branch !== null && named(branch)
    case 'title':
      return ({ title }) => title !== null && inside(title)
    case 'agent':
      return ({ agent }) => agent !== null && [agent, agentOf(agent).label, ...agentOf(agent).words].some(named)
    case 'format':
      return ({ format }) => format !== null && named(format)
    case 'model':
      return ({ model }) => model !== null && modelNames(model).some(named)
    case 'state':
    case 'is':
      return someMatch(words.map((word) => (word === 'forked' ? isForked : ({ state }: SessionCard) => state === word)))
    case 'has':
      return someMatch(words.map((word) => hasMatch[word] ?? (() => false)))
    case 'finding':
      return ({ counts }) => counts !== null && words.some((rule) => (counts.findings[rule as RuleName] ?? 0) > 0)
    case 'since':
    case 'until': {
      const times = words.map((word) => sinceTime(word, now) ?? NaN)
      return key === 'since'
        ? (card) => times.some((time) => lastOf(card) >= time)
        : (card) => times.some((time) => lastOf(card) < time)
    }
    case 'dur':
      return ofNumber(quantityRanges(test, 'duration'), ({ counts }) => counts?.activeMs)
    case 'size':
      return ofNumber(quantityRanges(test, 'size'), ({ bytes }) => bytes)
    default: {
      const number = numbers[key]
      if (number === undefined) return () => false
      const matches = ofNumber(quantityRanges(test, 'count'), number)
      if ((key !== 'out' && key !== 'tokens') || isOfAtLeast(test)) return matches
      return (card) => card.counts?.outputAtLeast === false && matches(card)
    }
  }
}

/** Items of the todo list that are not finished; null: unknown, or no list. */
export function openTodos({ counts }: SessionCard): number | null {
  return counts?.todosTotal == null ? null : counts.todosTotal - (counts.todosDone ?? 0)
}

export function isForked({ forkedFrom, forks }: SessionCard): boolean {
  return forkedFrom !== null || forks > 0
}

/** How often rules found what is more than information; null: unknown. */
export function findingsOf({ counts }: SessionCard): number | null {
  if (counts === null) return null
  const rules = Object.entries(counts.findings) as [RuleName, number][]
  return rules.reduce((sum, [rule, count]) => sum + (findingRules[rule].level === 'finding' ? count : 0), 0)
}

/** All tokens of a session; null: unknown. */
export function tokensOf({ counts }: SessionCard): number | null {
  if (counts === null || (counts.inputTokens === null && counts.outputTokens === null)) return null
  return (counts.inputTokens ?? 0) + (counts.outputTokens ?? 0)
}

const hasMatch: Readonly<Record<string, MatchesSession>> = {
  todos: (card) => (openTodos(card) ?? 0) > 0,
  findings: (card) => (findingsOf(card) ?? 0) > 0,
  failures: ({ counts }) => counts !== null && counts.failedCalls > 0,
  forks: isForked,
  subagents: ({ subagents }) => subagents > 0
}

const numbers: Readonly<Record<string, (card: SessionCard) => number | null | undefined>> = {
  calls: ({ counts }) => counts?.calls,
  failed: ({ counts }) => counts?.failedCalls,
  turns: ({ counts }) => counts?.turns,
  todos: ({ counts }) => counts?.todosTotal,
  open: openTodos,
  in: ({ counts }) => counts?.inputTokens,
  out: ({ counts }) => counts?.outputTokens,
  tokens: tokensOf,
  cost: ({ cost }) => cost?.usd
}

function ofNumber(ranges: NumberRanges, of: (card: SessionCard) => number | null | undefined): MatchesSession {
  return (card) => isInRanges(ranges, of(card) ?? NaN)
}

/** A whole path also means the folders in it. */
function projectMatch(value: QueryValue): MatchesText {
  const matches = pathMatch(value)
  if (value.type !== 'word' || !isAbsolutePath(value.text)) return (path) => matches(path, null)
  const folder = value.text.toLowerCase()
  return (path) => matches(path, null) || isInFolder(path.toLowerCase(), folder)
}

/** As logged, and as the interface shows it. */
function modelNames(model: string): readonly string[] {
  const bare = bareModel(model)
  const shown = makersModelName(bare)
  return [model, bare, ...(shown === null ? [] : [shown])]
}

function someOf(matches: readonly MatchesText[]): MatchesText {
  return (text) => matches.some((match) => match(text))
}

function someMatch(matches: readonly MatchesSession[]): MatchesSession {
  return (card) => matches.some((match) => match(card))
}
