import { costOf, type CostAnswer } from '../requests/cost.ts'
import { signedCost } from '../requests/cost-words.ts'
import type { PriceTable } from '../requests/prices.ts'
import type { TokenGroup } from '../requests/token-groups.ts'
import { costText, countText, durationText, groupedText } from '../measure-text.ts'

/** What is shown of a session beside another one. Unknown is null. */
export interface ComparedTotals {
  readonly model: string | null
  readonly wallMs: number | null
  readonly activeMs: number | null
  readonly turns: number
  readonly calls: number
  readonly failedCalls: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** The log understates the output. */
  readonly outputAtLeast: boolean
  /** What the log states that the session cost, and what is not in it (`costOf`). */
  readonly costUsd: number | null
  readonly spent: readonly TokenGroup[]
  readonly todosDone: number | null
  readonly todosTotal: number | null
  readonly filesChanged: number
}

/** A figure of a session. */
export interface ComparedFigure {
  readonly name: string
  readonly text: (totals: ComparedTotals) => string
  /** B against A: "+6", "−1m 52s", "=", "unknown"; empty without anything to count in one of them. */
  readonly change: (a: ComparedTotals, b: ComparedTotals) => string
}

function figure(
  name: string,
  value: (totals: ComparedTotals) => number | null,
  text: (value: number, totals: ComparedTotals) => string,
  {
    none = 'unknown',
    size = text,
    isAtLeast = () => false
  }: {
    none?: string
    size?: (value: number, totals: ComparedTotals) => string
    isAtLeast?: (totals: ComparedTotals) => boolean
  } = {}
): ComparedFigure {
  return {
    name,
    text(totals) {
      const known = value(totals)
      return known === null ? none : text(known, totals)
    },
    change(a, b) {
      const [one, other] = [value(a), value(b)]
      if (one === null || other === null) return none === 'unknown' ? none : ''
      if (isAtLeast(a) || isAtLeast(b)) return 'unknown'
      const change = other - one
      return change === 0 ? '=' : `${change > 0 ? '+' : '−'}${size(Math.abs(change), b)}`
    }
  }
}

/** What a compared session cost. */
export function comparedCost({ costUsd, spent }: ComparedTotals, prices: PriceTable | null): CostAnswer {
  return costOf(spent, costUsd, prices)
}

function costFigure(prices: PriceTable | null): ComparedFigure {
  const costIn = (totals: ComparedTotals): CostAnswer['cost'] => comparedCost(totals, prices).cost
  return figure(
    'cost',
    (totals) => costIn(totals)?.usd ?? null,
    (_, totals) => {
      const cost = costIn(totals)
      return cost === null ? 'unknown' : signedCost(cost)
    },
    { size: (usd) => costText(usd), isAtLeast: (totals) => costIn(totals)?.atLeast ?? false }
  )
}

/** In the order in which they are shown. `prices`: to estimate costs with. */
export const comparedFigures = (prices: PriceTable | null): readonly ComparedFigure[] => [
  figure('time', ({ wallMs }) => wallMs, durationText),
  figure('active time', ({ activeMs }) => activeMs, durationText),
  figure('turns', ({ turns }) => turns, groupedText),
  figure('calls', ({ calls }) => calls, groupedText),
  figure('failed calls', ({ failedCalls }) => failedCalls, groupedText),
  figure('tokens in', ({ inputTokens }) => inputTokens, countText),
  figure(
    'tokens out',
    ({ outputTokens }) => outputTokens,
    (value, { outputAtLeast }) => `${outputAtLeast ? '≥ ' : ''}${countText(value)}`,
    { size: countText, isAtLeast: ({ outputAtLeast }) => outputAtLeast }
  ),
  costFigure(prices),
  figure(
    'todos done',
    ({ todosDone }) => todosDone,
    (value, { todosTotal }) => `${value} of ${todosTotal ?? value}`,
    { none: 'no list', size: groupedText }
  ),
  figure('files changed', ({ filesChanged }) => filesChanged, groupedText)
]
