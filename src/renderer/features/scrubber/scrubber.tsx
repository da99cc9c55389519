import '../../ui/time-axis.css'
import './scrubber.css'
import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react'
import type { LogStatus } from '#contract/methods.ts'
import { type EventScale, evenScale } from '#core/replay/event-scale.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { type LogParts, useLog, useLogParts, useLogStore } from '../../stores/log-store.ts'
import { useShownFindings } from '../../stores/shown-findings.ts'
import { type EventRange, rangeInForce } from '../../stores/ranging.ts'
import type { Stepping } from '../../stores/stepping.ts'
import { runSize } from '../../stores/run-size.ts'
import { formatClock, formatCount } from '../../ui/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { type Size, useSize } from '../../ui/use-size.ts'
import { axisHeight, drawOverview } from './draw-overview.ts'
import { overviewColors } from './overview-colors.ts'
import { Legend } from './legend.tsx'
import { ScrubberBubble } from './scrubber-bubble.tsx'
import { type AxisView, rangeBetween, seqAtX, xOfPlace } from '../axis/axis-view.ts'
import { useZoom, type Zoom } from '../axis/use-zoom.ts'
import { ZoomRange } from '../axis/zoom-range.tsx'

/** A shorter drag along the axis, in px, marks nothing. */
const leastMark = 4

/** The session or a part of it, by event or time, with a handle for the playhead. */
export function Scrubber() {
  const { parts, getState } = useLogStore()
  const { columns, playhead, stepping, ranging } = parts
  const { seq, moved } = useLog('seq', 'moved', 'version')
  const [strip, setStrip] = useState<HTMLDivElement | null>(null)
  const size = useSize(strip)
  const room = useRef<HTMLDivElement>(null)
  /** The playhead's row when the drag began; null without a drag. */
  const dragFrom = useRef<number | null>(null)
  const [hover, setHover] = useState<{ x: number; left: number; room: number } | null>(null)
  const { overTime, setOverTime } = useLayout('overTime', 'setOverTime')
  const scale = useScale(parts, overTime)
  const total = scale.total * useLog((log) => unreadShare(log.status))
  const place = scale.placeOf(Math.max(0, seq))
  const zoom = useZoom(strip, { total, least: scale.least }, place)
  const { view } = zoom
  const canvas = useOverviewCanvas(scale, view, size)
  const head = xOfPlace(place, view, size.width)
  const headShown = columns.events > 0 && head >= 0 && head <= size.width

  /** Where a range began to be marked, in px; null: none is. */
  const markFrom = useRef<number | null>(null)
  const selection = useLog((log) => log.selection)
  const query = useLog((log) => log.filter.query)
  const range = rangeInForce(query)

  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const seekTo = (x: number) => {
    const to = seqAtX(scale, Math.max(0, Math.min(size.width, x)), view, size.width)
    if (to >= 0) playhead.placeEvent(to)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    if (event.shiftKey && zoom.zoomed) return zoom.grab(xOf(event))
    // The axis below the bands marks a range; the bands move the playhead.
    const { bottom } = event.currentTarget.getBoundingClientRect()
    if (event.clientY > bottom - axisHeight) {
      markFrom.current = xOf(event)
      return
    }
    dragFrom.current = getState().row
    seekTo(xOf(event))
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const x = xOf(event)
    if (zoom.grabbed) return zoom.drag(x)
    setHover({
      x: Math.max(0, Math.min(size.width, x)),
      left: room.current?.offsetLeft ?? 0,
      room: room.current?.clientWidth ?? 0
    })
    if (markFrom.current !== null && Math.abs(x - markFrom.current) >= leastMark) {
      ranging.select(rangeBetween(scale, view, size.width, markFrom.current, x))
    }
    if (dragFrom.current !== null) seekTo(x)
  }
  const onPointerLost = () => {
    dragFrom.current = null
    markFrom.current = null
    zoom.letGo()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && ranging.zoomIn()) return event.preventDefault()
    if (event.key !== 'Escape' || dragFrom.current === null) return onSliderKey(event, stepping, scale, zoom)
    playhead.select(dragFrom.current)
    dragFrom.current = null
    event.preventDefault()
  }

  return (
    <div className="scrubber">
      <div className="lane-icons">
        <Legend />
        <IconButton
          small
          icon={overTime ? 'gap' : 'number'}
          label={overTime ? 'Axis: time. Switch to events.' : 'Axis: events. Switch to time.'}
          onClick={() => setOverTime(!overTime)}
        />
      </div>
      <div
        ref={setStrip}
        className={zoom.grabbed ? 'strip grabbed' : 'strip'}
        role="slider"
        tabIndex={0}
        aria-label="Playhead"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, columns.events - 1)}
        aria-valuenow={Math.max(0, seq)}
        aria-valuetext={valueText(parts, seq)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHover(null)}
        onLostPointerCapture={onPointerLost}
        onDoubleClick={zoom.reset}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
        {moved && head < size.width && <div className="veil axis-veil" style={{ left: Math.max(0, head) }} />}
        {headShown && <div className="head axis-head" style={{ transform: `translateX(${head}px)` }} />}
        {range !== null && <RangeBracket range={range} scale={scale} view={view} kind="in-force" />}
        {selection !== null && <RangeBracket range={selection} scale={scale} view={view} kind="marked" />}
        {zoom.zoomed && <ZoomRange view={view} total={total} place={place} />}
        {hover !== null && !zoom.grabbed && columns.events > 0 && (
          <div className="hover-line axis-pointer" style={{ transform: `translateX(${hover.x}px)` }} />
        )}
        <div ref={room} className="bubble-room">
          {hover !== null && !zoom.grabbed && columns.events > 0 && (
            <ScrubberBubble seq={seqAtX(scale, hover.x, view, size.width)} x={hover.x - hover.left} room={hover.room} />
          )}
        </div>
      </div>
      {zoom.zoomed && (
        <div className="scrubber-whole">
          <IconButton small icon="whole" label="Show the whole session" keys="0" onClick={zoom.reset} />
        </div>
      )}
    </div>
  )
}

/** The scale of the log. The time scale grows in place. */
function useScale({ columns: { events }, timeScale }: LogParts, overTime: boolean): EventScale {
  const even = useMemo(() => evenScale(events), [events])
  if (!overTime) return even
  timeScale.extend()
  return timeScale
}

/** The events that all views show, or those that a person marked. */
function RangeBracket({ range, scale, view, kind }: RangeBracketProps) {
  const shareOf = (place: number) => Math.max(0, Math.min(100, ((place - view.from) / (view.to - view.from)) * 100))
  const left = shareOf(scale.placeOf(range.from))
  const right = shareOf(scale.placeOf(range.to))
  return (
    <div
      className={`range-bracket ${kind}`}
      aria-hidden="true"
      style={{ left: `${left}%`, width: `${right - left}%` }}
    />
  )
}

interface RangeBracketProps {
  readonly range: EventRange
  readonly scale: EventScale
  readonly view: AxisView
  readonly kind: 'in-force' | 'marked'
}

/** The expected rest of a log that is being read, as a share of what is read. The unread part keeps its place. */
function unreadShare(status: LogStatus): number {
  const { bytes, bytesRead } = runSize(status)
  return status.phase !== 'reading' || bytesRead === 0 ? 1 : Math.max(1, bytes / bytesRead)
}

function valueText({ columns, todos }: LogParts, seq: number): string {
  if (seq < 0) return columns.events === 0 ? 'no events' : 'before the first event'
  const time = formatClock(columns.timeOfSeq(seq) ?? NaN)
  const index = todos.indexAt(seq)
  return [
    `event ${formatCount(seq + 1)} of ${formatCount(columns.events)}`,
    ...(time === '' ? [] : [time]),
    ...(index < 0 ? [] : [`todos ${todos.completedAt(index)}/${todos.totalAt(index)}`])
  ].join(', ')
}

/** The slider's keys beyond those of the page (Left, Right, Home, End). */
function onSliderKey(event: KeyboardEvent<HTMLElement>, stepping: Stepping, scale: EventScale, zoom: Zoom): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const inView = scale.seqAt(zoom.view.to) - scale.seqAt(zoom.view.from)
  const page = Math.max(1, Math.round(inView / 20))
  const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: page, PageDown: -page }
  const step = steps[event.key]
  if (step !== undefined) stepping.step(step)
  else if (event.key === '+' || event.key === '=') zoom.by(0.5)
  else if (event.key === '-') zoom.by(2)
  else if (event.key === '0' || (event.key === 'Escape' && zoom.zoomed)) zoom.reset()
  else return
  event.preventDefault()
}

/** Drawn again whenever what it shows changes; never for the playhead. */
function useOverviewCanvas(scale: EventScale, view: AxisView, size: Size) {
  const { overview, columns, todos, reviewing } = useLogParts()
  const { version, find, reviewVersion } = useLog('version', 'find', 'reviewVersion')
  const { hits } = find
  const findings = useShownFindings().list
  const { from, to } = view
  const { width, height } = size
  const draw = useCallback(
    (context: CanvasRenderingContext2D, canvas: HTMLCanvasElement) => {
      const lanes = { width, height: height - axisHeight }
      const bookmarks = reviewing.bookmarkedRows
      const scene = { overview, columns, todos, hits, bookmarks, findings, scale, view: { from, to } }
      drawOverview(context, scene, lanes, overviewColors(canvas), canvasFont(canvas))
    },
    [overview, columns, todos, hits, reviewing, findings, scale, from, to, width, height]
  )
  // The columns and the bookmarks change in place.
  return useCanvas(size, draw, `${version} ${reviewVersion}`)
}
