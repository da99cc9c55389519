import { TimeScale } from '#core/replay/event-scale.ts'
import { isAway, type LaneState } from '#core/replay/todo-lanes.ts'
import type { TodoLanes } from '../../stores/todo-lanes.ts'
import { drawStatusIcon, type LaneMark, markRoom } from './draw-status-icon.ts'
import { drawIdle } from '../axis/draw-idle.ts'
import type { LaneColors } from './lane-colors.ts'
import type { LaneRow } from './lane-rows.ts'
import type { SnapshotAxis } from './snapshot-axis.ts'

/** Height of a lane in px, as in the style sheet. */
export const laneHeight = 26
/** Changes closer together than this, in px, are drawn as one. */
const finest = 2

/** The lines `first` … `last` (exclusive) of all `rows`. */
export interface LaneScene {
  readonly lanes: TodoLanes
  readonly rows: readonly LaneRow[]
  readonly first: number
  readonly last: number
  readonly axis: SnapshotAxis
  readonly timeScale: TimeScale
}

/** Draws the spans of the visible lanes from the top of the canvas. It does not depend on the playhead. */
export function drawLanes(context: CanvasRenderingContext2D, scene: LaneScene, colors: LaneColors): void {
  const { rows, first, last, axis } = scene
  const height = (last - first) * laneHeight
  context.clearRect(0, 0, axis.width, height)
  drawIdle(context, axis, scene.timeScale, height, colors)
  for (let at = first; at < last; at++) {
    const row = rows[at]
    if (row?.kind === 'lane') drawLane(context, scene, row.lane, (at - first + 0.5) * laneHeight, colors)
  }
}

/** The cost is at most one step per visible span and one per two px, not one per transition. */
function drawLane(
  context: CanvasRenderingContext2D,
  { lanes, axis }: LaneScene,
  lane: number,
  middle: number,
  colors: LaneColors
): void {
  const { width } = axis
  const end = axis.xOfSnapshot(Infinity)
  const marks: PlacedMark[] = []
  let position = Math.max(0, lanes.positionAt(lane, axis.snapshotAt(0)))
  let text = lanes.textNumberAt(lane, position)
  /** Drawn up to this x. */
  let drawn = -Infinity
  for (;;) {
    const snapshot = lanes.snapshotAt(lane, position)
    const from = snapshot === Infinity ? width : Math.max(drawn, axis.xOfSnapshot(snapshot))
    if (from >= width) break
    const next = lanes.snapshotAt(lane, position + 1)
    const to = next === Infinity ? end : axis.xOfSnapshot(next)
    const state = lanes.stateAfter(lane, position)
    if (to - from < finest && next !== Infinity) {
      const column = from + finest
      const latest = Math.max(position, lanes.positionAt(lane, axis.snapshotAt(column)))
      drawSpan(context, lanes.stateAfter(lane, latest), from, column, middle, colors, true)
      // Continue after the last transition on this px.
      position = latest
      drawn = column
      text = lanes.textNumberAt(lane, latest)
      continue
    }
    drawSpan(context, state, Math.max(from, -laneHeight), Math.min(to, width + laneHeight), middle, colors, false)
    const hasText = lanes.textNumberAt(lane, position)
    if (from >= 0 && hasText !== text && !isAway(state)) marks.push({ x: from, kind: 'edited' })
    else if (from >= 0 && (state === 'completed' || state === 'cancelled' || state === 'dropped')) {
      marks.push({ x: from, kind: state })
    }
    text = hasText
    position++
  }
  for (const { x, kind } of withRoom(marks)) drawStatusIcon(context, kind, x, middle, colors)
}

interface PlacedMark {
  readonly x: number
  readonly kind: LaneMark
}

/** The marks that do not overlap, from left to right. The first one is kept, but a final "dropped" always. */
function withRoom(marks: readonly PlacedMark[]): PlacedMark[] {
  const kept: PlacedMark[] = []
  for (const mark of marks) {
    const isNear = () => mark.x - (kept.at(-1)?.x ?? -Infinity) < markRoom
    if (mark.kind === 'dropped') while (isNear()) kept.pop()
    if (!isNear()) kept.push(mark)
  }
  return kept
}

/** Each status has its own shape: a tube, a solid bar, a soft bar or a dashed line. `slim`: without ends. */
function drawSpan(
  context: CanvasRenderingContext2D,
  state: LaneState,
  from: number,
  to: number,
  middle: number,
  colors: LaneColors,
  slim: boolean
): void {
  const width = Math.max(1, to - from)
  switch (state) {
    case 'absent':
    case 'dropped':
      return
    case 'pending':
      context.fillStyle = colors.ground
      context.strokeStyle = colors.pending
      outlined(context, from, middle - 3, width, 6, slim)
      return
    case 'in_progress':
      context.fillStyle = colors.progress
      context.fillRect(from, middle - 6, width, 12)
      return
    case 'completed':
      context.fillStyle = colors.completedSoft
      context.strokeStyle = colors.completed
      outlined(context, from, middle - 5, width, 10, slim)
      return
    case 'cancelled':
      context.fillStyle = colors.cancelled
      if (slim) context.fillRect(from, middle - 1, 1, 1.5)
      else for (let x = from; x < to; x += 6) context.fillRect(x, middle - 0.75, Math.min(3, to - x), 1.5)
  }
}

function outlined(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  slim: boolean
): void {
  context.lineWidth = 1
  if (slim || width < 4) {
    context.fillRect(x, y, width, height)
    context.fillStyle = context.strokeStyle
    context.fillRect(x, y, width, 1)
    context.fillRect(x, y + height - 1, width, 1)
    return
  }
  context.beginPath()
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 2)
  context.fill()
  context.stroke()
}
