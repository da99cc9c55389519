import { TimeScale } from '#core/replay/event-scale.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { drawAxisLabels } from '../../ui/axis-labels.ts'
import { formatClock, formatCount, formatTime } from '../../ui/format.ts'
import { drawIdle } from '../axis/draw-idle.ts'
import type { LaneColors } from './lane-colors.ts'
import type { SnapshotAxis } from './snapshot-axis.ts'

/** In px, as in the style sheet. */
export const axisHeight = 36
const tickHeight = 8
/** Width of a label in px. */
const labelRoom = 96

export interface AxisScene {
  readonly axis: SnapshotAxis
  readonly columns: LogColumns
  readonly todos: TodoSnapshots
  readonly timeScale: TimeScale
}

/** Draws the axis above the lanes: labels, and a tick for each todo list. */
export function drawAxis(
  context: CanvasRenderingContext2D,
  { axis, columns, todos, timeScale }: AxisScene,
  colors: LaneColors,
  font: string
): void {
  const { width } = axis
  context.clearRect(0, 0, width, axisHeight)
  context.save()
  context.translate(0, axisHeight - tickHeight)
  drawIdle(context, axis, timeScale, tickHeight, colors)
  context.restore()
  drawTicks(context, axis, todos, colors)
  context.font = font
  context.fillStyle = colors.text
  context.textBaseline = 'middle'
  const label = labelOf(axis, columns)
  const labels = Math.max(1, Math.floor(width / labelRoom))
  const texts = Array.from({ length: labels + 1 }, (_, at) => {
    const x = (at / labels) * width
    return { x, text: label(axis.seqAt(Math.min(x, width - 1))) }
  })
  drawAxisLabels(context, texts, width, 12)
}

/** Clock times over time, with milliseconds at high zoom; event numbers over events or if times are unknown. */
function labelOf({ scale, view, width, seqAt }: SnapshotAxis, columns: LogColumns): (seq: number) => string {
  const number = (seq: number) => (seq < 0 ? '' : formatCount(seq))
  if (!(scale instanceof TimeScale)) return number
  const format = (view.to - view.from) / Math.max(1, width / labelRoom) < 2000 ? formatTime : formatClock
  if (columns.timeOfSeq(seqAt(0)) === null && columns.timeOfSeq(seqAt(width - 1)) === null) return number
  return (seq) => format(columns.timeOfSeq(seq) ?? NaN)
}

/** Of several lists on one px, only one is drawn. */
function drawTicks(
  context: CanvasRenderingContext2D,
  axis: SnapshotAxis,
  todos: TodoSnapshots,
  colors: LaneColors
): void {
  context.fillStyle = colors.todo
  let before = -Infinity
  for (let snapshot = Math.max(0, axis.snapshotAt(0)); snapshot < todos.count;) {
    const x = Math.round(axis.xOfSnapshot(snapshot))
    if (x > axis.width) return
    if (x >= 0 && x > before) context.fillRect(x - 0.75, axisHeight - tickHeight, 1.5, tickHeight)
    before = x
    // Skip to the first list on another px: thousands may share this one.
    snapshot = Math.max(snapshot + 1, axis.snapshotAt(x + 0.5) + 1)
  }
}
