import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentTypes } from '../events/agent-event.ts'
import { applyQuery, facetsOf } from './apply-query.ts'
import { lastOf, type SessionCard, sessionStates } from './session-card.ts'
import { type SessionQuery, sessionGroups, sessionSorts } from './session-query.ts'

const unknownCounts = {
  ...{
    events: 3,
    title: null,
    model: null,
    turns: 1,
    activeMs: null,
    inputTokens: null,
    outputTokens: null,
    outputAtLeast: false,
    costUsd: null
  }
}
const small = fc.integer({ min: 0, max: 4 })
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null })
const word = fc.constantFrom('Fix', 'fix the TEST', 'Ärger', 'main', '/work/app', '/work', '/work/apple', '')
/** Some days, with the one in which clocks are put back. */
const time = fc.integer({ min: 0, max: 400 }).map((hour) => Date.UTC(2026, 9, 20) + hour * 3_600_000)

const anyCounts = fc.record({
  ...{ calls: small, failedCalls: small, todosTotal: maybe(small), activeMs: maybe(small), costUsd: maybe(small) },
  ...{ inputTokens: maybe(small), outputTokens: maybe(small) }
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
    ...{ subagents: 0, run: null, ...card },
    counts:
      counts === null
        ? null
        : { ...unknownCounts, ...counts, todosDone: counts.todosTotal === null ? null : Math.min(1, counts.todosTotal) }
  }))
const anyCards = fc
  .array(anyCard, { maxLength: 30 })
  .map((cards) => cards.map((card, i) => ({ ...card, id: `id-${i}`, path: `/logs/${(i * 7) % 31}.jsonl` })))

const anyQuery: fc.Arbitrary<SessionQuery> = fc
  .record(
    {
      ...{ text: word, agents: fc.subarray([...agentTypes]), project: fc.constantFrom('/work', '/work/app', '/') },
      ...{ branch: word, since: time, until: time, states: fc.subarray([...sessionStates]) },
      ...{
        failed: fc.constant(true as const),
        todosLeft: fc.constant(true as const),
        forked: fc.constant(true as const)
      }
    },
    { requiredKeys: [] }
  )
  .chain((filter) =>
    fc
      .record({
        ...{
          sort: fc.constantFrom(...sessionSorts),
          descending: fc.boolean(),
          group: fc.constantFrom(...sessionGroups)
        }
      })
      .map((order) => ({ ...filter, ...order }))
  )

/** As plainly as it can be said. */
function plainly(cards: readonly SessionCard[], query: SessionQuery): SessionCard[] {
  const left = ({ counts }: SessionCard): number => (counts?.todosTotal ?? 0) - (counts?.todosDone ?? 0)
  return cards.filter((card) => {
    const text = `${card.title}\n${card.project}\n${card.branch}\n${card.model}\n${card.sessionId}\n${card.path}`
    if (
      !(query.text ?? '')
        .toLowerCase()
        .split(' ')
        .every((part) => text.toLowerCase().includes(part))
    )
      return false
    if (query.agents?.length && !query.agents.some((agent) => agent === card.agent)) return false
    if (query.states?.length && !query.states.includes(card.state)) return false
    if (query.branch !== undefined && card.branch !== query.branch) return false
    if (query.project === '/' && !(card.project ?? '').startsWith('/')) return false
    if (query.project === '/work' && !/^\/work(\/|$)/.test(card.project ?? '')) return false
    if (query.project === '/work/app' && card.project !== '/work/app') return false
    if (query.since !== undefined && lastOf(card) < query.since) return false
    if (query.until !== undefined && lastOf(card) >= query.until) return false
    if (query.failed && !((card.counts?.failedCalls ?? 0) > 0)) return false
    if (query.todosLeft && !(left(card) > 0)) return false
    return !query.forked || card.forkedFrom !== null || card.forks > 0
  })
}

const keys: Record<SessionQuery['sort'], (card: SessionCard) => number | string | null> = {
  last: lastOf,
  title: ({ title }) => title?.toLowerCase() ?? null,
  todos: ({ counts }) => (counts?.todosTotal == null ? null : counts.todosTotal - (counts.todosDone ?? 0)),
  calls: ({ counts }) => counts?.calls ?? null,
  length: ({ counts, startedAt, endedAt }) =>
    counts?.activeMs ?? (startedAt === null || endedAt === null ? null : endedAt - startedAt),
  cost: ({ counts }) => counts?.costUsd ?? null
}

describe('applyQuery', () => {
  test('finds what a plain filter finds', () => {
    fc.assert(
      fc.property(anyCards, anyQuery, (cards, query) => {
        const found = applyQuery(cards, query).cards.map(({ id }) => id)
        expect([...found].sort()).toEqual(
          plainly(cards, query)
            .map(({ id }) => id)
            .sort()
        )
      }),
      { numRuns: 500 }
    )
  })

  test('sorts: what is not known is last', () => {
    fc.assert(
      fc.property(anyCards, anyQuery, (cards, query) => {
        const found = applyQuery(cards, { ...query, group: 'none' }).cards
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
      fc.property(anyCards, anyQuery, fc.integer(), (cards, query, seed) => {
        const mixed = cards.toSorted((a, b) => ((a.path.length * seed) % 7) - ((b.path.length * seed) % 5))
        expect(applyQuery(mixed, query)).toEqual(applyQuery(cards, query))
      })
    )
  })

  test('groups have all sessions, each group once', () => {
    fc.assert(
      fc.property(anyCards, anyQuery, (cards, query) => {
        const { cards: found, groups } = applyQuery(cards, query)
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
    expect(applyQuery(many, { sort: 'last', descending: true, group: 'day', text: '/l/2999' }).cards).toHaveLength(11)
  })
})

test('facets count all sessions', () => {
  fc.assert(
    fc.property(anyCards, (cards) => {
      const { all, states, failed, todosLeft, forked, agents, projects, projectsTotal } = facetsOf(cards)
      const count = (query: Partial<SessionQuery>): number =>
        applyQuery(cards, { sort: 'last', descending: true, group: 'none', ...query }).cards.length
      expect(all).toBe(cards.length)
      for (const state of sessionStates) expect(states[state] ?? 0).toBe(count({ states: [state] }))
      for (const agent of agentTypes)
        expect(agents.find((one) => one.agent === agent)?.count ?? 0).toBe(count({ agents: [agent] }))
      expect(failed).toBe(count({ failed: true }))
      expect(todosLeft).toBe(count({ todosLeft: true }))
      expect(forked).toBe(count({ forked: true }))
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
