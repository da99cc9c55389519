import type { FindState } from '../../stores/log-find.ts'
import { formatCount, formatPercent, formatPlural } from '../../ui/format.ts'

/**
 * `active`: the position of the hit at the playhead; -1 none. "17 of 128", "128 matches", "no matches"; while the log is searched how far: "1,204 matches, 37%". "…" where nothing is known yet, or the log
 * is still being read.
 */
export function findCountText(find: FindState, active: number, reading: boolean): string {
  const { searching, found, part, stopped, error } = find
  if (error?.invalid === true) return ''
  if (searching && found === null) return '…'
  const count = found ?? 0
  if (count === 0 && error !== null) return 'failed'
  if (searching)
    return `${count === 0 ? '0 matches' : countText(count, active)}, ${formatPercent(Math.min(part, 0.99))}`
  if (stopped) return `${countText(count, active)}, stopped`
  return countText(count, active) + (reading ? '…' : '')
}

function countText(count: number, active: number): string {
  if (count === 0) return 'no matches'
  return active < 0 ? formatPlural(count, 'match', 'matches') : `${formatCount(active + 1)} of ${formatCount(count)}`
}
