import type { LogStatus } from '#contract/methods.ts'
import type { LogState } from '../../stores/log-store.ts'
import { isNoFilter } from '../../stores/row-filter.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'

type ShownLog = Pick<LogState, 'layout' | 'columns' | 'filter'> & { readonly status: Pick<LogStatus, 'phase'> }

/** "1,204 of 160,826 rows", "all 160,826 rows" without a filter; "…" while the count may grow. */
export function shownText({ layout, columns, status, filter }: ShownLog): string {
  const isSearching = !isNoFilter(filter) && filter.search.searching
  const more = status.phase === 'reading' || isSearching || layout.isBehind ? '…' : ''
  if (isNoFilter(filter)) return `all ${formatPlural(columns.rows, 'row')}${more}`
  return `${formatCount(layout.shown)} of ${formatPlural(columns.rows, 'row')}${more}`
}
