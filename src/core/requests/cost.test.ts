import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costJson, costOf, costWords, gapWords } from './cost.ts'
import { PriceTable, pricesOf } from './prices.ts'
import { RequestList } from './request-list.ts'
import type { RequestNote, TokenNote } from './request-note.ts'
import { usageOf } from './usage.ts'

const prices = table(
  { names: ['opus'], input: 5, cacheRead: 0.5, cacheWrite: 6.25, cacheWriteHour: 10, output: 25 },
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

describe('a cost', () => {
  test('is what the log states, else tokens times prices, and says which', () => {
    const notes = [request('opus', { input: 1000, cacheRead: 20_000, output: 100 })]
    expect(answer(notes, 0.5)).toEqual({ cost: { usd: 0.5, from: 'stated', pricesDate: null }, gaps: null })
    expect(answer(notes)).toEqual({ cost: { usd: 0.0175, from: 'prices', pricesDate: '2026-10-01' }, gaps: null })
    expect(costWords(answer(notes, 0.5))).toEqual({ text: '$0.50', because: 'Stated by the log.' })
    expect(costWords(answer(notes))).toEqual({
      text: '≈ $0.0175',
      because: 'Estimated: tokens times prices of 2026-10-01. The log states no cost.'
    })
  })

  test('counts cache writes by how long they last', () => {
    const five = request('opus', { input: 0, cacheWrite: 1_000_000, cacheWriteHour: 0, output: 0 })
    const hour = request('opus', { input: 0, cacheWrite: 1_000_000, cacheWriteHour: 1_000_000, output: 0 })
    const both = request('opus', { input: 0, cacheWrite: 1_000_000, cacheWriteHour: 400_000, output: 0 })
    expect([five, hour, both].map((note) => answer([note]).cost?.usd)).toEqual([6.25, 10, 7.75])
    const untold = answer([request('opus', { input: 0, cacheWrite: 1000, output: 0 })])
    expect(untold).toEqual({ cost: null, gaps: { models: [], lacking: 0, unclear: 1 } })
    expect(costWords(untold).because).toBe('The log does not tell which price applies to 1 request.')
  })

  test('of a long request has the prices of long requests, for all of its tokens', () => {
    const sent = (input: number): number | undefined =>
      answer([request('sonnet', { input, cacheRead: 100_000, output: 1000 })]).cost?.usd
    expect(sent(100_000)).toBe(0.3 + 0.03 + 0.015)
    expect(sent(100_001)).toBeCloseTo(0.600006 + 0.06 + 0.0225, 12)
  })

  test('of a sum that may hold long requests is not known', () => {
    const turn = (input: number): TokenNote => ({
      about: 'turn',
      trackId: undefined,
      model: 'sonnet',
      tokens: { input, output: 1000 }
    })
    expect(answer([turn(150_000)]).cost?.usd).toBe(0.465)
    expect(answer([turn(250_000)])).toEqual({ cost: null, gaps: { models: [], lacking: 0, unclear: 1 } })
  })

  test('is not known if tokens are understated or not stated', () => {
    const understated = answer([request('opus', { input: 10, output: 1 }, { written: 3000 })])
    expect(understated).toEqual({ cost: null, gaps: { models: [], lacking: 1, unclear: 0 } })
    expect(costWords(understated)).toEqual({
      text: null,
      because: 'The log states too few tokens, or none, for 1 request.'
    })
    expect(answer([request('opus', { output: 10 })]).gaps?.lacking).toBe(1)
    expect(answer([request('opus', { input: 10 })]).gaps?.lacking).toBe(1)
  })

  test('is not known if a part of it has no price: no sum of the known parts', () => {
    const notes = [request('opus', { input: 10, output: 1 }), request('other', { input: 10, output: 1 })]
    expect(answer(notes)).toEqual({ cost: null, gaps: { models: ['other'], lacking: 0, unclear: 0 } })
    expect(answer(notes, null, null).gaps?.models).toEqual(['opus', 'other'])
    const cached = answer([request('tiny', { input: 10, cacheRead: 1, output: 1 })])
    expect(cached.gaps).toEqual({ models: [], lacking: 0, unclear: 1 })
  })

  test('counts no tokens at any price: a request that was never sent', () => {
    const notes = [request('opus', { input: 1_000_000, output: 0 }), request('<synthetic>', { input: 0, output: 0 })]
    expect(answer(notes).cost?.usd).toBe(5)
  })

  test('of a log without tokens is not known', () => {
    expect(answer([])).toEqual({ cost: null, gaps: { models: [], lacking: 0, unclear: 0 } })
    expect(costWords(answer([])).because).toBe('The log states neither a cost nor tokens.')
  })

  test('counts copies of a request in a fork once', () => {
    const copied = request('opus', { input: 1_000_000, output: 0 })
    expect(answer([copied, copied]).cost?.usd).toBe(5)
  })

  test('is exact at any size, or not known', () => {
    const huge = Array.from({ length: 1000 }, () => request('opus', { input: 4_000_000_000, output: 0 }))
    expect(answer(huge).cost?.usd).toBe(20_000_000)
    expect(costOf([{ ...group('opus'), input: 2 ** 60 }], null, prices).gaps?.unclear).toBe(1)
  })

  test('for programs has no amount without an origin', () => {
    expect(costJson(answer([request('opus', { input: 1000, output: 0 })]))).toEqual({
      ...{ usd: 0.005, from: 'prices', pricesDate: '2026-10-01', gaps: null }
    })
    expect(costJson(answer([]))).toMatchObject({ usd: null, from: null, pricesDate: null })
  })
})

function group(model: string) {
  const nothing = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, cacheWriteUnclear: 0, output: 0 }
  return { model, over: 0, isSum: false, ...nothing, requests: 1, lacking: 0 }
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
  expect(gapWords({ models, lacking: 0, unclear: 0 })).toBe(
    'No price is known for a, b, c, 2 further models. The log does not name the model.'
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
  ])('of %s', (model, input) => expect(pricesOf(named, model)?.input).toBe(input))

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
        expect([null, 4, 5]).toContain(pricesOf(named, name)?.input ?? null)
      })
    )
  })
})
