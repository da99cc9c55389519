import { type StepClass, stepClasses } from '#core/compare/compare-sessions.ts'
import type { Comparison, Side } from '../../stores/comparison.ts'
import { drawAxisLabels } from '../../ui/axis-labels.ts'
import { formatCount } from '../../ui/format.ts'
import { tokenColors } from '../../ui/token-colors.ts'
import { type AxisView, placeAtX, xOfPlace } from '../axis/axis-view.ts'
import { stepSigns } from './compare-words.ts'

/** Height of the axis, and of the signs above it, in px. */
export const axisHeight = 16
const signHeight = 14
/** Columns are not narrower, so that one can be seen. */
const leastColumn = 2
/** Columns from this width on have a sign. */
const leastSign = 9

/** The rows of a comparison in columns of equal length: by class, how many rows of a column have it. */
export interface ComparedColumns {
  /** The first row of the first column. */
  readonly first: number
  /** Rows of a column. The last one of all can have fewer. */
  readonly length: number
  readonly count: number
  readonly byClass: readonly Uint32Array[]
}

/** The columns of the visible rows. Panning moves them, and does not cut them otherwise. */
export function comparedColumns(comparison: Comparison, { from, to }: AxisView, width: number): ComparedColumns {
  const end = Math.min(comparison.rows, Math.ceil(to))
  const length = Math.max(1, Math.ceil(((to - from) * leastColumn) / Math.max(1, width)))
  const first = Math.floor(from / length) * length
  const count = width <= 0 ? 0 : Math.max(0, Math.ceil((end - first) / length))
  const byClass = stepClasses.map(() => new Uint32Array(count))
  for (let row = first; row < Math.min(comparison.rows, first + count * length); row++) {
    const counts = byClass[stepClasses.indexOf(comparison.classAt(row))]
    const column = Math.floor((row - first) / length)
    if (counts !== undefined) counts[column] = (counts[column] ?? 0) + 1
  }
  return { first, length, count, byClass }
}

/** The class that a column is marked with: the one that differs most. */
export function classOfColumn({ byClass }: ComparedColumns, column: number): StepClass {
  let best: StepClass = 'same'
  let most = 0
  for (const [place, found] of stepClasses.entries()) {
    const count = found === 'same' ? 0 : (byClass[place]?.[column] ?? 0)
    if (count > most) [best, most] = [found, count]
  }
  return best
}

export function comparedColors(element: HTMLElement) {
  return tokenColors(element, {
    same: '--kind-result',
    changed: '--sev-violation',
    'only-a': '--sev-malformed',
    'only-b': '--todo-completed',
    moved: '--kind-reasoning',
    line: '--line',
    none: '--line-strong',
    sign: '--text-2',
    text: '--text-3'
  })
}

/** A column for each row, or for several: A hangs from the upper edge, B stands below it, and a sign tells what differs. */
export function drawCompared(
  context: CanvasRenderingContext2D,
  columns: ComparedColumns,
  { view, width, height }: { readonly view: AxisView; readonly width: number; readonly height: number },
  colors: ReturnType<typeof comparedColors>,
  font: string
): void {
  const { first, length, count, byClass } = columns
  const { top, middle, bottom } = comparedBands(height)
  context.clearRect(0, 0, width, height)
  context.font = font
  context.fillStyle = colors.line
  context.fillRect(0, middle, width, 1)
  context.fillRect(0, height - axisHeight, width, 1)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const room = middle - top - 2
  for (let column = 0; column < count; column++) {
    const row = first + column * length
    const x = Math.round(xOfPlace(row, view, width))
    const w = Math.max(1, Math.round(xOfPlace(row + length, view, width)) - x)
    const rows = stepClasses.reduce((sum, _, place) => sum + (byClass[place]?.[column] ?? 0), 0)
    const drawn = w > 6 ? w - 1 : w
    for (const side of ['a', 'b'] as const) {
      let y = side === 'a' ? middle - 1 : middle + 2
      for (const [place, found] of stepClasses.entries()) {
        const isThere = found !== absentClass[side]
        const part = ((byClass[place]?.[column] ?? 0) / Math.max(1, rows)) * room
        if (part === 0) continue
        // What the side does not have is a gap, with a line where it would be.
        const high = isThere ? part : Math.min(2, part)
        context.globalAlpha = found === 'same' ? 0.35 : isThere ? 0.85 : 1
        context.fillStyle = isThere ? colors[found] : colors.none
        context.fillRect(x, side === 'a' ? y - high : y, drawn, high)
        y += side === 'a' ? -part : part
      }
    }
    context.globalAlpha = 1
    const found = classOfColumn(columns, column)
    if (w < leastSign || found === 'same') continue
    context.fillStyle = colors.sign
    context.fillText(stepSigns[found], x + drawn / 2, bottom + signHeight / 2)
  }
  context.fillStyle = colors.text
  const labels = Math.max(1, Math.floor(width / 160))
  const last = Math.ceil(view.to) - 1
  const texts = Array.from({ length: count === 0 ? 0 : labels + 1 }, (_, label) => {
    const row = Math.min(last, Math.floor(placeAtX((label / labels) * width, view, width)))
    return { x: (label / labels) * width, text: row === 0 ? 'row 1' : formatCount(row + 1) }
  })
  drawAxisLabels(context, texts, width, height - axisHeight / 2)
}

const absentClass: Readonly<Record<Side, StepClass>> = { a: 'only-b', b: 'only-a' }

/** In px from the top: the edges of the bars of both sides, and the line between them. */
export function comparedBands(height: number): {
  readonly top: number
  readonly middle: number
  readonly bottom: number
} {
  const [top, bottom] = [8, height - axisHeight - signHeight]
  return { top, middle: Math.round((top + bottom) / 2), bottom }
}
