import { expect, test } from 'vitest'
import { costGaps, pricedCost, statedCost } from '../../../test/costs.ts'
import { type CostAnswer, noBasis } from './cost.ts'
import { callCostReason } from './cost-words.ts'
import { costOfRequest, CostSum } from './cost-sum.ts'
import { PriceTable } from './prices.ts'
import { RequestList } from './request-list.ts'
import type { RequestNote, TokenNote } from './request-note.ts'

const prices = PriceTable.parse({
  sources: [
    { address: 'a', date: '2026-10-01', models: [{ names: ['opus'], input: 5, output: 25 }] },
    { address: 'b', date: '2026-09-01', models: [{ names: ['sonnet'], input: 3, output: 15 }] }
  ]
})

const million = { input: 1_000_000, output: 0 }
const request = (more: Partial<RequestNote> = {}): RequestNote => {
  return { about: 'request', key: 'a', trackId: undefined, model: 'opus', tokens: million, ...more }
}

function costsOf(...notes: TokenNote[]): CostAnswer[] {
  const list = new RequestList()
  for (const note of notes) list.add(note, 0, 0)
  return [...list].map((each) => costOfRequest(each, prices))
}

function sumOf(answers: readonly CostAnswer[], parts = 1): CostAnswer {
  const sum = new CostSum()
  for (const answer of answers) sum.add(answer, parts)
  return sum.answer
}

const standard = (usd: number) => pricedCost(usd, '2026-10-01', { basis: { ...noBasis, standard: 1 } })

test('the cost of a request is what the log states, else its tokens times prices', () => {
  const [stated] = costsOf(request({ costUsd: 0.25 }))
  expect(stated).toEqual({ cost: statedCost(0.25), gaps: null })
  const [priced] = costsOf(request())
  expect(priced).toEqual({ cost: standard(5), gaps: null })
})

test.each([-1, NaN, Infinity, 1e308])('a stated cost of %s is none', (costUsd) => {
  expect(costsOf(request({ costUsd }))[0]?.cost).toMatchObject({ usd: 5, from: 'prices' })
})

test('the cost of an understated output is a lower bound, even if the turn states the output of all its requests', () => {
  const tokens = { input: 10, output: 1 }
  const costs = costsOf(request({ tokens, written: 4000 }), {
    ...{ about: 'turn', trackId: undefined, model: 'opus' },
    tokens: { input: 10, output: 1000 }
  })
  expect(costs[0]).toEqual({ cost: { ...standard(0.000075), atLeast: true }, gaps: costGaps({ lacking: 1 }) })
})

test('a sum is estimated if any part is, of the oldest prices, and divided among calls', () => {
  const [stated, opus] = costsOf(request({ costUsd: 1 }), request({ key: 'b' }))
  const [sonnet] = costsOf(request({ model: 'sonnet' }))
  if (stated === undefined || opus === undefined || sonnet === undefined) throw new Error('three costs')
  expect(sumOf([stated, stated])).toMatchObject({ cost: { usd: 2, from: 'stated' } })
  expect(sumOf([stated, opus, sonnet], 2).cost).toEqual({
    ...pricedCost(4.5, '2026-09-01'),
    ...{ from: 'both', basis: { ...noBasis, standard: 2 } }
  })
})

test('a sum without one of its parts is a lower bound, and says what is missing', () => {
  const known = costsOf(request())
  const unpriced = costsOf(request({ model: 'other' }))
  const gaps = costGaps({ models: ['other'], unpriced: 1, unpricedTokens: 1_000_000 })
  expect(sumOf([...known, ...unpriced])).toEqual({ cost: { ...standard(5), atLeast: true }, gaps })
  expect(sumOf(unpriced)).toEqual({ cost: null, gaps })
  const sum = new CostSum()
  for (const answer of known) sum.add(answer)
  sum.addUnknown()
  expect(sum.answer.cost).toMatchObject({ usd: 5, atLeast: true })
  expect(callCostReason(sum.answer)).toBe(
    'Estimated: tokens times prices of 2026-10-01. The log states too few tokens, or none, for the requests of 1 call. 1 call at the standard price: the log names no tier. The cost of a request is divided equally among its calls.'
  )
  expect(new CostSum().answer.cost).toBeNull()
})
