import type { Overview, OverviewBuckets } from '#core/index/overview.ts'
import type { EventScale } from '#core/replay/event-scale.ts'
import { firstSeqAt, type AxisView, xOfPlace } from '../axis/axis-view.ts'

/** Minimum width of a column in px. Calls and results alternate, so narrower columns would be noise. */
const columnWidth = 4
/** Columns counted beyond both edges, because the pace depends on adjacent columns. */
const margin = 3

/** The parts of a session that are drawn as one column each. */
export interface DrawnColumns {
  readonly buckets: OverviewBuckets
  /** Width of a column on the scale's line. */
  readonly size: number
  /** Start of the first bucket; below 0 if buckets precede the session. */
  readonly from: number
  /** The first event of each bucket, and one more for the end. */
  readonly bounds: readonly number[]
  /** End of the log so far. */
  readonly end: number
  /** The position of a place of the line, in whole px. */
  readonly xOf: (place: number) => number
}

/** Columns begin at multiples of their size, so that they do not change while the view moves or the log grows. */
export function drawnColumns(overview: Overview, scale: EventScale, view: AxisView, width: number): DrawnColumns {
  const size = columnSize((columnWidth * (view.to - view.from)) / Math.max(1, width))
  const first = Math.floor(view.from / size) - margin
  const count = Math.ceil(view.to / size) + margin - first
  const bounds = Array.from({ length: count + 1 }, (_, bucket) => firstSeqAt(scale, (first + bucket) * size))
  return {
    buckets: overview.parts(bounds),
    size,
    from: first * size,
    bounds,
    end: scale.total,
    xOf: (place) => Math.round(xOfPlace(place, view, width))
  }
}

/** At least `wanted`, from a few sizes: a log may grow by a quarter before its columns change. */
export function columnSize(wanted: number): number {
  if (wanted <= 4) return Math.max(1, Math.round(wanted))
  const step = 2 ** (Math.floor(Math.log2(wanted)) - 2)
  return Math.ceil(wanted / step) * step
}

/** Each visible column with events: bucket, left edge and width in px, number of events so far. */
export function forColumns(
  { buckets, size, from, bounds, end, xOf }: DrawnColumns,
  draw: (bucket: number, x: number, width: number, events: number) => void
): void {
  for (let bucket = margin; bucket < buckets.count - margin; bucket++) {
    const start = from + bucket * size
    const events = (bounds[bucket + 1] ?? 0) - (bounds[bucket] ?? 0)
    if (events === 0) continue
    const x = xOf(start)
    draw(bucket, x, Math.max(1, xOf(Math.min(end, start + size)) - x), events)
  }
}

/** The pace around a column: 0.3 (a minute per event) to 1 (50 ms per event), logarithmic. */
export function paceShare({ buckets: { time, count }, size, bounds }: DrawnColumns, bucket: number): number {
  const around = size < margin ? margin : 1
  const isEmpty = (at: number) => bounds[at + 1] === bounds[at]
  let first = Math.max(0, bucket - around)
  while (first < bucket && isEmpty(first)) first++
  let last = Math.min(count - 1, bucket + around)
  while (last > bucket && isEmpty(last)) last--
  const elapsedMs = (time[last] ?? NaN) - (time[first] ?? NaN)
  const events = (bounds[last + 1] ?? 0) - (bounds[first + 1] ?? 0)
  if (!(elapsedMs >= 0) || events === 0) return 0.75
  const each = Math.max(50, elapsedMs / events)
  return Math.max(0.3, 1 - 0.7 * (Math.log(each / 50) / Math.log(60_000 / 50)))
}

/** From 0.15 for the columns with fewest events to 1 for that with most, logarithmic. */
export function crowdShares({ bounds }: DrawnColumns): (events: number) => number {
  let most = 1
  for (let bucket = margin; bucket < bounds.length - 1 - margin; bucket++) {
    most = Math.max(most, (bounds[bucket + 1] ?? 0) - (bounds[bucket] ?? 0))
  }
  return (events) => Math.max(0.15, Math.log1p(events) / Math.log1p(most))
}

/** The time from start to end of the visible part, in ms; NaN if unknown. */
export function drawnDuration({ buckets: { time, count } }: DrawnColumns): number {
  return (time[count - margin - 1] ?? NaN) - (time[margin] ?? NaN)
}
