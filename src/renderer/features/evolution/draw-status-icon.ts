import type { LaneColors } from './lane-colors.ts'

/** Marks closer together than this, in px, would overlap. */
export const markRoom = 15

export type LaneMark = 'completed' | 'cancelled' | 'edited' | 'dropped'

const size = 14
const disc = circle(6.25)
const ring = circle(5.5)
const check = new Path2D('m5.25 8.25 2 2 3.5-4.25')
const slash = new Path2D('m4.5 11.5 7-7')
const cross = new Path2D('m4.25 4.25 7.5 7.5m0-7.5-7.5 7.5')
const pencil = new Path2D('m10.5 2.75 2.75 2.75-7.5 7.5-3.25.5.5-3.25z')

/** The icon of an item's new status at `x`, on a background. */
export function drawStatusIcon(
  context: CanvasRenderingContext2D,
  kind: LaneMark,
  x: number,
  middle: number,
  colors: LaneColors
): void {
  context.save()
  context.translate(x - size / 2, middle - size / 2)
  context.scale(size / 16, size / 16)
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.fillStyle = colors.ground
  context.fill(circle(8))
  if (kind === 'completed') {
    context.fillStyle = colors.completed
    context.fill(disc)
    context.strokeStyle = colors.ground
    context.lineWidth = 1.75
    context.stroke(check)
  } else {
    context.strokeStyle = kind === 'cancelled' ? colors.cancelled : colors.strong
    context.lineWidth = 1.5
    if (kind === 'cancelled') context.stroke(ring)
    context.stroke(kind === 'cancelled' ? slash : kind === 'dropped' ? cross : pencil)
  }
  context.restore()
}

function circle(radius: number): Path2D {
  const path = new Path2D()
  path.arc(8, 8, radius, 0, 2 * Math.PI)
  return path
}
