import type { EventScale } from '#core/replay/event-scale.ts'

/** The stretch of the scale's line that the scrubber's width stands for, from `from` to `to` (exclusive). */
export interface ScrubberView {
  readonly from: number
  readonly to: number
}

/** The whole of a line. */
export function wholeView(total: number): ScrubberView {
  return { from: 0, to: total }
}

/** Where a place of the line lies, in px. */
export function xOfPlace(place: number, { from, to }: ScrubberView, width: number): number {
  return ((place - from) / (to - from)) * width
}

/** What lies at `x` px. */
export function placeAtX(x: number, { from, to }: ScrubberView, width: number): number {
  return from + (x / Math.max(1, width)) * (to - from)
}

/** Where event `seq` lies, in px. */
export function xOfSeq(scale: EventScale, seq: number, view: ScrubberView, width: number): number {
  return xOfPlace(scale.placeOf(seq), view, width)
}

/** The event under `x`, of those in view where there are any; the last one that is read where none is yet. -1: there are none. */
export function seqAtX(scale: EventScale, x: number, view: ScrubberView, width: number): number {
  const seq = scale.seqAt(placeAtX(x, view, width))
  if (seq < 0) return seq
  if (seq > 0 && scale.placeOf(seq) > view.to) return seq - 1
  const next = scale.placeOf(seq + 1)
  const isOut = scale.placeOf(seq) < view.from
  return isOut && next <= view.to && next < scale.total ? seq + 1 : seq
}

/** The first event that lies at `place` or later; one more than there are where none does. */
export function firstSeqAt(scale: EventScale, place: number): number {
  const seq = scale.seqAt(place)
  return seq >= 0 && scale.placeOf(seq) >= place ? seq : seq + 1
}

/** Whether a place is in view. */
export function isInView(place: number, { from, to }: ScrubberView): boolean {
  return place >= from && place <= to
}

/** `factor` times as much of the line, `least` of it at least, less where it is below 1; what lies at `at` stays where it is. Null: the whole. */
export function zoomed(
  view: ScrubberView,
  { total, least }: Pick<EventScale, 'total' | 'least'>,
  at: number,
  factor: number
): ScrubberView | null {
  const before = view.to - view.from
  const span = Math.max(Math.min(before, least), before * factor)
  if (span >= total) return null
  return within(at - ((at - view.from) / before) * span, span, total)
}

/** Moved along the line, as far as there is any. */
export function panned({ from, to }: ScrubberView, total: number, by: number): ScrubberView {
  return within(from + by, to - from, total)
}

/**
 * The view in which `place` is seen: the same where it is already; else turned like a page, so that most of what is shown lies
 * where the playhead goes, or about it after a jump.
 */
export function following(view: ScrubberView, total: number, place: number): ScrubberView {
  const { from, to } = view
  if (isInView(place, view)) return view
  const span = to - from
  const near = place >= from - span && place < to + span
  const share = near ? (place < from ? 0.9 : 0.1) : 0.5
  return within(place - span * share, span, total)
}

function within(from: number, span: number, total: number): ScrubberView {
  const start = Math.max(0, Math.min(total - span, from))
  return { from: start, to: start + span }
}
