import { useMemo } from 'react'
import type { Compaction, ContextRequest, Range } from '#contract/analysis.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import type { Host } from '#contract/methods.ts'
import { LiveAnswer } from '../../stores/live-answer.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { usePrices } from '../../stores/use-prices.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import type { AnalysisScope } from './analysis-range.ts'

const pageRequests = 1000
/** Further requests are not loaded, and the page says so. */
const maxRequests = 20_000

export interface ContextAnswer {
  readonly requests: readonly ContextRequest[]
  readonly compactions: readonly Compaction[]
  /** All requests of the range; the answer holds at most the first 20,000. */
  readonly total: number
  /** Whether it is of all rows of the log. */
  readonly isWhole: boolean
}

/** The requests of a scope and what is in their contexts. */
export function useContextAnswer({ rows }: AnalysisScope): LiveAnswer<ContextAnswer> {
  const { host, id } = useLogParts()
  const prices = usePrices().table
  return useLiveAnswer(
    useMemo(
      () =>
        new LiveAnswer(
          () => contextOf(host, id, rows, prices),
          ({ isWhole }) => isWhole
        ),
      [host, id, rows, prices]
    )
  )
}

async function contextOf(
  host: Host,
  log: string,
  range: Range | null,
  prices: PriceTable | null
): Promise<ContextAnswer> {
  const requests: ContextRequest[] = []
  for (;;) {
    const page = await host.call('log.context', { log, range, prices, from: requests.length, count: pageRequests })
    requests.push(...page.requests)
    const { total, compactions, counted, rows } = page
    if (page.requests.length === 0 || requests.length >= Math.min(total, maxRequests))
      return { requests, compactions, total, isWhole: counted >= rows }
  }
}
