import type { LogColumns } from './log-columns.ts'
import type { TimelineLayout } from './timeline-layout.ts'

/**
 * The row of the `delta`-th event after `row` (before it, where `delta` is negative) among those the timeline shows; the last there is on
 * that side if they are fewer, -1 if there is none.
 */
export function shownEventFrom(layout: TimelineLayout, columns: LogColumns, row: number, delta: number): number {
  const toward = Math.sign(delta)
  let left = Math.abs(delta)
  let found = -1
  for (let view = layout.placeOf(row); view >= 0 && view < layout.count && left > 0; view += toward) {
    const at = layout.rowAt(view)
    if (layout.kindAt(view) !== 'row' || (columns.seq[at] ?? -1) < 0 || (at - row) * toward <= 0) continue
    found = at
    left--
  }
  return found
}

/**
 * The event that comes after event `seq` (-1: the first one) among those the timeline shows; null: there is none. `unknown`: that depends on
 * hits that are still being looked for.
 */
export function nextShownSeq(layout: TimelineLayout, columns: LogColumns, seq: number): number | 'unknown' | null {
  if (!layout.isFiltered) return seq + 1 < columns.events ? seq + 1 : null
  const row = shownEventFrom(layout, columns, seq < 0 ? -1 : (columns.rowOfSeq[seq] ?? -1), 1)
  if (row >= 0) return columns.seq[row] ?? null
  return layout.laid < columns.rows ? 'unknown' : null
}

/** The last event the timeline shows at row `from` or after it, -1 if there is none; looks at no more than what is shown there. */
export function lastShownEvent(layout: TimelineLayout, columns: LogColumns, from: number): number {
  for (let view = layout.count - 1; view >= 0; view--) {
    const at = layout.rowAt(view)
    if (at < from) return -1
    if (layout.kindAt(view) === 'row' && (columns.seq[at] ?? -1) >= 0) return at
  }
  return -1
}
