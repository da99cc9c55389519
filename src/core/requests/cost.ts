import * as z from 'zod'
import { countText, costText } from '../measure-text.ts'
import { type ModelPrices, picodollars, pricesOf, type PriceTable, type Rates } from './prices.ts'
import type { TokenGroup } from './token-groups.ts'

/** An amount with its origin; there is no amount without. */
export const Cost = z.object({
  usd: z.number(),
  /** `stated`: by the log. `prices`: its tokens times prices. */
  from: z.enum(['stated', 'prices']),
  /** When the prices were read, the oldest of those used; null: stated, or nothing to pay for. */
  pricesDate: z.string().nullable()
})
export type Cost = z.infer<typeof Cost>

/** Why there is no amount. All empty: the log states no tokens. */
export const CostGaps = z.object({
  /** Models without a price; null: the log names no model. */
  models: z.array(z.string().nullable()),
  /** Requests whose tokens are understated or not stated. */
  lacking: z.int().min(0),
  /** Requests that have several prices, where the log does not tell which one. */
  unclear: z.int().min(0)
})
export type CostGaps = z.infer<typeof CostGaps>

export const CostAnswer = z.union([
  z.object({ cost: Cost, gaps: z.null() }),
  z.object({ cost: z.null(), gaps: CostGaps })
])
export type CostAnswer = z.infer<typeof CostAnswer>

const picodollarsOfDollar = 1_000_000_000_000n

/**
 * The cost of tokens. `statedUsd`: by the log, which wins. There is no amount if a part of it is unknown: a sum of the
 * known parts would look like all of it. Null `prices`: there are none.
 */
export function costOf(spent: readonly TokenGroup[], statedUsd: number | null, prices: PriceTable | null): CostAnswer {
  if (statedUsd !== null) return { cost: { usd: statedUsd, from: 'stated', pricesDate: null }, gaps: null }
  const models = new Set<string | null>()
  let [lacking, unclear] = [0, 0]
  let sum = 0n
  let pricesDate: string | null = null
  for (const group of spent) {
    lacking += group.lacking
    // A log may name a model that nobody asked; no tokens cost nothing.
    if (isEmpty(group)) continue
    const found = prices === null || group.model === null ? null : pricesOf(prices, group.model)
    if (found === null) {
      models.add(group.model)
      continue
    }
    if (pricesDate === null || found.date < pricesDate) pricesDate = found.date
    const paid = paidFor(group, found)
    if (paid === null) unclear += group.requests
    else sum += paid
  }
  if (spent.length === 0 || models.size > 0 || lacking > 0 || unclear > 0)
    return { cost: null, gaps: { models: [...models], lacking, unclear } }
  return { cost: { usd: Number(sum) / Number(picodollarsOfDollar), from: 'prices', pricesDate }, gaps: null }
}

function isEmpty({ input, cacheRead, cacheWrite, output }: TokenGroup): boolean {
  return input + cacheRead + cacheWrite + output === 0
}

/** In 10⁻¹² dollars; null: the log does not tell which price applies. */
function paidFor(group: TokenGroup, model: ModelPrices): bigint | null {
  const isLong = model.long !== undefined && group.over >= model.long.over
  // Requests of a sum have at most its size, but may have less.
  if (isLong && group.isSum) return null
  const rates: Rates = isLong && model.long !== undefined ? model.long : model
  const hour = rates.cacheWriteHour ?? rates.cacheWrite
  if (group.cacheWriteUnclear > 0 && hour !== rates.cacheWrite) return null
  const parts: readonly (readonly [number, number | undefined])[] = [
    [group.input, rates.input],
    [group.cacheRead, rates.cacheRead],
    [group.cacheWrite - group.cacheWriteHour, rates.cacheWrite],
    [group.cacheWriteHour, hour],
    [group.output, rates.output]
  ]
  let sum = 0n
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue
    if (price === undefined || !Number.isSafeInteger(tokens)) return null
    sum += BigInt(tokens) * BigInt(picodollars(price))
  }
  return sum
}

/** A cost for programs: an amount with its origin, or null with the reasons. */
export type CostJson = { readonly [K in keyof Cost]: Cost[K] | null } & { readonly gaps: CostGaps | null }

export function costJson({ cost, gaps }: CostAnswer): CostJson {
  return { usd: cost?.usd ?? null, from: cost?.from ?? null, pricesDate: cost?.pricesDate ?? null, gaps }
}

/** A cost for people: "$0.34", "≈ $0.34"; null: no number. */
export interface CostWords {
  readonly text: string | null
  /** Where the number is from, or why there is none: a sentence. */
  readonly because: string
}

export function costWords({ cost, gaps }: CostAnswer): CostWords {
  if (cost === null) return { text: null, because: gapWords(gaps) }
  if (cost.from === 'stated') return { text: costText(cost.usd), because: 'Stated by the log.' }
  return { text: `≈ ${costText(cost.usd)}`, because: `${estimated(cost)} The log states no cost.` }
}

/** Where a cost of calls is from, or why there is none. It is that of the requests that made them (`RequestCalls`). */
export function callCostReason({ cost, gaps }: CostAnswer): string {
  if (cost === null) return gapWords(gaps, 'call')
  const from = cost.from === 'stated' ? 'The log states the costs of requests.' : estimated(cost)
  return `${from} The cost of a request is divided equally among its calls.`
}

function estimated(cost: Cost): string {
  const prices = cost.pricesDate === null ? 'prices' : `prices of ${cost.pricesDate}`
  return `Estimated: tokens times ${prices}.`
}

const maxNamed = 3

/** Why there is no number. `of`: what the numbers count. */
export function gapWords({ models, lacking, unclear }: CostGaps, of: 'request' | 'call' = 'request'): string {
  const sentences: string[] = []
  const named = models.filter((model) => model !== null)
  if (named.length > 0) {
    const further = named.length - maxNamed
    const list = [...named.slice(0, maxNamed), ...(further > 0 ? [`${further} further models`] : [])]
    sentences.push(`No price is known for ${list.join(', ')}.`)
  }
  if (models.includes(null)) sentences.push('The log does not name the model.')
  const counted = (count: number): string => {
    return `${of === 'call' ? 'the requests of ' : ''}${countText(count)} ${count === 1 ? of : `${of}s`}`
  }
  if (lacking > 0) sentences.push(`The log states too few tokens, or none, for ${counted(lacking)}.`)
  if (unclear > 0) sentences.push(`The log does not tell which price applies to ${counted(unclear)}.`)
  return sentences.length === 0 ? 'The log states neither a cost nor tokens.' : sentences.join(' ')
}
