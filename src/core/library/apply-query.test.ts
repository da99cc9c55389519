import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentTypes } from '../events/agent-event.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { Query } from '../query/query.ts'
import { applyQuery, facetsOf } from './apply-query.ts'
import { lastOf, type SessionCard, sessionStates } from './session-card.ts'
import { type SessionQuery, sessionGroups, sessionSorts } from './session-query.ts'
import { statedCost } from '../../../test/costs.ts'

const unknownCounts = {
  firstTimestamp: null,
  lastTimestamp: null,
  ...{
    events: 3,
    title: null,
    model: null,
    turns: 1,
    activeMs: null,
    inputTokens: null,
    outputTokens: null,
    outputAtLeast: false,
    costUsd: null,
    spent: []
  }
}
const small = fc.integer({ min: 0, max: 4 })
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null })
const word = fc.constantFrom('Fix', 'fix the TEST', 'Ärger', 'main', '/work/app', '/work', '/work/apple', '')
/** Some days, with the one in which clocks are put back. */
const time = fc.integer({ min: 0, max: 400 }).map((hour) => Date.UTC(2026, 9, 20) + hour * 3_600_000)

const anyCounts = fc.record({
  ...{ calls: small, failedCalls: small, todosTotal: maybe(small), activeMs: maybe(small), costUsd: maybe(small) },
  ...{ inputTokens: maybe(small), outputTokens: maybe(small) },
  findings: fc.record({ refused: small, idle: small, 'call-without-result': small }, { requiredKeys: [] })
})

const anyCard: fc.Arbitrary<SessionCard> = fc
  .record({
    ...{
      agent: maybe(fc.constantFrom(...agentTypes)),
      sessionId: maybe(word),
      title: maybe(word),
      project: maybe(word)
    },
    ...{ branch: maybe(word), model: maybe(word), startedAt: maybe(time), endedAt: maybe(time), modifiedAt: time },
    ...{ state: fc.constantFrom(...sessionStates), forkedFrom: maybe(word), forks: small, counts: maybe(anyCounts) }
  })
  .map(({ counts, ...card }) => ({
    ...{ id: '', path: '', format: null, titleFrom: null, version: null, bytes: 1, problem: null, parent: null },
    ...{ subagents: 0, run: null, costGaps: null, ...card },
    cost: counts?.costUsd == null ? null : statedCost(counts.costUsd),
    counts:
      counts === null
        ? null
        : { ...unknownCounts, ...counts, todosDone: counts.todosTotal === null ? null : Math.min(1, counts.todosTotal) }
  }))
const anyCards = fc
  .array(anyCard, { maxLength: 30 })
  .map((cards) => cards.map((card, i) => ({ ...card, id: `id-${i}`, path: `/logs/${(i * 7) % 31}.jsonl` })))

const anyOrder = fc.record({
  ...{ sort: fc.constantFrom(...sessionSorts), descending: fc.boolean(), group: fc.constantFrom(...sessionGroups) }
})

/** Terms, each as plainly as it can be said. */
const terms: readonly (readonly [string, (card: SessionCard) => boolean])[] = [
  ['state:error', ({ state }) => state === 'error'],
  // The former word.
  ['state:failed', ({ state }) => state === 'error'],
  ['is:failed', ({ state }) => state === 'error'],
  ['is:(live OR done)', ({ state }) => ['live', 'done'].includes(state)],
  ['is:forked', ({ forks, forkedFrom }) => forkedFrom !== null || forks > 0],
  ['agent:codex', ({ agent }) => agent === 'openai-codex'],
  ['agent:claude*', ({ agent }) => agent === 'claude-code'],
  ['project:/work', ({ project }) => /^\/work(\/|$)/.test(project ?? '')],
  ['project:app', ({ project }) => project === '/work/app'],
  ['project:"work/app"', ({ project }) => (project ?? '').includes('work/app')],
  ['branch:FIX', ({ branch }) => branch === 'Fix'],
  ['title:fix', ({ title }) => (title ?? '').toLowerCase().includes('fix')],
  ['model:m*n', ({ model }) => model === 'main'],
  ['since:2026-10-25T00:00Z', (card) => lastOf(card) >= Date.UTC(2026, 9, 25)],
  ['since:2d', (card) => lastOf(card) >= now - 2 * 86_400_000],
  ['until:2026-10-25T00:00Z', (card) => lastOf(card) < Date.UTC(2026, 9, 25)],
  ['has:findings', ({ counts }) => (counts?.findings.refused ?? 0) + (counts?.findings.idle ?? 0) > 0],
  ['finding:refused', ({ counts }) => (counts?.findings.refused ?? 0) > 0],
  [
    'finding:(idle OR call-without-result)',
    ({ counts }) => (counts?.findings.idle ?? 0) + (counts?.findings['call-without-result'] ?? 0) > 0
  ],
  ['has:failures', ({ counts }) => (counts?.failedCalls ?? 0) > 0],
  ['has:todos', (card) => (leftOf(card) ?? 0) > 0],
  ['open:>1', (card) => (leftOf(card) ?? 0) > 1],
  ['todos:0', ({ counts }) => counts?.todosTotal === 0],
  ['calls:<=2', ({ counts }) => counts !== null && counts.calls <= 2],
  ['failed:1..3', ({ counts }) => counts !== null && counts.failedCalls >= 1 && counts.failedCalls <= 3],
  ['dur:>2ms', ({ counts }) => (counts?.activeMs ?? 0) > 2],
  ['cost:>1.5', ({ cost }) => (cost?.usd ?? 0) > 1.5],
  ['in:<2', ({ counts }) => counts?.inputTokens != null && counts.inputTokens < 2],
  ['size:1', () => true],
  ['fix', (card) => namesOf(card).includes('fix')],
  ['"the test"', (card) => namesOf(card).includes('the test')]
]
const now = Date.UTC(2026, 9, 28)
const leftOf = ({ counts }: SessionCard): number | null =>
  counts?.todosTotal == null ? null : counts.todosTotal - (counts.todosDone ?? 0)
const namesOf = ({ title, project, branch, model, sessionId, path }: SessionCard): string =>
  [title, project, branch, model, sessionId, path].join('\n').toLowerCase()

interface Asked {
  readonly query: Query
  readonly matches: (card: SessionCard) => boolean
}

const { asked: anyAsked } = fc.letrec<{ asked: Asked }>((again) => ({
  asked: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...terms).map(([text, matches]): Asked => ({ query: of(text), matches })),
    again('asked').map(({ query, matches }): Asked => ({
      query: { op: 'not', of: query },
      matches: (card) => !matches(card)
    })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), again('asked'), again('asked'))
      .map(([op, one, other]): Asked => ({
        query: { op, of: [one.query, other.query] },
        matches: (card) =>
          op === 'and' ? one.matches(card) && other.matches(card) : one.matches(card) || other.matches(card)
      }))
  )
}))

function of(text: string): Query {
  const { query, error } = parseQuery(text, 'sessions')
  if (query === null) throw new Error(`${text}: ${error?.message}`)
  return query
}

const keys: Record<SessionQuery['sort'], (card: SessionCard) => number | string | null> = {
  last: lastOf,
  title: ({ title }) => title?.toLowerCase() ?? null,
  todos: ({ counts }) => (counts?.todosTotal == null ? null : counts.todosTotal - (counts.todosDone ?? 0)),
  calls: ({ counts }) => counts?.calls ?? null,
  // A call without a result is information.
  findings: ({ counts }) => (counts === null ? null : (counts.findings.refused ?? 0) + (counts.findings.idle ?? 0)),
  length: ({ counts, startedAt, endedAt }) =>
    counts?.activeMs ?? (startedAt === null || endedAt === null || endedAt <= startedAt ? null : endedAt - startedAt),
  tokens: ({ counts }) =>
    counts === null || (counts.inputTokens === null && counts.outputTokens === null)
      ? null
      : (counts.inputTokens ?? 0) + (counts.outputTokens ?? 0),
  cost: ({ counts }) => counts?.costUsd ?? null
}

describe('applyQuery', () => {
  test('finds what a plain filter finds', () => {
    fc.assert(
      fc.property(anyCards, anyAsked, anyOrder, (cards, { query, matches }, order) => {
        const found = applyQuery(cards, query, order, now).cards.map(({ id }) => id)
        const wanted = cards.filter(matches).map(({ id }) => id)
        expect(found.toSorted()).toEqual(wanted.toSorted())
      }),
      { numRuns: 500 }
    )
  })

  test('sorts: what is not known is last', () => {
    fc.assert(
      fc.property(anyCards, anyOrder, (cards, query) => {
        const found = applyQuery(cards, null, { ...query, group: 'none' }, now).cards
        // Letters with marks are sorted with those without.
        const values = found.map(keys[query.sort]).filter((key) => !String(key).startsWith('ä'))
        const known = values.slice(0, values.includes(null) ? values.indexOf(null) : values.length)
        expect(values.slice(known.length).every((value) => value === null)).toBe(true)
        const sorted = known.toSorted((a, b) => ((a ?? 0) < (b ?? 0) ? -1 : a === b ? 0 : 1))
        expect(known).toEqual(query.descending ? sorted.toReversed() : sorted)
      }),
      { numRuns: 500 }
    )
  })

  test('gives the same for any order of the cards', () => {
    fc.assert(
      fc.property(anyCards, anyOrder, fc.integer(), (cards, query, seed) => {
        const mixed = cards.toSorted((a, b) => ((a.path.length * seed) % 7) - ((b.path.length * seed) % 5))
        expect(applyQuery(mixed, null, query, now)).toEqual(applyQuery(cards, null, query, now))
      })
    )
  })

  test('groups have all sessions, each group once', () => {
    fc.assert(
      fc.property(anyCards, anyOrder, (cards, query) => {
        const { cards: found, groups } = applyQuery(cards, null, query, now)
        if (query.sort !== 'last' || query.group === 'none') {
          expect(groups).toEqual([])
          return
        }
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(found.length)
        expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length)
        for (const { key, from, count, activeMs, live } of groups) {
          const members = found.slice(from, from + count)
          expect(members.every((card) => keyOf(card, query.group) === key)).toBe(true)
          expect(live).toBe(members.filter(({ state }) => state === 'live').length)
          const known = members.flatMap(({ counts }) => counts?.activeMs ?? [])
          expect(activeMs).toBe(known.length === 0 ? null : known.reduce((a, b) => a + b, 0))
        }
      }),
      { numRuns: 500 }
    )
  })

  test('30,000 sessions take no longer than a person notices', () => {
    const [card] = fc.sample(anyCard, { numRuns: 1, seed: 1 })
    const many = Array.from({ length: 30_000 }, (_, i) => ({ ...(card as SessionCard), id: `${i}`, path: `/l/${i}` }))
    const order = { sort: 'last', descending: true, group: 'day' } as const
    expect(applyQuery(many, of('"/l/2999"'), order, now).cards).toHaveLength(11)
  })
})

test('facets count all sessions', () => {
  fc.assert(
    fc.property(anyCards, (cards) => {
      const { all, states, failed, todosLeft, forked, agents, projects, projectsTotal } = facetsOf(cards)
      const order = { sort: 'last', descending: true, group: 'none' } as const
      const count = (text: string): number => applyQuery(cards, of(text), order, now).cards.length
      expect(all).toBe(cards.length)
      for (const state of sessionStates)
        expect(states[state] ?? 0).toBe(count(`state:${state === 'error' ? 'failed' : state}`))
      for (const agent of agentTypes)
        expect(agents.find((one) => one.agent === agent)?.count ?? 0).toBe(count(`agent:${agent}`))
      expect(failed).toBe(count('has:failures'))
      expect(todosLeft).toBe(count('has:todos'))
      expect(forked).toBe(count('has:forks'))
      expect(projects.length).toBe(projectsTotal)
      expect(projects.reduce((sum, one) => sum + one.count, 0)).toBe(
        cards.filter(({ project }) => project !== null).length
      )
    })
  )
})

function keyOf(card: SessionCard, group: SessionQuery['group']): string {
  if (group === 'project') return card.project ?? ''
  const date = new Date(lastOf(card))
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
