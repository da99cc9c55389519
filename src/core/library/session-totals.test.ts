import fc from 'fast-check'
import { expect, test } from 'vitest'
import { card, counts } from '../../../test/fake-library.ts'
import type { SessionCard } from './session-card.ts'
import { SessionTotals, totalsGroups, totalsOf } from './session-totals.ts'
import { totalWords } from './totals-words.ts'
import { costGaps, pricedCost, statedCost } from '../../../test/costs.ts'

const stated = (usd: number) => ({ cost: statedCost(usd), costGaps: null })
const priced = (usd: number) => ({ cost: pricedCost(usd), costGaps: null })
const unpriced = (...models: string[]) => ({ cost: null, costGaps: costGaps({ models, unpriced: models.length }) })
const known = counts({ activeMs: 60_000, inputTokens: 1000, outputTokens: 10 })

const cards: readonly SessionCard[] = [
  card({ path: '/a', project: '/work/cli', agent: 'claude-code', model: 'm', counts: known, ...stated(1.5) }),
  card({ path: '/b', project: '/work/cli', agent: 'openai-codex', counts: known, ...priced(0.25) }),
  card({ path: '/c', project: '/work/cli', counts: { ...known, outputAtLeast: true }, ...unpriced('glm') }),
  card({ path: '/d', project: '/work/app', counts: null }),
  card({ path: '/e', counts: counts(), forkedFrom: 'x', ...unpriced() })
]

test('sums by project, with the number of sessions that are in each', () => {
  const { all, groups } = totalsOf(cards, 'project')
  expect(groups.map(({ key, sessions }) => [key, sessions])).toEqual([
    ['/work/cli', 3],
    ['', 1],
    ['/work/app', 1]
  ])
  expect(all).toEqual({
    sessions: 5,
    uncounted: 1,
    forks: 1,
    activeMs: { value: 180_000, sessions: 3 },
    inputTokens: { value: 3000, sessions: 3 },
    outputTokens: { value: 30, sessions: 3, atLeast: true },
    cost: { usd: 1.75, from: 'both', atLeast: true, pricesDate: '2026-10-01', sessions: 2, unpriced: ['glm'] }
  })
  expect(groups[2]).toMatchObject({
    uncounted: 1,
    activeMs: { value: null, sessions: 0 },
    cost: { usd: null, from: null }
  })
})

test('words say where a sum is from, of what, and why not more', () => {
  const { all, groups } = totalsOf(cards, 'project')
  expect(totalWords(all, 'cost')).toEqual({
    text: '≥ $1.75',
    of: '2 of 5 sessions',
    because:
      'Estimated where a log states no cost: tokens times prices of 2026-10-01. At least this: a part is not known. Not known for 2 sessions. No price: glm. 1 session not counted yet. 1 fork counts copied requests again.'
  })
  expect(totalWords(all, 'outputTokens')).toMatchObject({ text: '≥ 30', of: '3 of 5 sessions' })
  expect(totalWords(all, 'outputTokens').because).toContain('Some logs state too little output: at least this.')
  expect(totalWords(groups[2]!, 'activeMs').text).toBe(null)
  expect(totalWords(totalsOf(cards.slice(0, 1), 'agent').all, 'cost')).toEqual({
    ...{ text: '$1.50', of: '', because: 'Stated by the logs.' }
  })
})

test('days are local, the latest first', () => {
  const at = (day: number): number => new Date(2026, 9, day, 12).getTime()
  const days = [24, 26, 25, 26].map((day, i) => card({ path: `/${i}`, endedAt: at(day) }))
  expect(totalsOf(days, 'day').groups.map(({ key, sessions }) => [key, sessions])).toEqual([
    ['2026-10-26', 2],
    ['2026-10-25', 1],
    ['2026-10-24', 1]
  ])
})

const anyCard = fc
  .record({
    ...{
      project: fc.option(fc.constantFrom('/a', '/b')),
      agent: fc.option(fc.constantFrom('claude-code', 'openai-codex'))
    },
    ...{ model: fc.option(fc.constantFrom('m', 'n')), modifiedAt: fc.integer({ min: 0, max: 1e12 }) },
    ...{
      ms: fc.option(fc.nat()),
      tokens: fc.option(fc.nat()),
      usd: fc.option(fc.double({ min: 0, max: 1000, noNaN: true }))
    },
    ...{ counted: fc.boolean(), atLeast: fc.boolean(), from: fc.constantFrom('stated' as const, 'prices' as const) }
  })
  .map(({ ms, tokens, usd, counted, atLeast, from, ...facts }) =>
    card({
      path: '/x',
      ...facts,
      counts: counted
        ? counts({ activeMs: ms, inputTokens: tokens, outputTokens: tokens, outputAtLeast: atLeast })
        : null,
      ...(counted && usd !== null
        ? { cost: { ...(from === 'stated' ? statedCost(usd) : pricedCost(usd)), atLeast }, costGaps: null }
        : unpriced())
    })
  )

test('groups add up to the whole, in any order, and no sum is without its number of sessions', () => {
  fc.assert(
    fc.property(fc.array(anyCard, { maxLength: 20 }), fc.constantFrom(...totalsGroups), (some, by) => {
      const { all, groups } = totalsOf(some, by)
      SessionTotals.parse(all)
      const sum = (of: (totals: SessionTotals) => number | null): number =>
        groups.reduce((total, group) => total + (of(group) ?? 0), 0)
      expect(sum(({ sessions }) => sessions)).toBe(some.length)
      expect(sum(({ activeMs }) => activeMs.value)).toBe(all.activeMs.value ?? 0)
      expect(sum(({ inputTokens }) => inputTokens.value)).toBe(all.inputTokens.value ?? 0)
      expect(sum(({ cost }) => cost.usd)).toBeCloseTo(all.cost.usd ?? 0, 6)
      expect(sum(({ cost }) => cost.sessions)).toBe(all.cost.sessions)
      for (const { cost, activeMs, sessions } of [all, ...groups]) {
        if (!cost.atLeast) expect(cost.sessions).toBe(sessions)
        expect(cost.usd === null).toBe(cost.from === null)
        expect(activeMs.value === null).toBe(activeMs.sessions === 0)
      }
      expect(totalsOf(some.toReversed(), by)).toEqual({ all, groups })
    })
  )
})
