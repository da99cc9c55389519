import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costGaps, pricedCost, statedCost } from '../../../test/costs.ts'
import { costJson, costOf, noBasis } from './cost.ts'
import { costWords, gapWords } from './cost-words.ts'
import { PriceTable, pricesOf } from './prices.ts'
import { RequestList } from './request-list.ts'
import type { RequestNote, TokenNote } from './request-note.ts'
import { usageOf } from './usage.ts'

const prices = table(
  {
    ...{ names: ['opus'], input: 5, cacheRead: 0.5, cacheWrite: 6.25, cacheWriteHour: 10, output: 25 },
    fast: { input: 10, cacheRead: 1, cacheWrite: 12.5, output: 50 }
  },
  {
    names: ['sonnet'],
    input: 3,
    cacheRead: 0.3,
    output: 15,
    long: { over: 200_000, input: 6, cacheRead: 0.6, output: 22.5 }
  },
  { names: ['tiny'], input: 0.075, output: 0.3 }
)

function table(...models: unknown[]): PriceTable {
  return PriceTable.parse({ sources: [{ address: 'https://example.com', date: '2026-10-01', models }] })
}

let key = 0
function request(model: string, tokens: RequestNote['tokens'], more: Partial<RequestNote> = {}): RequestNote {
  return { about: 'request', key: `${key++}`, trackId: undefined, model, tokens, ...more }
}

function answer(notes: readonly TokenNote[], statedUsd: number | null = null, prices_: PriceTable | null = prices) {
  const list = new RequestList()
  for (const note of notes) list.add(note, 0, 0)
  return costOf(usageOf(list)?.spent ?? [], statedUsd, prices_)
}

/** An estimate of requests whose tier the log does not name. */
const standard = (usd: number, requests = 1, atLeast = false) =>
  pricedCost(usd, '2026-10-01', { atLeast, basis: { ...noBasis, standard: requests } })

const estimated = 'Estimated: tokens times prices of 2026-10-01.'
const noTier = '1 request at the standard price: the log names no tier.'

describe('a cost', () => {
  test('is what the log states, else tokens times prices, and says which', () => {
    const notes = [request('opus', { input: 1000, cacheRead: 20_000, output: 100 })]
    expect(answer([], 0.5)).toEqual({ cost: statedCost(0.5), gaps: null })
    expect(answer(notes)).toEqual({ cost: standard(0.0175), gaps: null })
    expect(costWords(answer([], 0.5))).toEqual({ text: '$0.50', because: 'Stated by the log.' })
    expect(costWords(answer(notes))).toEqual({
      text: '≈ $0.0175',
      because: `${estimated} The log states no cost. ${noTier}`
    })
  })

  test('counts cache writes by how long they last', () => {
    const five = request('opus', { input: 0, cacheWrite: 1_000_000, cacheWriteHour: 0, output: 0 })
    const hour = request('opus', { input: 0, cacheWrite: 1_000_000, cacheWriteHour: 1_000_000, output: 0 })
    const both = request('opus', { input: 0, cacheWrite: 1_000_000, cacheWriteHour: 400_000, output: 0 })
    expect([five, hour, both].map((note) => answer([note]).cost?.usd)).toEqual([6.25, 10, 7.75])
    const untold = answer([request('opus', { input: 0, cacheWrite: 1000, output: 0 })])
    // The lower price of the two.
    expect(untold).toEqual({ cost: standard(0.00625, 1, true), gaps: costGaps({ unclear: 1 }) })
    expect(costWords(untold)).toEqual({
      text: '≥ $0.0062',
      because: `${estimated} The log states no cost. The log does not say which price applies to 1 request; the lowest is used. ${noTier}`
    })
  })

  test('of a long request has the prices of long requests, for all of its tokens', () => {
    const sent = (input: number): number | undefined =>
      answer([request('sonnet', { input, cacheRead: 100_000, output: 1000 })]).cost?.usd
    expect(sent(100_000)).toBe(0.3 + 0.03 + 0.015)
    expect(sent(100_001)).toBeCloseTo(0.600006 + 0.06 + 0.0225, 12)
  })

  test('of a sum that may hold long requests is at least that of short ones', () => {
    const turn = (input: number): TokenNote => ({
      about: 'turn',
      trackId: undefined,
      model: 'sonnet',
      tokens: { input, output: 1000 }
    })
    expect(answer([turn(150_000)]).cost?.usd).toBe(0.465)
    expect(answer([turn(250_000)])).toEqual({ cost: standard(0.765, 1, true), gaps: costGaps({ unclear: 1 }) })
  })

  test('is a lower bound if tokens are understated or not stated', () => {
    const understated = answer([request('opus', { input: 10, output: 1 }, { written: 3000 })])
    expect(understated).toEqual({ cost: standard(0.000075, 1, true), gaps: costGaps({ lacking: 1 }) })
    expect(costWords(understated).because).toContain('The log states too few tokens, or none, for 1 request.')
    expect(answer([request('opus', { output: 10 })])).toMatchObject({ cost: { atLeast: true }, gaps: { lacking: 1 } })
    expect(answer([request('opus', { input: 10 })])).toMatchObject({ cost: { atLeast: true }, gaps: { lacking: 1 } })
    expect(answer([request('opus', {})])).toEqual({ cost: null, gaps: costGaps({ lacking: 1 }) })
  })

  test('is a lower bound if a part of it has no price, and not known if no part has one', () => {
    const notes = [request('opus', { input: 10, output: 1 }), request('other', { input: 10, output: 1 })]
    const gaps = costGaps({ models: ['other'], unpriced: 1, unpricedTokens: 11 })
    expect(answer(notes)).toEqual({ cost: standard(0.000075, 1, true), gaps })
    expect(answer(notes, null, null)).toMatchObject({ cost: null, gaps: { models: ['opus', 'other'], unpriced: 2 } })
    // A request without tokens is not one with a price.
    const unsent = request('<synthetic>', { input: 0, output: 0 })
    expect(answer([request('other', { input: 10, output: 1 }), unsent])).toEqual({ cost: null, gaps })
    const cached = answer([request('tiny', { input: 10, cacheRead: 1, output: 1 })])
    expect(cached).toEqual({ cost: standard(0.00000105, 1, true), gaps: costGaps({ partly: 1 }) })
  })

  test('adds what the log states of some requests to the price of the others, each once', () => {
    const million = { input: 1_000_000, output: 0 }
    const notes = [request('opus', million, { costUsd: 0.1 }), request('other', million, { costUsd: 0.2 })]
    expect(answer(notes)).toEqual({ cost: statedCost(0.3), gaps: null })
    const both = answer([...notes, request('opus', million)])
    expect(both).toEqual({ cost: { ...standard(5.3), from: 'both' }, gaps: null })
    expect(costWords(both)).toEqual({
      text: '≈ $5.30',
      because: `Partly stated by the log. The rest is estimated: tokens times prices of 2026-10-01. ${noTier}`
    })
    expect(costWords(answer([request('opus', million, { costUsd: 0 })]))).toEqual({
      text: '$0.00',
      because: 'Stated by the log, as with a subscription or a free model.'
    })
  })

  test('of the run covers the requests before it was stated, and no later ones', () => {
    const million = { input: 1_000_000, output: 0 }
    const list = new RequestList()
    list.add(request('opus', million), 0, 0)
    list.addRunCost(4)
    list.add(request('opus', million), 1, 1)
    const usage = usageOf(list)
    expect(costOf(usage?.spent ?? [], list.runCostUsd, prices)).toEqual({
      cost: { ...standard(9), from: 'both' },
      gaps: null
    })
    // A model has a part of both, so its cost is that of its requests.
    expect(costOf(usage?.byModel[0]?.spent ?? [], null, prices).cost).toEqual(standard(10, 2))
    list.add({ about: 'cost', costUsd: 8.5 }, 2, 2)
    expect(costOf(usageOf(list)?.spent ?? [], list.runCostUsd, prices).cost).toEqual(statedCost(8.5))
  })

  test('of a request in fast mode has the price of it, or is at least the standard price', () => {
    const million = { input: 1_000_000, output: 0 }
    const fast = answer([request('opus', million, { tier: 'fast' })])
    expect(fast).toEqual({
      cost: pricedCost(10, '2026-10-01', { basis: { ...noBasis, fast: 1, fastTimes: 2 } }),
      gaps: null
    })
    expect(costWords(fast).because).toBe(
      `${estimated} The log states no cost. 1 request at the price of fast mode: 2 × the standard price.`
    )
    const unlisted = answer([request('tiny', million, { tier: 'fast' })])
    expect(unlisted).toMatchObject({ cost: { usd: 0.075, atLeast: true }, gaps: { surcharged: 1 } })
    expect(answer([request('opus', million, { tier: 'priority' })])).toMatchObject({
      ...{ cost: { usd: 5, atLeast: true }, gaps: { surcharged: 1 } }
    })
    expect(answer([request('opus', million, { tier: 'standard' })]).cost).toEqual(pricedCost(5))
    expect(answer([request('opus', million, { tier: 'batch' })]).cost).toEqual(
      pricedCost(5, '2026-10-01', { basis: { ...noBasis, discounted: 1 } })
    )
  })

  test('counts no tokens at any price: a request that was never sent', () => {
    const notes = [request('opus', { input: 1_000_000, output: 0 }), request('<synthetic>', { input: 0, output: 0 })]
    expect(answer(notes).cost?.usd).toBe(5)
  })

  test('of a log without tokens is not known', () => {
    expect(answer([])).toEqual({ cost: null, gaps: costGaps() })
    expect(costWords(answer([])).because).toBe('The log states neither a cost nor tokens.')
  })

  test('counts copies of a request in a fork once', () => {
    const copied = request('opus', { input: 1_000_000, output: 0 })
    expect(answer([copied, copied]).cost?.usd).toBe(5)
  })

  test('is exact at any size, or a lower bound', () => {
    const huge = Array.from({ length: 1000 }, () => request('opus', { input: 4_000_000_000, output: 0 }))
    expect(answer(huge).cost?.usd).toBe(20_000_000)
    expect(costOf([{ ...group('opus'), input: 2 ** 60 }], null, prices).gaps?.partly).toBe(1)
  })

  test('for programs has no amount without an origin', () => {
    expect(costJson(answer([request('opus', { input: 1000, output: 0 })]))).toEqual({
      ...standard(0.005),
      gaps: null
    })
    expect(costJson(answer([]))).toMatchObject({ usd: null, from: null, atLeast: null, pricesDate: null, basis: null })
  })
})

function group(model: string) {
  const nothing = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, cacheWriteUnclear: 0, output: 0 }
  return { model, over: 0, isSum: false, tier: null, stated: null, ...nothing, requests: 1, lacking: 0, unclear: 0 }
}

const anyNote = fc
  .record({
    model: fc.constantFrom('opus', 'sonnet', 'tiny'),
    track: fc.constantFrom(undefined, 'a', 'b'),
    input: fc.nat(400_000),
    output: fc.nat(50_000)
  })
  .map(({ model, track, input, output }) => request(model, { input, output }, { trackId: track }))

test('the costs of tracks, and of models, add up to the whole, in any order', () => {
  fc.assert(
    fc.property(fc.array(anyNote, { minLength: 1 }), (notes) => {
      const of = (each: readonly RequestNote[]) => {
        const list = new RequestList()
        for (const note of each) list.add(note, 0, 0)
        return usageOf(list)
      }
      const usage = of(notes)
      const usd = (spent: Parameters<typeof costOf>[0]): number => costOf(spent, null, prices).cost?.usd ?? NaN
      const whole = usd(usage?.spent ?? [])
      const sum = (parts: readonly { spent: Parameters<typeof costOf>[0] }[] = []): number =>
        parts.reduce((total, { spent }) => total + usd(spent), 0)
      expect(sum(usage?.byTrack)).toBeCloseTo(whole, 9)
      expect(sum(usage?.byModel)).toBeCloseTo(whole, 9)
      expect(usd(of(notes.toReversed())?.spent ?? [])).toBe(whole)
    })
  )
})

test('the reasons name at most three models', () => {
  const models = ['a', 'b', 'c', 'd', 'e', null]
  expect(gapWords(costGaps({ models, unpriced: 6 }))).toBe(
    'No price: a, b, c, 2 further models, not named (6 requests).'
  )
})

describe('prices', () => {
  const named = table(
    { names: ['gpt-5'], input: 1, output: 1 },
    { names: ['gpt-5-mini'], input: 2, output: 2 },
    { names: ['gpt-5-mini-2025-01-01'], input: 3, output: 3 },
    { names: ['local-*'], input: 4, output: 4 },
    { names: ['local-big*'], input: 5, output: 5 }
  )

  test.each([
    ['gpt-5', 1],
    ['GPT-5', 1],
    ['gpt-5-2025-08-07', 1],
    ['gpt-5-20250807', 1],
    ['gpt-5-mini', 2],
    ['gpt-5-mini-2025-08-07', 2],
    ['gpt-5-mini-2025-01-01', 3],
    ['local-small', 4],
    ['local-bigger', 5],
    ['gpt-5.4', undefined],
    ['gpt-5-pro', undefined],
    ['my-gpt-5', undefined],
    ['', undefined]
  ])('of %s', (model, input) => expect(pricesOf(named, model)?.prices.input).toBe(input))

  const listed = table(
    { names: ['claude-opus-4-6'], input: 5, output: 25 },
    { names: ['gpt-5.4'], input: 2.5, output: 15 },
    { names: ['eu.anthropic.claude-opus-4-6'], input: 5.5, output: 27.5 },
    { names: ['z-ai/glm-5'], input: 0.6, output: 2 }
  )

  test.each([
    ['anthropic.claude-opus-4-6-v1', 5, true],
    ['us.anthropic.claude-opus-4-6-20260101-v1:0', 5, true],
    ['us-gov.anthropic.claude-opus-4-6-v1', 5, true],
    ['eu.anthropic.claude-opus-4-6-20260101-v1:0', 5.5, false],
    ['arn:aws:bedrock:us-east-1:123:inference-profile/us.anthropic.claude-opus-4-6-v1', 5, true],
    ['arn:aws:bedrock:us-east-1:123:application-inference-profile/claude-opus-4-6', undefined, undefined],
    ['bedrock/us.anthropic.claude-opus-4-6-v1', 5, true],
    ['openai.gpt-5.4', 2.5, true],
    ['claude-opus-4-6@20260205', 5, false],
    ['claude-opus-4-6@default', 5, false],
    ['vertex_ai/claude-opus-4-6@default', 5, true],
    ['anthropic/claude-opus-4.6', 5, true],
    ['openrouter/anthropic/claude-opus-4.6', 5, true],
    ['anthropic/claude-opus-4.6:beta', 5, true],
    ['anthropic/claude-opus-4.6:free', undefined, undefined],
    ['anthropic/claude-opus-4.6:nitro', undefined, undefined],
    ['anthropic/claude-opus-4.6-fast', undefined, undefined],
    ['claude-opus-4.6', 5, false],
    ['copilot/claude-opus-4.6', 5, true],
    ['openai/gpt-5.4', 2.5, true],
    ['gpt-5-4', undefined, undefined],
    ['z-ai/glm-5', 0.6, false],
    ['glm-5', undefined, undefined],
    ['my-deployment', undefined, undefined]
  ])('of a platform: %s', (model, input, ofVendor) => {
    const found = pricesOf(listed, model)
    expect([found?.prices.input, found?.ofVendor]).toEqual([input, ofVendor])
  })

  test('are those of the full name first, and none where they are doubtful', () => {
    const own = PriceTable.parse({
      sources: [
        {
          ...{ address: 'a', date: '2026-01-01', unpriced: ['au.anthropic.claude-opus-4-6'] },
          models: [
            { names: ['us.anthropic.claude-opus-4-6-v1'], input: 1, output: 1 },
            { names: ['claude-opus-4-6'], input: 5, output: 25 }
          ]
        }
      ]
    })
    expect(pricesOf(own, 'us.anthropic.claude-opus-4-6-v1')).toMatchObject({ prices: { input: 1 }, ofVendor: false })
    expect(pricesOf(own, 'au.anthropic.claude-opus-4-6-v1')).toBeNull()
  })

  test.each([
    ['no source', { sources: [] }],
    ['a price below zero', { names: ['a'], input: -1, output: 1 }],
    ['a price that is no number', { names: ['a'], input: '1', output: 1 }],
    ['an endless price', { names: ['a'], input: Infinity, output: 1 }],
    ['more than six decimals', { names: ['a'], input: 0.12345678, output: 1 }],
    ['an unknown member', { names: ['a'], input: 1, output: 1, cached: 1 }],
    ['a size of its own', { names: ['a'], input: 1, output: 1, long: { over: 1000, input: 1, output: 1 } }],
    ['no name', { names: [], input: 1, output: 1 }],
    ['no output price', { names: ['a'], input: 1 }]
  ])('refuse %s', (_what, model) => {
    const sources = 'sources' in model ? model.sources : [{ address: 'a', date: '2026-01-01', models: [model] }]
    expect(PriceTable.safeParse({ sources }).success).toBe(false)
  })

  test.each(['yesterday', '2026-13-01', ''])('refuse the date "%s"', (date) => {
    expect(PriceTable.safeParse({ sources: [{ address: 'a', date, models: [] }] }).success).toBe(false)
  })

  test('never fail, whatever a model is called', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect([null, 4, 5]).toContain(pricesOf(named, name)?.prices.input ?? null)
      })
    )
  })
})
