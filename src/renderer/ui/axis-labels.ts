/** A word of an axis, and the place in px that it is about. */
export interface AxisLabel {
  readonly x: number
  readonly text: string
}

/** Between two labels, in px. */
const leastGap = 8

/**
 * Draws labels in the middle of their places, but never beyond the ends of the axis, nor so near to another one that both read as one.
 * The first and the last say what the axis is of, so they come before those between.
 */
export function drawAxisLabels(
  context: Pick<CanvasRenderingContext2D, 'measureText' | 'fillText' | 'textAlign'>,
  labels: readonly AxisLabel[],
  width: number,
  y: number
): void {
  const boxes = labels
    .filter(({ text }, at) => text !== '' && text !== labels[at - 1]?.text)
    .map(({ x, text }) => {
      const own = context.measureText(text).width
      const left = Math.max(0, Math.min(x - own / 2, width - own))
      return { text, left, right: left + own }
    })
  const last = boxes.at(-1)
  context.textAlign = 'left'
  let end = -Infinity
  for (const box of boxes) {
    const room = box === last || end === -Infinity ? Infinity : (last?.left ?? Infinity) - leastGap
    if (box.left < end + leastGap || box.right > room) continue
    context.fillText(box.text, box.left, y)
    end = box.right
  }
}
