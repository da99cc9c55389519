import { type Cost, type CostAnswer, type CostBasis, type CostGaps, costOf, noBasis, noGaps, originOf } from './cost.ts'
import type { PriceTable } from './prices.ts'
import type { ModelRequest } from './request-list.ts'
import { groupOf } from './token-groups.ts'

/** What one request cost: at least this if its own output is understated, even if its turn states the output of all. */
export function costOfRequest(request: ModelRequest, prices: PriceTable | null): CostAnswer {
  return costOf([groupOf(request, request.outputIs !== 'stated')], null, prices)
}

/** Adds up costs. A sum without one of them is a lower bound. The gaps and the basis count what was added. */
export class CostSum {
  private usd = 0
  private isKnown = false
  private atLeast = false
  private from: Cost['from'] | null = null
  private pricesDate: string | null = null
  private models: Set<string | null> | null = null
  private readonly gaps = { ...noGaps }
  private readonly basis = { ...noBasis }
  private fastTimes: number | null | undefined

  /** `parts`: into how many equal parts the cost is divided, of which one is added. */
  add({ cost, gaps }: CostAnswer, parts = 1): void {
    if (gaps !== null) this.addGaps(gaps, parts)
    if (cost === null || gaps !== null) this.atLeast = true
    if (cost === null) return
    this.isKnown = true
    this.usd += cost.usd / parts
    this.from = originOf(this.from, cost.from)
    if (cost.pricesDate !== null && (this.pricesDate === null || cost.pricesDate < this.pricesDate)) {
      this.pricesDate = cost.pricesDate
    }
    if (cost.basis !== null) this.addBasis(cost.basis)
  }

  /** Adds something whose cost the log does not tell. */
  addUnknown(): void {
    this.atLeast = true
    this.gaps.lacking++
  }

  get answer(): CostAnswer {
    const { usd, from, atLeast, pricesDate, basis, fastTimes = null } = this
    const unpricedTokens = Math.round(this.gaps.unpricedTokens)
    const gaps = { ...this.gaps, unpricedTokens, models: [...(this.models ?? [])] }
    if (!this.isKnown || from === null) return { cost: null, gaps }
    return {
      cost: { usd, from, atLeast, pricesDate, basis: from === 'stated' ? null : { ...basis, fastTimes } },
      gaps: atLeast ? gaps : null
    }
  }

  private addGaps(gaps: CostGaps, parts: number): void {
    for (const model of gaps.models) (this.models ??= new Set()).add(model)
    this.gaps.unpricedTokens += gaps.unpricedTokens / parts
    for (const name of ['unpriced', 'lacking', 'unclear', 'partly', 'surcharged'] as const)
      this.gaps[name] += Math.min(1, gaps[name])
  }

  private addBasis(basis: CostBasis): void {
    for (const name of ['standard', 'fast', 'vendor', 'discounted'] as const)
      this.basis[name] += Math.min(1, basis[name])
    if (basis.fast === 0) return
    const before = this.fastTimes
    this.fastTimes = before === undefined || before === basis.fastTimes ? basis.fastTimes : null
  }
}
