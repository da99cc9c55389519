import type { EventScale } from '#core/replay/event-scale.ts'
import { type AxisView, seqAtX, xOfPlace } from './axis-view.ts'

/** The positions of events on a line of `width` px that shows a part of a session. */
export interface RunAxis {
  readonly scale: EventScale
  readonly view: AxisView
  readonly width: number
  xOfPlace(place: number): number
  xOfSeq(seq: number): number
  /** The event at or before `x`. */
  seqAt(x: number): number
}

export function runAxis(scale: EventScale, view: AxisView, width: number): RunAxis {
  return {
    scale,
    view,
    width,
    xOfPlace: (place) => xOfPlace(place, view, width),
    xOfSeq: (seq) => xOfPlace(scale.placeOf(seq), view, width),
    seqAt: (x) => seqAtX(scale, x, view, width)
  }
}
