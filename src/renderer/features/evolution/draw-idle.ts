import { TimeScale } from '#core/replay/event-scale.ts'
import { xOfPlace } from '../scrubber/scrubber-view.ts'
import type { LaneColors } from './lane-colors.ts'
import type { RunAxis } from './run-axis.ts'

/** More are not drawn: they would be one grey. */
const mostGaps = 400
const hatchStep = 6

/**
 * Where the run was idle for long: hatched as wide as it is drawn where the axis is time that is cut short, a dotted line where it is
 * events. `timeScale`: that of the run, cut short, which knows where.
 */
export function drawIdle(
  context: CanvasRenderingContext2D,
  axis: RunAxis,
  timeScale: TimeScale,
  height: number,
  colors: LaneColors
): void {
  const { scale, view, width } = axis
  const isTime = scale instanceof TimeScale
  // Idle time that is as wide as it was is none of the scale's gaps.
  const gaps = (isTime ? scale : timeScale).gaps(scale.seqAt(view.from), scale.seqAt(view.to) + 2, mostGaps)
  for (const seq of gaps) {
    const end = axis.xOfSeq(seq)
    const from = isTime ? xOfPlace(scale.placeOf(seq) - scale.drawnGap, view, width) : end
    if (!isTime) dots(context, end, height, colors.text)
    else if (end - from >= 3) hatch(context, Math.max(-1, from), Math.min(width + 1, end), height, colors.line)
  }
}

function dots(context: CanvasRenderingContext2D, x: number, height: number, color: string): void {
  context.fillStyle = color
  for (let y = 2; y < height; y += 5) context.fillRect(Math.round(x) - 1, y, 1, 2)
}

function hatch(context: CanvasRenderingContext2D, from: number, to: number, height: number, color: string): void {
  context.save()
  context.beginPath()
  context.rect(from, 0, to - from, height)
  context.clip()
  context.strokeStyle = color
  context.lineWidth = 1
  context.beginPath()
  // From the same place, however the view moves, so that the lines do not flicker.
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
