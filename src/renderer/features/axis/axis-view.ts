import type { EventScale } from '#core/replay/event-scale.ts'
import type { EventRange } from '../../stores/ranging.ts'

/** The visible part of the scale's line, `from` to `to` (exclusive). */
export interface AxisView {
  readonly from: number
  readonly to: number
}

export function wholeView(total: number): AxisView {
  return { from: 0, to: total }
}

/** The position of a place of the line, in px. */
export function xOfPlace(place: number, { from, to }: AxisView, width: number): number {
  return ((place - from) / (to - from)) * width
}

/** The place at `x` px. */
export function placeAtX(x: number, { from, to }: AxisView, width: number): number {
  return from + (x / Math.max(1, width)) * (to - from)
}

/** The position of event `seq`, in px. */
export function xOfSeq(scale: EventScale, seq: number, view: AxisView, width: number): number {
  return xOfPlace(scale.placeOf(seq), view, width)
}

/** The event under `x`, a visible one if possible; the last loaded one if none is there yet. -1 for none. */
export function seqAtX(scale: EventScale, x: number, view: AxisView, width: number): number {
  const seq = scale.seqAt(placeAtX(x, view, width))
  if (seq < 0) return seq
  if (seq > 0 && scale.placeOf(seq) > view.to) return seq - 1
  const next = scale.placeOf(seq + 1)
  const isOut = scale.placeOf(seq) < view.from
  return isOut && next <= view.to && next < scale.total ? seq + 1 : seq
}

/** The first event at or after `place`; the number of events for none. */
export function firstSeqAt(scale: EventScale, place: number): number {
  const seq = scale.seqAt(place)
  return seq >= 0 && scale.placeOf(seq) >= place ? seq : seq + 1
}

/** The events between two positions in px, at least one. */
export function rangeBetween(scale: EventScale, view: AxisView, width: number, a: number, b: number): EventRange {
  const from = firstSeqAt(scale, placeAtX(Math.min(a, b), view, width))
  const to = scale.seqAt(placeAtX(Math.max(a, b), view, width))
  return { from: Math.min(from, Math.max(0, to)), to: Math.max(from, to) }
}

export function isInView(place: number, { from, to }: AxisView): boolean {
  return place >= from && place <= to
}

/** Shows `factor` times as much, at least `least`, with place `at` fixed. Null: the whole line. */
export function zoomed(
  view: AxisView,
  { total, least }: Pick<EventScale, 'total' | 'least'>,
  at: number,
  factor: number
): AxisView | null {
  const before = view.to - view.from
  const span = Math.max(Math.min(before, least), before * factor)
  if (span >= total) return null
  return within(at - ((at - view.from) / before) * span, span, total)
}

/** Moves the view within the line. */
export function panned({ from, to }: AxisView, total: number, by: number): AxisView {
  return within(from + by, to - from, total)
}

/** A view that contains `place`: the same if it does already, else the next page; after a jump, centered. */
export function following(view: AxisView, total: number, place: number): AxisView {
  const { from, to } = view
  if (isInView(place, view)) return view
  const span = to - from
  const near = place >= from - span && place < to + span
  const share = near ? (place < from ? 0.9 : 0.1) : 0.5
  return within(place - span * share, span, total)
}

function within(from: number, span: number, total: number): AxisView {
  const start = Math.max(0, Math.min(total - span, from))
  return { from: start, to: start + span }
}
