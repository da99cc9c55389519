/** A label of an axis and its position in px. */
export interface AxisLabel {
  readonly x: number
  readonly text: string
}

/** Between two labels, in px. */
const minGap = 8

/** Draws labels centered at their positions with gaps between them. The first and the last one have priority. */
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
    const room = box === last || end === -Infinity ? Infinity : (last?.left ?? Infinity) - minGap
    if (box.left < end + minGap || box.right > room) continue
    context.fillText(box.text, box.left, y)
    end = box.right
  }
}
