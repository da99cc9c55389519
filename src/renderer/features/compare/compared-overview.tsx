import '../../ui/time-axis.css'
import '../scrubber/scrubber.css'
import './compare.css'
import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useState } from 'react'
import type { Comparison } from '../../stores/comparison.ts'
import { useCompare } from '../../stores/use-compare.ts'
import { formatCount } from '../../ui/format.ts'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { useSize } from '../../ui/use-size.ts'
import { stepWords } from './compare-words.ts'
import { SideMark } from './side-mark.tsx'
import { comparedBands, comparedColors, comparedColumns, drawCompared } from './draw-compared.ts'

/** Rows of a page key. */
const pageRows = 10

/** Both sessions above each other, a column for each aligned row, with the handle of their playhead. */
export function ComparedOverview({ comparison }: { comparison: Comparison }) {
  const { row, select } = useCompare('row', 'select')
  const [strip, setStrip] = useState<HTMLDivElement | null>(null)
  const size = useSize(strip)
  const columns = useMemo(() => comparedColumns(comparison, size.width), [comparison, size.width])
  const canvas = useCanvas(
    size,
    useCallback(
      (context, element) => drawCompared(context, columns, size, comparedColors(element), canvasFont(element)),
      [columns, size]
    )
  )
  const { rows } = comparison
  const seekTo = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    select(Math.max(0, Math.min(rows - 1, Math.floor(((event.clientX - left) / Math.max(1, width)) * rows))))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const keys: Record<string, number> = {
      ...{ ArrowLeft: row - 1, ArrowDown: row - 1, ArrowRight: row + 1, ArrowUp: row + 1 },
      ...{ PageUp: row - pageRows, PageDown: row + pageRows, Home: 0, End: rows - 1 }
    }
    const to = keys[event.key]
    if (to === undefined) return
    select(Math.max(0, Math.min(rows - 1, to)))
    event.preventDefault()
    event.stopPropagation()
  }
  const { top, middle } = comparedBands(size.height)
  const head = rows === 0 || row < 0 ? null : ((row + 0.5) / rows) * size.width
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
        className="strip"
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
          seekTo(event)
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event)
        }}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
        {head !== null && (
          <>
            <div className="veil axis-veil" style={{ left: head }} />
            <div className="head axis-head" style={{ transform: `translateX(${head}px)` }} />
          </>
        )}
      </div>
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
