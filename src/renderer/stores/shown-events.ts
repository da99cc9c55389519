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
    for (const at of eventsAt(layout, columns, view, toward)) {
      if ((at - row) * toward <= 0 || left === 0) continue
      found = at
      left--
    }
  }
  return found
}

/** The rows of the events that a line shows, in the order one comes to them. */
function eventsAt(layout: TimelineLayout, columns: LogColumns, view: number, toward: number): readonly number[] {
  const kind = layout.kindAt(view)
  const at = layout.rowAt(view)
  if (kind === 'pair') return toward < 0 ? [layout.resultAt(view), at] : [at, layout.resultAt(view)]
  return kind === 'row' && (columns.seq[at] ?? -1) >= 0 ? [at] : []
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
    const [at] = eventsAt(layout, columns, view, -1)
    if (Math.max(at ?? -1, layout.rowAt(view)) < from) return -1
    if (at !== undefined) return at
  }
  return -1
}
