import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { type ScrubberView, xOfSeq } from './scrubber-view.ts'

/** Of changes that lie closer than this, in px, one is drawn: thousands in a pixel would cost and show nothing. */
const leastStep = 0.5

/** The lane of the todo lists: from `top` to `bottom`, in px. */
interface ProgressLane {
  readonly top: number
  readonly bottom: number
  readonly width: number
}

/** A list's progress as steps, and a tick for every change of any list. `events`: of the run so far. */
export function drawProgress(
  context: CanvasRenderingContext2D,
  todos: TodoSnapshots,
  events: number,
  view: ScrubberView,
  lane: ProgressLane,
  color: string
): void {
  if (todos.count === 0) return
  context.fillStyle = color
  context.strokeStyle = color
  context.lineWidth = 1.5
  drawSteps(context, todos, events, view, lane)
  context.fill(ticksOf(todos, view, lane))
}

function drawSteps(
  context: CanvasRenderingContext2D,
  todos: TodoSnapshots,
  events: number,
  view: ScrubberView,
  { top, bottom, width }: ProgressLane
): void {
  const track = todos.indexAt(events, 0) < 0 ? todos.trackAt(0) : 0
  const yOf = (index: number) => {
    const items = todos.totalAt(index)
    return bottom - 0.75 - (items === 0 ? 0 : (todos.completedAt(index) / items) * (bottom - top - 6))
  }
  const path = new Path2D()
  let shown = todos.indexAt(Math.ceil(view.from) - 1, track)
  let start = 0
  if (shown >= 0) path.moveTo(0, yOf(shown))
  for (let x = 0; x <= width; x += leastStep) {
    const index = todos.indexAt(seqAt(x, view, width), track)
    if (index === shown || index < 0) continue
    const at = xOfSeq(todos.seqAt(index), view, width)
    if (shown >= 0) path.lineTo(at, yOf(shown))
    else path.moveTo((start = at), bottom)
    path.lineTo(at, yOf(index))
    shown = index
  }
  if (shown < 0) return
  const end = Math.min(width, xOfSeq(events - 1, view, width))
  path.lineTo(end, yOf(shown))
  context.stroke(path)
  path.lineTo(end, bottom)
  path.lineTo(start, bottom)
  path.closePath()
  context.globalAlpha = 0.18
  context.fill(path)
  context.globalAlpha = 1
}

function ticksOf(todos: TodoSnapshots, view: ScrubberView, { top, width }: ProgressLane): Path2D {
  const ticks = new Path2D()
  for (let index = todos.indexAt(Math.floor(view.from) - 1) + 1; index < todos.count;) {
    const x = xOfSeq(todos.seqAt(index), view, width)
    if (x > width) break
    ticks.rect(x - 0.75, top, 1.5, 3)
    index = Math.max(index, todos.indexAt(seqAt(x + leastStep, view, width) - 1)) + 1
  }
  return ticks
}

/** The last event whose place begins at or before `x`. */
function seqAt(x: number, { from, to }: ScrubberView, width: number): number {
  return Math.floor(from + (x / width) * (to - from))
}
