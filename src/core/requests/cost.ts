import * as z from 'zod'
import { type DatedPrices, picodollars, pricesOf, type PriceTable, type Rates } from './prices.ts'
import { picodollarsOfDollar, type TokenGroup } from './token-groups.ts'

const Count = z.int().min(0)

/** The origin of a sum of amounts. `before`: of those so far; null: none. */
export function originOf(before: Cost['from'] | null, next: Cost['from']): Cost['from'] {
  return before === null || before === next ? next : 'both'
}

/** How requests were priced whose price the log does not tell in full. */
export const CostBasis = z.object({
  /** At the standard price, as the log names no tier. */
  standard: Count,
  /** At the price of fast mode. */
  fast: Count,
  /** How many times the standard price that of fast mode is; null: it differs, or there is none. */
  fastTimes: z.number().nullable(),
  /** At the price of the vendor, though the log names a platform, which may bill another. */
  vendor: Count,
  /** At the standard price, though the log says batch or flex, which cost less. */
  discounted: Count
})
export type CostBasis = z.infer<typeof CostBasis>

/** An amount with its origin; there is no amount without. */
export const Cost = z.object({
  usd: z.number(),
  /** `stated`: by the log. `prices`: its tokens times prices. `both`: a part of it each. */
  from: z.enum(['stated', 'prices', 'both']),
  /** It is a lower bound; the gaps say what it leaves out. */
  atLeast: z.boolean(),
  /** When the prices were read, the oldest of those used; null: stated, or nothing to pay for. */
  pricesDate: z.string().nullable(),
  /** Null: no prices were used. */
  basis: CostBasis.nullable()
})
export type Cost = z.infer<typeof Cost>

/** What an amount leaves out, or why there is none. All empty: the log states neither a cost nor tokens. */
export const CostGaps = z.object({
  /** Models without a price; null: the log names no model. */
  models: z.array(z.string().nullable()),
  /** Their requests, and the tokens of these. */
  unpriced: Count,
  unpricedTokens: z.number().min(0),
  /** Requests whose tokens are understated or not stated. */
  lacking: Count,
  /** Requests that have several prices, where the log does not tell which one. The lowest counts. */
  unclear: Count,
  /** Requests with tokens for which the model's prices have no price, such as those of its cache. */
  partly: Count,
  /** Requests that were served for more, at a price that is not known. The standard price counts. */
  surcharged: Count
})
export type CostGaps = z.infer<typeof CostGaps>

/** Nothing is left out, or nothing is known. */
export const noGaps: CostGaps = {
  models: [],
  unpriced: 0,
  unpricedTokens: 0,
  lacking: 0,
  unclear: 0,
  partly: 0,
  surcharged: 0
}
export const noBasis: CostBasis = { standard: 0, fast: 0, fastTimes: null, vendor: 0, discounted: 0 }

export const CostAnswer = z.object({
  /** Null: nothing is stated, and nothing has a price. */
  cost: Cost.nullable(),
  /** Null: the amount leaves nothing out. */
  gaps: CostGaps.nullable()
})
export type CostAnswer = z.infer<typeof CostAnswer>

/**
 * The cost of tokens: what the log states, and else tokens times prices. `statedUsd`: of what is not in `spent`. An
 * amount that leaves something out is a lower bound. Null `prices`: there are none.
 */
export function costOf(spent: readonly TokenGroup[], statedUsd: number | null, prices: PriceTable | null): CostAnswer {
  const sum = new Sum()
  if (statedUsd !== null) sum.state(Math.round(statedUsd * picodollarsOfDollar))
  for (const group of spent) {
    if (group.stated === null) sum.price(group, prices)
    else sum.state(group.stated)
  }
  return sum.answer
}

class Sum {
  #picodollars = 0n
  #isStated = false
  #isPriced = false
  #isFree = false
  #pricesDate: string | null = null
  readonly #models = new Set<string | null>()
  readonly #gaps = { ...noGaps }
  readonly #basis = { ...noBasis }
  #fastTimes: number | null | undefined

  state(picodollars_: number): void {
    this.#isStated = true
    this.#picodollars += BigInt(picodollars_)
  }

  price(group: TokenGroup, prices: PriceTable | null): void {
    this.#gaps.lacking += group.lacking
    // A log may name a model that nobody asked; no tokens cost nothing.
    if (tokensOf(group) === 0) {
      this.#isFree ||= group.lacking === 0
      return
    }
    const found = prices === null || group.model === null ? null : pricesOf(prices, group.model)
    if (found === null) {
      this.#models.add(group.model)
      this.#gaps.unpriced += group.requests
      this.#gaps.unpricedTokens += tokensOf(group)
      return
    }
    const { date } = found.prices
    if (this.#pricesDate === null || date < this.#pricesDate) this.#pricesDate = date
    this.#isPriced = true
    if (found.ofVendor) this.#basis.vendor += group.requests
    if (group.tier === null) this.#basis.standard += group.requests
    if (group.tier === 'flex' || group.tier === 'batch') this.#basis.discounted += group.requests
    this.#pay(group, found.prices)
  }

  #pay(group: TokenGroup, prices: DatedPrices): void {
    const { tier, requests } = group
    const isFast = tier === 'fast' && prices.fast !== undefined
    const isLong = prices.long !== undefined && group.over >= prices.long.over
    if (isFast) {
      this.#basis.fast += requests
      this.#fastTimes = sameTimes(this.#fastTimes, prices)
    } else if (tier === 'fast' || tier === 'priority') this.#gaps.surcharged += requests
    const standard = isFast && prices.fast !== undefined ? prices.fast : prices
    // Requests of a sum have at most its size, but may have less. What a long request costs in fast mode is not known.
    const isUntold = isLong && (group.isSum || isFast)
    const long = isLong && prices.long !== undefined ? paidFor(group, prices.long) : null
    const paid = long === null || isUntold ? paidFor(group, standard) : long
    const least = isUntold && long !== null && long.sum < paid.sum ? long : paid
    if (isUntold) this.#gaps.unclear += requests
    else if (least.isUntold) this.#gaps.unclear += group.unclear
    if (least.lacksPrice) this.#gaps.partly += requests
    this.#picodollars += least.sum
  }

  get answer(): CostAnswer {
    const gaps = { ...this.#gaps, models: [...this.#models] }
    const hasGaps = Object.values(this.#gaps).some((count) => typeof count === 'number' && count > 0)
    const isKnown = this.#isPriced || this.#isStated || (this.#isFree && !hasGaps)
    if (!isKnown) return { cost: null, gaps }
    const cost: Cost = {
      usd: Number(this.#picodollars) / picodollarsOfDollar,
      from: !this.#isStated ? 'prices' : this.#isPriced ? 'both' : 'stated',
      atLeast: hasGaps,
      pricesDate: this.#pricesDate,
      basis: this.#isPriced ? { ...this.#basis, fastTimes: this.#fastTimes ?? null } : null
    }
    return { cost, gaps: hasGaps ? gaps : null }
  }
}

function tokensOf({ input, cacheRead, cacheWrite, output }: TokenGroup): number {
  return input + cacheRead + cacheWrite + output
}

/** `before`: undefined at first. Null: the factors differ. */
function sameTimes(before: number | null | undefined, { input, fast }: DatedPrices): number | null {
  const times = fast === undefined || input === 0 ? null : fast.input / input
  return before === undefined || before === times ? times : null
}

interface Paid {
  /** In 10⁻¹² dollars. */
  readonly sum: bigint
  /** The log does not tell which price applies to cache writes; the lower one counts. */
  readonly isUntold: boolean
  /** Some tokens have no price. */
  readonly lacksPrice: boolean
}

function paidFor(group: TokenGroup, rates: Rates): Paid {
  const { cacheWrite } = rates
  const hour = rates.cacheWriteHour === undefined ? cacheWrite : (rates.cacheWriteHour ?? undefined)
  const lower = lowerOf(cacheWrite, hour)
  const parts: readonly (readonly [number, number | undefined])[] = [
    [group.input, rates.input],
    [group.cacheRead, rates.cacheRead],
    [group.cacheWrite - group.cacheWriteHour - group.cacheWriteUnclear, cacheWrite],
    [group.cacheWriteUnclear, lower],
    [group.cacheWriteHour, hour ?? cacheWrite],
    [group.output, rates.output]
  ]
  let sum = 0n
  let lacksPrice = group.cacheWriteHour > 0 && hour === undefined
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue
    if (price === undefined || !Number.isSafeInteger(tokens)) lacksPrice = true
    else sum += BigInt(tokens) * BigInt(picodollars(price))
  }
  return { sum, isUntold: group.cacheWriteUnclear > 0 && hour !== cacheWrite, lacksPrice }
}

function lowerOf(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}

/** A cost for programs: an amount with its origin, or null with the reasons. */
export type CostJson = { readonly [K in keyof Cost]: Cost[K] | null } & { readonly gaps: CostGaps | null }

export function costJson({ cost, gaps }: CostAnswer): CostJson {
  const { usd = null, from = null, atLeast = null, pricesDate = null, basis = null } = cost ?? {}
  return { usd, from, atLeast, pricesDate, basis, gaps }
}
