import type { EventScale } from '#core/replay/event-scale.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { firstSeqAt, placeAtX, type AxisView, xOfPlace, xOfSeq } from '../axis/axis-view.ts'

/** Of changes closer than this, in px, one is drawn: thousands per pixel would be slow and invisible. */
const minStep = 0.5

/** The band of the todo lists, in px. */
interface ProgressBand {
  readonly top: number
  readonly bottom: number
  readonly width: number
}

/** A list's progress as steps, and a tick for every change of any list. */
export function drawProgress(
  context: CanvasRenderingContext2D,
  todos: TodoSnapshots,
  scale: EventScale,
  view: AxisView,
  band: ProgressBand,
  color: string
): void {
  if (todos.count === 0) return
  context.fillStyle = color
  context.strokeStyle = color
  context.lineWidth = 1.5
  drawSteps(context, todos, scale, view, band)
  context.fill(ticksOf(todos, scale, view, band))
}

function drawSteps(
  context: CanvasRenderingContext2D,
  todos: TodoSnapshots,
  scale: EventScale,
  view: AxisView,
  { top, bottom, width }: ProgressBand
): void {
  const track = todos.indexAt(Infinity, 0) < 0 ? todos.trackAt(0) : 0
  const yOf = (index: number) => {
    const items = todos.totalAt(index)
    return bottom - 0.75 - (items === 0 ? 0 : (todos.completedAt(index) / items) * (bottom - top - 6))
  }
  const path = new Path2D()
  let shown = todos.indexAt(firstSeqAt(scale, view.from) - 1, track)
  let start = 0
  if (shown >= 0) path.moveTo(0, yOf(shown))
  for (let x = 0; x <= width; x += minStep) {
    const index = todos.indexAt(scale.seqAt(placeAtX(x, view, width)), track)
    if (index === shown || index < 0) continue
    const at = xOfSeq(scale, todos.seqAt(index), view, width)
    if (shown >= 0) path.lineTo(at, yOf(shown))
    else path.moveTo((start = at), bottom)
    path.lineTo(at, yOf(index))
    shown = index
  }
  if (shown < 0) return
  const end = Math.min(width, xOfPlace(scale.total, view, width))
  path.lineTo(end, yOf(shown))
  context.stroke(path)
  path.lineTo(end, bottom)
  path.lineTo(start, bottom)
  path.closePath()
  context.globalAlpha = 0.18
  context.fill(path)
  context.globalAlpha = 1
}

function ticksOf(todos: TodoSnapshots, scale: EventScale, view: AxisView, { top, width }: ProgressBand): Path2D {
  const ticks = new Path2D()
  for (let index = todos.indexAt(firstSeqAt(scale, view.from) - 2) + 1; index < todos.count;) {
    const x = xOfSeq(scale, todos.seqAt(index), view, width)
    if (x > width) break
    ticks.rect(x - 0.75, top, 1.5, 3)
    index = Math.max(index, todos.indexAt(scale.seqAt(placeAtX(x + minStep, view, width)) - 1)) + 1
  }
  return ticks
}
