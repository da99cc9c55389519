import { type CostAnswer, costOf } from './cost.ts'
import type { PriceTable } from './prices.ts'
import type { ModelRequest } from './request-list.ts'
import { groupOf } from './token-groups.ts'

/**
 * What one request cost. There is no amount if its own output is understated, even if its turn states the output of all
 * its requests.
 */
export function costOfRequest(request: ModelRequest, prices: PriceTable | null): CostAnswer {
  return costOf([groupOf(request, request.outputIs !== 'stated')], request.costUsd, prices)
}

/** Adds up costs. There is no sum without all of them. */
export class CostSum {
  private count = 0
  private usd = 0
  private isEstimated = false
  private pricesDate: string | null = null
  private lacking = 0
  private unclear = 0
  private models: Set<string | null> | null = null

  /** `parts`: into how many equal parts the cost is divided, of which one is added. */
  add({ cost, gaps }: CostAnswer, parts = 1): void {
    this.count++
    if (cost === null) {
      if (gaps.lacking > 0) this.lacking++
      else if (gaps.unclear > 0) this.unclear++
      for (const model of gaps.models) (this.models ??= new Set()).add(model)
      return
    }
    this.usd += cost.usd / parts
    if (cost.from === 'prices') this.isEstimated = true
    if (cost.pricesDate !== null && (this.pricesDate === null || cost.pricesDate < this.pricesDate)) {
      this.pricesDate = cost.pricesDate
    }
  }

  /** Adds something whose cost the log does not tell. */
  addUnknown(): void {
    this.count++
    this.lacking++
  }

  get answer(): CostAnswer {
    const { usd, pricesDate, lacking, unclear } = this
    if (this.count === 0 || lacking > 0 || unclear > 0 || this.models !== null) {
      return { cost: null, gaps: { models: [...(this.models ?? [])], lacking, unclear } }
    }
    return { cost: { usd, from: this.isEstimated ? 'prices' : 'stated', pricesDate }, gaps: null }
  }
}
