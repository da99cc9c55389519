import type { AgentType } from '../events/agent-event.ts'
import { wallMs } from '../events/stated-times.ts'
import type { Query } from '../query/query.ts'
import { days } from './days.ts'
import { findingsOf, isForked, openTodos, sessionMatch, tokensOf } from './match-sessions.ts'
import { projectNames } from './project-names.ts'
import { lastOf, type SessionCard, type SessionState } from './session-card.ts'
import type { SessionQuery } from './session-query.ts'

/** A group of the list. */
export interface QueriedGroup {
  /** A local day, `2026-11-22`, or a project's folder; empty: no project. */
  readonly key: string
  readonly from: number
  readonly count: number
  readonly activeMs: number | null
  readonly live: number
}

/** The sessions of a query, sorted, and their groups. */
export interface QueriedSessions {
  readonly cards: readonly SessionCard[]
  readonly groups: readonly QueriedGroup[]
}

/** Numbers of sessions by filter. */
export interface SessionFacets {
  readonly all: number
  readonly states: Partial<Record<SessionState, number>>
  readonly failed: number
  readonly findings: number
  readonly todosLeft: number
  readonly forked: number
  readonly agents: { agent: AgentType; count: number }[]
  readonly projects: { project: string; count: number }[]
  readonly projectsTotal: number
  readonly branches: { branch: string; count: number }[]
  readonly models: { model: string; count: number }[]
}

const maxProjects = 500
const maxNames = 100

/** Order and groups of sessions. */
type SessionOrder = Omit<SessionQuery, 'where'>

/** Filters, sorts and groups. `cards`: in any order; not changed. `where`: null: all. `now`: ms since the epoch. */
export function applyQuery(
  cards: readonly SessionCard[],
  where: Query | null,
  query: SessionOrder,
  now: number
): QueriedSessions {
  const found = cards.filter(sessionMatch(where, now))
  const sorted = found.sort(order(query))
  if (query.sort !== 'last' || query.group === 'none') return { cards: sorted, groups: [] }
  return query.group === 'day' ? { cards: sorted, groups: groupsOf(sorted, days()) } : byProject(sorted)
}

/** Counts all sessions, independent of the filter. */
export function facetsOf(cards: readonly SessionCard[]): SessionFacets {
  const states: Partial<Record<SessionState, number>> = {}
  const agents = new Map<AgentType, number>()
  const projects = new Map<string, { project: string; count: number; last: number }>()
  const branches = new Map<string, number>()
  const models = new Map<string, number>()
  const nameOf = projectNames(cards)
  let failed = 0
  let findings = 0
  let left = 0
  let forked = 0
  for (const card of cards) {
    states[card.state] = (states[card.state] ?? 0) + 1
    if (card.agent !== null) agents.set(card.agent, (agents.get(card.agent) ?? 0) + 1)
    if (card.counts !== null && card.counts.failedCalls > 0) failed++
    if ((findingsOf(card) ?? 0) > 0) findings++
    if ((openTodos(card) ?? 0) > 0) left++
    if (isForked(card)) forked++
    if (card.branch !== null) branches.set(card.branch, (branches.get(card.branch) ?? 0) + 1)
    if (card.model !== null) models.set(card.model, (models.get(card.model) ?? 0) + 1)
    if (card.project === null) continue
    const project = nameOf(card)
    const known = projects.get(project)
    const last = lastOf(card)
    if (known === undefined) projects.set(project, { project, count: 1, last })
    else {
      known.count++
      known.last = Math.max(known.last, last)
    }
  }
  const latest = [...projects.values()].sort((a, b) => b.last - a.last || byCodeUnit(a.project, b.project))
  return {
    all: cards.length,
    states,
    failed,
    findings,
    todosLeft: left,
    forked,
    agents: [...agents].map(([agent, count]) => ({ agent, count })).sort((a, b) => byCodeUnit(a.agent, b.agent)),
    projects: latest.slice(0, maxProjects).map(({ project, count }) => ({ project, count })),
    projectsTotal: latest.length,
    branches: mostFirst(branches).map(([branch, count]) => ({ branch, count })),
    models: mostFirst(models).map(([model, count]) => ({ model, count }))
  }
}

function mostFirst(counts: ReadonlyMap<string, number>): (readonly [name: string, count: number])[] {
  return [...counts].sort((a, b) => b[1] - a[1] || byCodeUnit(a[0], b[0])).slice(0, maxNames)
}

type Order = (a: SessionCard, b: SessionCard) => number

/** Unknown values are last in both directions; ties: the latest first. */
function order({ sort, descending }: SessionOrder): Order {
  const sign = descending ? -1 : 1
  const primary = orders[sort](sign)
  return (a, b) => primary(a, b) || lastOf(b) - lastOf(a) || byCodeUnit(a.path, b.path)
}

const orders: Readonly<Record<SessionQuery['sort'], (sign: number) => Order>> = {
  last: (sign) => (a, b) => sign * (lastOf(a) - lastOf(b)),
  title: (sign) => {
    const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
    return (a, b) => nullsLast(a.title, b.title, (x, y) => sign * compare(x, y))
  },
  todos: (sign) => byNumber(sign, openTodos),
  calls: (sign) => byNumber(sign, ({ counts }) => counts?.calls ?? null),
  findings: (sign) => byNumber(sign, findingsOf),
  length: (sign) => byNumber(sign, lengthOf),
  tokens: (sign) => byNumber(sign, tokensOf),
  // Not all costs are known; then by tokens.
  cost: (sign) => {
    const cost = byNumber(sign, (card) => card.cost?.usd ?? null)
    const tokens = byNumber(sign, tokensOf)
    return (a, b) => cost(a, b) || tokens(a, b)
  }
}

function byNumber(sign: number, of: (card: SessionCard) => number | null): Order {
  return (a, b) => nullsLast(of(a), of(b), (x, y) => sign * (x - y))
}

function nullsLast<T>(a: T | null, b: T | null, compare: (a: T, b: T) => number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compare(a, b)
}

function lengthOf({ counts, startedAt, endedAt }: SessionCard): number | null {
  return counts?.activeMs ?? wallMs(startedAt, endedAt)
}

/** Cards with the same key must be adjacent. */
function groupsOf(cards: readonly SessionCard[], keyOf: (card: SessionCard) => string): QueriedGroup[] {
  const groups: { key: string; from: number; count: number; activeMs: number | null; live: number }[] = []
  let last: (typeof groups)[number] | undefined
  for (const [at, card] of cards.entries()) {
    const key = keyOf(card)
    if (last?.key !== key) groups.push((last = { key, from: at, count: 0, activeMs: null, live: 0 }))
    last.count++
    if (card.state === 'live') last.live++
    const active = card.counts?.activeMs ?? null
    if (active !== null) last.activeMs = (last.activeMs ?? 0) + active
  }
  return groups
}

/** Projects in the order of their first sessions. */
function byProject(sorted: readonly SessionCard[]): QueriedSessions {
  const projects = new Map<string, SessionCard[]>()
  const nameOf = projectNames(sorted)
  for (const card of sorted) {
    const key = nameOf(card)
    const known = projects.get(key)
    if (known === undefined) projects.set(key, [card])
    else known.push(card)
  }
  const cards = [...projects.values()].flat()
  return { cards, groups: groupsOf(cards, nameOf) }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
