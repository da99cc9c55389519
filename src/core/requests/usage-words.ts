import { countText } from '../measure-text.ts'
import { sentOf } from './tokens.ts'
import type { TokenTotals } from './usage.ts'

/** Token totals in a few words; empty if not stated. */
export interface UsageWords {
  /** "13.2M in": all tokens sent, cached or not. */
  readonly sent: string
  /** "345 out", "≥ 345 out, about 39.7k by its text", "output unknown". */
  readonly received: string
  /** Why a count is "at least". */
  readonly because: string
}

/** `short`: without estimates. */
export function usageWords(totals: Omit<TokenTotals, 'spent'>, short = false): UsageWords {
  const { input, cacheRead, cacheWrite, output, understatedRequests, requests, outputByText } = totals
  const sent = sentOf({
    input: input ?? undefined,
    cacheRead: cacheRead ?? undefined,
    cacheWrite: cacheWrite ?? undefined
  })
  const isLess = understatedRequests > 0
  const byText = isLess && !short && outputByText !== null ? `, about ${countText(outputByText)} by its text` : ''
  const many = requests ?? understatedRequests
  const of = requests === null ? '' : ` of ${requests}`
  return {
    sent: sent === undefined ? '' : `${countText(sent)} in`,
    received:
      output === null ? 'output unknown' : isLess ? `≥ ${countText(output)} out${byText}` : `${countText(output)} out`,
    because: isLess
      ? `The log states too little output, or none, for ${understatedRequests}${of} ${many === 1 ? 'request' : 'requests'} to the model.`
      : ''
  }
}
