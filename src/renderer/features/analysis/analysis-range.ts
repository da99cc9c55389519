import { useMemo } from 'react'
import type { Range } from '#contract/analysis.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { besideRanges, type EventRange, rangeInForce } from '../../stores/ranging.ts'

/** What the panels of the analysis are about. */
export interface AnalysisScope {
  /** Null: the whole session. */
  readonly events: EventRange | null
  /** The rows of these events, for the host. */
  readonly rows: Range | null
  /** The search of the rest of the query; null: there is none. */
  readonly find: number | null
  /** Differs where the scope does. */
  readonly key: string
}

export function useAnalysisScope(): AnalysisScope {
  const { columns, filtering } = useLogParts()
  const query = useLog((log) => log.filter.query)
  const rest = printQuery(besideRanges(query))
  // The number of a search is known once it has an answer.
  const search = useLog((log) => (log.filter.search.found === null ? 0 : filtering.search))
  const isLoaded = useLog((log) => log.isComplete)
  const range = rangeInForce(query)
  const { from, to } = range ?? {}
  return useMemo(() => {
    const events = from === undefined || to === undefined ? null : { from, to }
    const find = rest === '' || search === 0 ? null : search
    return { events, rows: rowsOf(columns, events), find, key: `${from} ${to} ${find} ${isLoaded}` }
  }, [columns, from, to, rest, search, isLoaded])
}

/** From the row of the first event up to the row after the last one. */
export function rowsOf(columns: LogColumns, events: EventRange | null): Range | null {
  if (events === null) return null
  const { rowOfSeq, rows, events: count } = columns
  const rowAt = (seq: number) => (seq >= count ? rows : (rowOfSeq[seq] ?? rows))
  const from = rowAt(events.from)
  return { by: 'rows', from, to: Math.max(from, events.to >= count - 1 ? rows : (rowOfSeq[events.to] ?? rows) + 1) }
}
