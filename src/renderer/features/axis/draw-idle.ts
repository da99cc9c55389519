import { TimeScale } from '#core/replay/event-scale.ts'
import { xOfPlace } from './axis-view.ts'
import type { RunAxis } from './run-axis.ts'

/** More gaps would only be a grey area, and are not drawn. */
const maxGaps = 400
const hatchStep = 6

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
  const { scale, view, width } = axis
  const isTime = scale instanceof TimeScale
  // A scale that does not shorten idle time has no gaps.
  const gaps = (isTime ? scale : timeScale).gaps(scale.seqAt(view.from), scale.seqAt(view.to) + 2, maxGaps)
  for (const seq of gaps) {
    const end = axis.xOfSeq(seq)
    const from = isTime ? xOfPlace(scale.placeOf(seq) - scale.drawnGap, view, width) : end
    if (!isTime) dots(context, end, height, colors.text)
    else if (end - from >= 3) hatch(context, Math.max(-1, from), Math.min(width + 1, end), height, colors)
  }
}

function dots(context: Context, x: number, height: number, color: string): void {
  context.fillStyle = color
  for (let y = 2; y < height; y += 5) context.fillRect(Math.round(x) - 1, y, 1, 2)
}

function hatch(context: Context, from: number, to: number, height: number, { line: color, ground }: IdleColors): void {
  if (ground !== undefined) {
    context.fillStyle = ground
    context.fillRect(from, 0, to - from, height)
  }
  context.save()
  context.beginPath()
  context.rect(from, 0, to - from, height)
  context.clip()
  context.strokeStyle = color
  context.lineWidth = 1
  context.beginPath()
  // Hatching starts at a fixed place, so that it does not flicker when the view moves.
  for (let x = Math.floor((from - height) / hatchStep) * hatchStep; x < to; x += hatchStep) {
    context.moveTo(x, height)
    context.lineTo(x + height, 0)
  }
  context.stroke()
  context.restore()
  context.fillStyle = color
  context.fillRect(Math.round(from), 0, 1, height)
  context.fillRect(Math.round(to) - 1, 0, 1, height)
}
