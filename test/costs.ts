import { type Cost, type CostGaps, noBasis, noGaps } from '#core/requests/cost.ts'

/** A cost that the log states. */
export const statedCost = (usd: number): Cost => ({
  usd,
  from: 'stated',
  atLeast: false,
  pricesDate: null,
  basis: null
})

/** A cost by prices. */
export const pricedCost = (usd: number, pricesDate = '2026-10-01', more: Partial<Cost> = {}): Cost => ({
  ...{ usd, from: 'prices', atLeast: false, pricesDate, basis: noBasis },
  ...more
})

export const costGaps = (gaps: Partial<CostGaps> = {}): CostGaps => ({ ...noGaps, ...gaps })
