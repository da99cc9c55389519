import '../../ui/time-axis.css'
import '../scrubber/scrubber.css'
import './compare.css'
import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useState } from 'react'
import type { Comparison } from '../../stores/comparison.ts'
import { useCompare } from '../../stores/use-compare.ts'
import { formatCount } from '../../ui/format.ts'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { useSize } from '../../ui/use-size.ts'
import { IconButton } from '../../ui/button.tsx'
import { placeAtX, xOfPlace } from '../axis/axis-view.ts'
import { useZoom } from '../axis/use-zoom.ts'
import { ZoomRange } from '../axis/zoom-range.tsx'
import { stepWords } from './compare-words.ts'
import { SideMark } from './side-mark.tsx'
import { comparedBands, comparedColors, comparedColumns, drawCompared } from './draw-compared.ts'

/** Rows of a page key. */
const pageRows = 10
/** The fewest rows that fill the overview. */
const least = 24

/** Both sessions above each other, a column for each aligned row, with the handle of their playhead. */
export function ComparedOverview({ comparison }: { comparison: Comparison }) {
  const { row, select } = useCompare('row', 'select')
  const [strip, setStrip] = useState<HTMLDivElement | null>(null)
  const size = useSize(strip)
  const { rows } = comparison
  const total = Math.max(1, rows)
  const place = Math.max(0, row) + 0.5
  const zoom = useZoom(strip, { total, least }, place)
  const { from, to } = zoom.view
  const columns = useMemo(
    () => comparedColumns(comparison, { from, to }, size.width),
    [comparison, from, to, size.width]
  )
  const canvas = useCanvas(
    size,
    useCallback(
      (context, element) =>
        drawCompared(context, columns, { view: { from, to }, ...size }, comparedColors(element), canvasFont(element)),
      [columns, from, to, size]
    )
  )
  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const seekTo = (x: number) => {
    const at = placeAtX(Math.max(0, Math.min(size.width, x)), zoom.view, size.width)
    select(Math.max(0, Math.min(rows - 1, Math.floor(at))))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const keys: Record<string, number> = {
      ...{ ArrowLeft: row - 1, ArrowDown: row - 1, ArrowRight: row + 1, ArrowUp: row + 1 },
      ...{ PageUp: row - pageRows, PageDown: row + pageRows, Home: 0, End: rows - 1 }
    }
    const next = keys[event.key]
    if (next !== undefined) select(Math.max(0, Math.min(rows - 1, next)))
    else if (event.key === '+' || event.key === '=') zoom.by(0.5)
    else if (event.key === '-') zoom.by(2)
    else if (event.key === '0' || (event.key === 'Escape' && zoom.zoomed)) zoom.reset()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const { top, middle } = comparedBands(size.height)
  const head = rows === 0 || row < 0 ? -1 : xOfPlace(place, zoom.view, size.width)
  return (
    <div className="scrubber">
      <div className="lane-icons">
        <span className="overview-side" style={{ top: (top + middle) / 2 - 9 }}>
          <SideMark side="a" />
        </span>
        <span className="overview-side" style={{ top: middle + (middle - top) / 2 - 9 }}>
          <SideMark side="b" />
        </span>
      </div>
      <div
        ref={setStrip}
        className={zoom.grabbed ? 'strip grabbed' : 'strip'}
        role="slider"
        tabIndex={0}
        aria-label="Playhead"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, rows - 1)}
        aria-valuenow={Math.max(0, row)}
        aria-valuetext={valueText(comparison, row)}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          if (event.shiftKey && zoom.zoomed) zoom.grab(xOf(event))
          else seekTo(xOf(event))
        }}
        onPointerMove={(event) => {
          if (zoom.grabbed) zoom.drag(xOf(event))
          else if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(xOf(event))
        }}
        onLostPointerCapture={zoom.letGo}
        onDoubleClick={zoom.reset}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
        {row >= 0 && head < size.width && <div className="veil axis-veil" style={{ left: Math.max(0, head) }} />}
        {head >= 0 && head <= size.width && (
          <div className="head axis-head" style={{ transform: `translateX(${head}px)` }} />
        )}
        {zoom.zoomed && <ZoomRange view={zoom.view} total={total} place={place} />}
      </div>
      {zoom.zoomed && (
        <div className="scrubber-whole">
          <IconButton small icon="whole" label="Show all rows" keys="0" onClick={zoom.reset} />
        </div>
      )}
    </div>
  )
}

function valueText(comparison: Comparison, row: number): string {
  if (row < 0 || comparison.rows === 0) return 'no rows'
  const events = (['a', 'b'] as const).flatMap((side) => {
    const seq = comparison.seqAt(side, row)
    return seq < 0 ? [] : [`event ${formatCount(seq)} of ${side.toUpperCase()}`]
  })
  const what = stepWords[comparison.classAt(row)]
  return [`row ${formatCount(row + 1)} of ${formatCount(comparison.rows)}`, what, ...events].join(', ')
}
