import { TimeScale } from '#core/replay/event-scale.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import { drawAxisLabels } from '../../ui/axis-labels.ts'
import { formatClock, formatCount, formatShortDuration, formatTime } from '../../ui/format.ts'
import { xOfPlace } from '../axis/axis-view.ts'
import type { RunAxis } from '../axis/run-axis.ts'

/** In px, as in the style sheet. */
export const fallAxisHeight = 24
/** The middle of the labels; below them is the head of the playhead. */
const labelY = 8
const labelRoom = 96
const mostGaps = 400

/** Draws the labels above the waterfall: times or events, and the length of shortened idle times in their place. */
export function drawFallAxis(
  context: CanvasRenderingContext2D,
  { axis, columns }: { axis: RunAxis; columns: LogColumns },
  color: string,
  font: string
): void {
  const { scale, view, width } = axis
  context.clearRect(0, 0, width, fallAxisHeight)
  context.font = font
  context.fillStyle = color
  context.textBaseline = 'middle'
  const gaps = idleLabels(axis, columns)
  const count = Math.max(1, Math.floor(width / labelRoom))
  const isShort = (view.to - view.from) / count < 2000
  const label = (seq: number): string => {
    const time = scale instanceof TimeScale ? columns.timeOfSeq(seq) : null
    if (time === null) return seq < 0 ? '' : formatCount(seq + 1)
    return isShort ? formatTime(time) : formatClock(time)
  }
  const labels = Array.from({ length: count + 1 }, (_, at) => {
    const x = (at / count) * width
    return { x, text: label(axis.seqAt(Math.min(x, width - 1))) }
  }).filter(({ x }) => gaps.every((gap) => Math.abs(gap.x - x) > labelRoom * 0.75))
  drawAxisLabels(
    context,
    [...labels, ...gaps].toSorted((a, b) => a.x - b.x),
    width,
    labelY
  )
}

/** The real lengths of idle times that are drawn shorter, where there is room for them. */
function idleLabels({ scale, view, width }: RunAxis, columns: LogColumns): { x: number; text: string }[] {
  if (!(scale instanceof TimeScale)) return []
  return scale.gaps(scale.seqAt(view.from), scale.seqAt(view.to) + 2, mostGaps).flatMap((seq) => {
    const to = xOfPlace(scale.placeOf(seq), view, width)
    const from = xOfPlace(scale.placeOf(seq) - scale.drawnGap, view, width)
    const [begin, end] = [columns.timeOfSeq(seq - 1), columns.timeOfSeq(seq)]
    if (to - from < 24 || begin === null || end === null || end <= begin) return []
    return [{ x: (from + to) / 2, text: formatShortDuration(end - begin) }]
  })
}
