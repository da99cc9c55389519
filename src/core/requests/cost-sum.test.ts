import { expect, test } from 'vitest'
import { callCostReason, type CostAnswer } from './cost.ts'
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

test('the cost of a request is what the log states, else its tokens times prices', () => {
  const [stated] = costsOf(request({ costUsd: 0.25 }))
  expect(stated).toEqual({ cost: { usd: 0.25, from: 'stated', pricesDate: null }, gaps: null })
  const [priced] = costsOf(request())
  expect(priced).toEqual({ cost: { usd: 5, from: 'prices', pricesDate: '2026-10-01' }, gaps: null })
})

test.each([-1, NaN, Infinity, 1e308])('a stated cost of %s is none', (costUsd) => {
  expect(costsOf(request({ costUsd }))[0]?.cost).toMatchObject({ usd: 5, from: 'prices' })
})

test('an understated output has no cost, even if the turn states the output of all its requests', () => {
  const tokens = { input: 10, output: 1 }
  const costs = costsOf(request({ tokens, written: 4000 }), {
    ...{ about: 'turn', trackId: undefined, model: 'opus' },
    tokens: { input: 10, output: 1000 }
  })
  expect(costs[0]).toEqual({ cost: null, gaps: { models: [], lacking: 1, unclear: 0 } })
})

test('a sum is estimated if any part is, of the oldest prices, and divided among calls', () => {
  const [stated, opus] = costsOf(request({ costUsd: 1 }), request({ key: 'b' }))
  const [sonnet] = costsOf(request({ model: 'sonnet' }))
  if (stated === undefined || opus === undefined || sonnet === undefined) throw new Error('three costs')
  expect(sumOf([stated, stated])).toMatchObject({ cost: { usd: 2, from: 'stated' } })
  expect(sumOf([stated, opus, sonnet], 2).cost).toEqual({ usd: 4.5, from: 'prices', pricesDate: '2026-09-01' })
})

test('a sum without one of its parts is none, and says what is missing', () => {
  const known = costsOf(request())
  const unpriced = costsOf(request({ model: 'other' }))
  expect(sumOf([...known, ...unpriced])).toEqual({ cost: null, gaps: { models: ['other'], lacking: 0, unclear: 0 } })
  const sum = new CostSum()
  for (const answer of known) sum.add(answer)
  sum.addUnknown()
  expect(callCostReason(sum.answer)).toBe('The log states too few tokens, or none, for the requests of 1 call.')
  expect(new CostSum().answer.cost).toBeNull()
})
