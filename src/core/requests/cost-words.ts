import { costText, countText } from '../measure-text.ts'
import type { Cost, CostAnswer, CostBasis, CostGaps } from './cost.ts'

/** A cost for people: "$0.34", "≈ $0.34", "≥ $0.34"; null: no number. */
export interface CostWords {
  readonly text: string | null
  /** Where the number is from and what it leaves out, or why there is none: sentences. */
  readonly because: string
}

export function costWords({ cost, gaps }: CostAnswer): CostWords {
  if (cost === null) return { text: null, because: gaps === null ? '' : gapWords(gaps) }
  return { text: signedCost(cost), because: sentences(origin(cost), cost, gaps) }
}

/** "$0.34", "≈ $0.34" for an estimate, "≥ $0.34" for a lower bound. */
export function signedCost({ usd, from, atLeast }: Pick<Cost, 'usd' | 'from' | 'atLeast'>): string {
  return atLeast ? `≥ ${costText(usd, true)}` : `${from === 'stated' ? '' : '≈ '}${costText(usd)}`
}

/** Where a cost of calls is from, or why there is none. It is that of the requests that made them (`RequestCalls`). */
export function callCostReason({ cost, gaps }: CostAnswer): string {
  if (cost === null) return gaps === null ? '' : gapWords(gaps, 'call')
  const from = cost.from === 'stated' ? 'The log states the costs of requests.' : priced(cost)
  return `${sentences(from, cost, gaps, 'call')} The cost of a request is divided equally among its calls.`
}

/** What is counted: requests, or calls with the requests that made them. */
type Counted = 'request' | 'call'

function sentences(from: string, { basis }: Cost, gaps: CostGaps | null, of: Counted = 'request'): string {
  const all = [from, gaps === null ? '' : gapWords(gaps, of), basis === null ? '' : basisWords(basis, of)]
  return all.filter((sentence) => sentence !== '').join(' ')
}

function origin(cost: Cost): string {
  if (cost.from === 'prices') return `${priced(cost)} The log states no cost.`
  if (cost.from === 'both')
    return `Partly stated by the log. The rest is estimated: tokens times ${pricesOfDate(cost)}.`
  return cost.usd === 0 ? 'Stated by the log, as with a subscription or a free model.' : 'Stated by the log.'
}

function priced(cost: Cost): string {
  return `Estimated: tokens times ${pricesOfDate(cost)}.`
}

function pricesOfDate({ pricesDate }: Pick<Cost, 'pricesDate'>): string {
  return pricesDate === null ? 'prices' : `prices of ${pricesDate}`
}

const maxNamed = 3

/** The first models, and how many more there are: "a, b, c, 2 further models". */
export function modelsText(models: readonly string[]): string {
  const further = models.length - maxNamed
  const rest = further > 0 ? [`${further} further ${further === 1 ? 'model' : 'models'}`] : []
  return [...models.slice(0, maxNamed), ...rest].join(', ')
}

/** What an amount leaves out, or why there is none. `of`: what the numbers count. */
export function gapWords(gaps: CostGaps, of: Counted = 'request'): string {
  const { models, unpriced, unpricedTokens, lacking, unclear, partly, surcharged } = gaps
  const said: string[] = []
  if (unpriced > 0) {
    const named = models.filter((model) => model !== null)
    const tokens = unpricedTokens === 0 ? '' : `${countText(unpricedTokens)} tokens, `
    const list = [...(named.length === 0 ? [] : [modelsText(named)]), ...(models.includes(null) ? ['not named'] : [])]
    said.push(`No price: ${list.join(', ')} (${tokens}${counted(unpriced, of)}).`)
  }
  if (lacking > 0) said.push(`The log states too few tokens, or none, for ${ofThem(lacking, of)}.`)
  if (unclear > 0) said.push(`The log does not say which price applies to ${ofThem(unclear, of)}; the lowest is used.`)
  if (partly > 0) said.push(`Some tokens of ${ofThem(partly, of)} have no price.`)
  if (surcharged > 0) said.push(`The price of a faster service is not known for ${ofThem(surcharged, of)}.`)
  return said.length === 0 ? 'The log states neither a cost nor tokens.' : said.join(' ')
}

function basisWords({ standard, fast, fastTimes, vendor, discounted }: CostBasis, of: Counted): string {
  const said: string[] = []
  if (fast > 0) {
    const times = fastTimes === null ? '' : `: ${Number(fastTimes.toFixed(2))} × the standard price`
    said.push(`${counted(fast, of)} at the price of fast mode${times}.`)
  }
  if (standard > 0) said.push(`${counted(standard, of)} at the standard price: the log names no tier.`)
  if (vendor > 0)
    said.push(`${counted(vendor, of)} at the vendor's list price; the platform may charge a different one.`)
  if (discounted > 0)
    said.push(`${counted(discounted, of)} at the list price; the log says batch or flex, which may cost less.`)
  return said.join(' ')
}

function counted(count: number, of: Counted): string {
  return `${countText(count)} ${count === 1 ? of : `${of}s`}`
}

function ofThem(count: number, of: Counted): string {
  return `${of === 'call' ? 'the requests of ' : ''}${counted(count, of)}`
}
