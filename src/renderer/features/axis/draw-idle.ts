import { TimeScale } from '#core/replay/event-scale.ts'
import { xOfPlace } from './axis-view.ts'
import type { RunAxis } from './run-axis.ts'

/** More gaps would only be a grey area, and are not drawn. */
const maxGaps = 400
const hatchStep = 6
/** Narrower idle time is not hatched, in px. */
const leastHatched = 3

/** With `ground`, shortened idle time covers what is below it. */
export interface IdleColors {
  readonly text: string
  readonly line: string
  readonly ground?: string
}

type Context = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'fillRect'
  | 'save'
  | 'restore'
  | 'beginPath'
  | 'rect'
  | 'clip'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
>

/** Draws long idle times: hatched if the axis shortens them, else dotted. `timeScale` locates them. */
export function drawIdle(
  context: Context,
  axis: RunAxis,
  timeScale: TimeScale,
  height: number,
  colors: IdleColors
): void {
  const isTime = axis.scale instanceof TimeScale
  for (const { from, to } of idleOf(axis, timeScale)) {
    if (!isTime) dots(context, to, height, colors.text)
    else if (to - from >= leastHatched) hatch(context, { from, to, top: 0, height }, colors)
  }
}

/** Where the long idle times in view are, in px from left to right. On an axis without time they have no width. */
export function idleOf(axis: RunAxis, timeScale: TimeScale): readonly { readonly from: number; readonly to: number }[] {
  const { scale, view, width } = axis
  const isTime = scale instanceof TimeScale
  // A scale that does not shorten idle time has no gaps.
  const gaps = (isTime ? scale : timeScale).gaps(scale.seqAt(view.from), scale.seqAt(view.to) + 2, maxGaps)
  return Array.from(gaps, (seq) => {
    const to = axis.xOfSeq(seq)
    const from = isTime ? xOfPlace(scale.placeOf(seq) - scale.drawnGap, view, width) : to
    return isTime ? { from: Math.max(-1, from), to: Math.min(width + 1, to) } : { from, to }
  })
}

function dots(context: Context, x: number, height: number, color: string): void {
  context.fillStyle = color
  for (let y = 2; y < height; y += 5) context.fillRect(Math.round(x) - 1, y, 1, 2)
}

/** A hatched area, in px, with an edge at both sides. */
export function hatch(
  context: Context,
  {
    from,
    to,
    top,
    height
  }: { readonly from: number; readonly to: number; readonly top: number; readonly height: number },
  { line: color, ground }: Pick<IdleColors, 'line' | 'ground'>
): void {
  if (ground !== undefined) {
    context.fillStyle = ground
    context.fillRect(from, top, to - from, height)
  }
  context.save()
  context.beginPath()
  context.rect(from, top, to - from, height)
  context.clip()
  context.strokeStyle = color
  context.lineWidth = 1
  context.beginPath()
  // Hatching starts at a fixed place, so that it does not flicker when the view moves.
  for (let x = Math.floor((from - height) / hatchStep) * hatchStep; x < to; x += hatchStep) {
    context.moveTo(x, top + height)
    context.lineTo(x + height, top)
  }
  context.stroke()
  context.restore()
  context.fillStyle = color
  context.fillRect(Math.round(from), top, 1, height)
  context.fillRect(Math.round(to) - 1, top, 1, height)
}
