import { countText, durationText } from '../measure-text.ts'
import { modelsText, signedCost } from '../requests/cost-words.ts'
import type { SessionTotals } from './session-totals.ts'

/** A sum for people, and which sessions it is of. */
export interface TotalWords {
  /** "≈ $1.20"; null: known for no session. */
  readonly text: string | null
  /** Where it is from and what is not in it: sentences. */
  readonly because: string
  /** "5 of 7 sessions" if some are not in it, else empty. */
  readonly of: string
}

type Summed = 'activeMs' | 'inputTokens' | 'outputTokens' | 'cost'

export function totalWords(totals: SessionTotals, what: Summed): TotalWords {
  const { sessions: all, uncounted, forks, outputTokens, cost } = totals
  const { sessions } = totals[what]
  const why: string[] = [origins[what](totals)]
  if (what === 'outputTokens' && outputTokens.atLeast) why.push('Some logs state too little output: at least this.')
  if (what === 'cost' && cost.usd !== null && cost.atLeast) why.push('At least this: a part is not known.')
  const lacking = all - uncounted - sessions
  if (lacking > 0) why.push(`Not known for ${many(lacking)}.`)
  if (what === 'cost' && cost.unpriced.length > 0) why.push(`No price: ${modelsText(cost.unpriced)}.`)
  if (uncounted > 0) why.push(`${many(uncounted)} not counted yet.`)
  if (forks > 0 && what !== 'activeMs')
    why.push(`${forks === 1 ? '1 fork counts' : `${forks} forks count`} copied requests again.`)
  return {
    text: textOf(totals, what),
    because: why.filter((sentence) => sentence !== '').join(' '),
    of: sessions < all && sessions > 0 ? `${sessions} of ${many(all)}` : ''
  }
}

const origins: Readonly<Record<Summed, (totals: SessionTotals) => string>> = {
  activeMs: () => 'Total duration of all turns, derived from the times in the logs.',
  inputTokens: () => 'All tokens sent to models, cached or not, as the logs state them.',
  outputTokens: () => 'All output of models, as the logs state it.',
  cost: ({ cost: { from, pricesDate } }) =>
    from === null
      ? ''
      : from === 'stated'
        ? 'Stated by the logs.'
        : `Estimated where a log states no cost: tokens times ${pricesDate === null ? 'prices' : `prices of ${pricesDate}`}.`
}

function textOf({ activeMs, inputTokens, outputTokens, cost }: SessionTotals, what: Summed): string | null {
  if (what === 'cost')
    return cost.usd === null || cost.from === null ? null : signedCost({ ...cost, usd: cost.usd, from: cost.from })
  if (what === 'activeMs') return activeMs.value === null ? null : durationText(activeMs.value)
  if (what === 'inputTokens') return inputTokens.value === null ? null : countText(inputTokens.value)
  return outputTokens.value === null ? null : `${outputTokens.atLeast ? '≥ ' : ''}${countText(outputTokens.value)}`
}

function many(sessions: number): string {
  return sessions === 1 ? '1 session' : `${sessions} sessions`
}
