import type { LogState } from '../../stores/log-store.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'

/** "1,204 of 160,826 rows"; "…" while more may come to pass. */
export function shownText({ layout, columns, status, find, filter }: LogState): string {
  const more = status.phase === 'reading' || (filter.onlyHits && find.searching) ? '…' : ''
  return `${formatCount(layout.shown)} of ${formatPlural(columns.rows, 'row')}${more}`
}
