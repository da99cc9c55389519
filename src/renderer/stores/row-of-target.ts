import type { LogStatus } from '#contract/methods.ts'
import { formatClock, formatCount, formatPlural } from '../ui/format.ts'
import { type GoToTarget, timeOf } from './go-to.ts'
import type { LogColumns } from './log-columns.ts'

/** The row of a typed target, or the reason that there is none. */
export function rowOfTarget(columns: LogColumns, status: LogStatus, target: GoToTarget): number | string {
  const more = status.phase === 'reading' ? ' so far' : ''
  if (target.kind === 'line') {
    const row = columns.rowAtLine(target.line)
    return row >= 0 ? row : `The log has ${formatPlural(status.lines, 'line')}${more}.`
  }
  if (target.kind === 'event') {
    const row = columns.rowOfSeq[target.seq]
    if (row !== undefined && target.seq < columns.events) return row
    if (columns.events === 0) return `The log has no events${more}.`
    return `The log's events run from 0 to ${formatCount(columns.events - 1)}${more}.`
  }
  if (status.firstTimestamp === null) return 'This log has no timestamps.'
  const row = columns.rowAtTime(timeOf(target, status.firstTimestamp))
  if (row >= 0) return row
  return `The last event${more} is at ${formatClock(status.lastTimestamp ?? status.firstTimestamp)}.`
}
