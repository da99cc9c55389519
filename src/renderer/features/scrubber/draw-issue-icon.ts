/** Octagon, triangle, ring: each severity (3, 2, 1) has a shape, not only a color. */
export function drawIssueIcon(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  severity: number,
  colors: Readonly<Record<1 | 2 | 3, string>>
): void {
  context.beginPath()
  if (severity >= 3) {
    for (let corner = 0; corner < 8; corner++) {
      const angle = Math.PI / 8 + (corner * Math.PI) / 4
      context.lineTo(x + 4.5 * Math.cos(angle), y + 4.5 * Math.sin(angle))
    }
  } else if (severity === 2) {
    context.moveTo(x, y - 4)
    context.lineTo(x + 4.5, y + 4)
    context.lineTo(x - 4.5, y + 4)
  } else context.arc(x, y, 3, 0, Math.PI * 2)
  context.closePath()
  if (severity <= 1) {
    context.strokeStyle = colors[1]
    context.lineWidth = 1.5
    context.stroke()
  } else {
    context.fillStyle = severity === 2 ? colors[2] : colors[3]
    context.fill()
  }
}
