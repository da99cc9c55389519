import type { Overview, OverviewBuckets } from '#core/index/overview.ts'
import type { ScrubberView } from './scrubber-view.ts'

/** Narrower columns than this would be noise: calls and results take turns. */
const columnWidth = 4
/** Columns counted beyond both edges, since the pace is told by what is around a column. */
const margin = 3

/** The stretches of a run that are drawn as a column each. */
export interface DrawnColumns {
  readonly buckets: OverviewBuckets
  /** Events of a column. */
  readonly size: number
  /** The first event of the first bucket; below 0 where buckets lie before the run. */
  readonly from: number
  /** Events of the run so far. */
  readonly events: number
  /** Where event `seq` begins, in whole px. */
  readonly xOf: (seq: number) => number
}

/** Columns begin at multiples of their size, so that they stay what they are while the view moves or the log grows. */
export function drawnColumns(
  overview: Overview,
  events: number,
  { from, to }: ScrubberView,
  width: number
): DrawnColumns {
  const size = columnSize((columnWidth * (to - from)) / Math.max(1, width))
  const first = Math.floor(from / size) - margin
  const count = Math.ceil(to / size) + margin - first
  return {
    buckets: overview.query(first * size, (first + count) * size, count),
    size,
    from: first * size,
    events,
    xOf: (seq) => Math.round(((seq - from) / (to - from)) * width)
  }
}

/** At least `wanted` events, and one of few sizes: a log may grow by a quarter before its columns change. */
export function columnSize(wanted: number): number {
  if (wanted <= 4) return Math.max(1, Math.round(wanted))
  const step = 2 ** (Math.floor(Math.log2(wanted)) - 2)
  return Math.ceil(wanted / step) * step
}

/** Each column in view that has events: its bucket, where it begins and how wide it is in px, how many events it has so far. */
export function forColumns(
  { buckets, size, from, events, xOf }: DrawnColumns,
  draw: (bucket: number, x: number, width: number, events: number) => void
): void {
  for (let bucket = margin; bucket < buckets.count - margin; bucket++) {
    const seq = from + bucket * size
    if (seq >= events && seq > 0) return
    const x = xOf(seq)
    const end = Math.max(seq + 1, Math.min(events, seq + size))
    draw(bucket, x, Math.max(1, xOf(end) - x), end - seq)
  }
}

/** How fast events followed each other around a column: 0.3 (a minute each) to 1 (50 ms each), logarithmic. */
export function paceShare({ buckets: { time }, size, from, events }: DrawnColumns, bucket: number): number {
  const around = size < margin ? margin : 1
  const first = Math.max(-Math.ceil(from / size), bucket - around)
  const last = Math.min(Math.ceil((events - from) / size) - 1, bucket + around)
  const took = (time[last] ?? NaN) - (time[first] ?? NaN)
  if (!(took >= 0) || last <= first) return 0.75
  const each = Math.max(50, took / ((last - first) * size))
  return Math.max(0.3, 1 - 0.7 * (Math.log(each / 50) / Math.log(60_000 / 50)))
}

/** From the time at the beginning of what is drawn to the one at its end, in ms; NaN unknown. */
export function drawnDuration({ buckets: { time, count } }: DrawnColumns): number {
  return (time[count - margin - 1] ?? NaN) - (time[margin] ?? NaN)
}
