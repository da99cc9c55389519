import type { LogColumns } from './log-columns.ts'
import type { TimelineLayout } from './timeline-layout.ts'

/** The row of the `delta`-th visible event from `row`, or the last one in that direction; -1 for none. */
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

/** The rows of the events of a line, in the direction of the move. */
function eventsAt(layout: TimelineLayout, columns: LogColumns, view: number, toward: number): readonly number[] {
  const kind = layout.kindAt(view)
  const at = layout.rowAt(view)
  if (kind === 'pair') return toward < 0 ? [layout.resultAt(view), at] : [at, layout.resultAt(view)]
  return kind === 'row' && (columns.seq[at] ?? -1) >= 0 ? [at] : []
}

/**
 * The visible event after event `seq` (-1: before the first); null for none. `unknown`: the search may still find one.
 */
export function nextShownSeq(layout: TimelineLayout, columns: LogColumns, seq: number): number | 'unknown' | null {
  if (!layout.isFiltered) return seq + 1 < columns.events ? seq + 1 : null
  const row = shownEventFrom(layout, columns, seq < 0 ? -1 : (columns.rowOfSeq[seq] ?? -1), 1)
  if (row >= 0) return columns.seq[row] ?? null
  return layout.laid < columns.rows ? 'unknown' : null
}

/** The last visible event from row `from` on; -1 for none. Reads only the rows from there. */
export function lastShownEvent(layout: TimelineLayout, columns: LogColumns, from: number): number {
  for (let view = layout.count - 1; view >= 0; view--) {
    const [at] = eventsAt(layout, columns, view, -1)
    if (Math.max(at ?? -1, layout.rowAt(view)) < from) return -1
    if (at !== undefined) return at
  }
  return -1
}
