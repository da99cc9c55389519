import './scrubber.css'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { LogStatus } from '#contract/methods.ts'
import { useApp } from '../../stores/app-store.ts'
import { type LogState, useLog, useLogStore } from '../../stores/log-store.ts'
import { runSize } from '../../stores/run-size.ts'
import { formatClock, formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { axisHeight, drawOverview, seqAtX, xOfSeq } from './draw-overview.ts'
import { overviewColors } from './overview-colors.ts'
import { Overview } from './overview.ts'
import { ScrubberBubble } from './scrubber-bubble.tsx'

interface Size {
  width: number
  height: number
}

/** The whole run at a glance, and the handle to move through it. The position is the event's number, not its time. */
export function Scrubber() {
  const store = useLogStore()
  const log = useLog((state) => state)
  const { columns, status, playhead, moved } = log
  const strip = useRef<HTMLDivElement>(null)
  const size = useSize(strip)
  const room = useRef<HTMLDivElement>(null)
  /** The row the playhead was on when the drag began; null: none is under way. */
  const dragFrom = useRef<number | null>(null)
  const [hover, setHover] = useState<{ x: number; left: number; room: number } | null>(null)
  const total = totalEvents(status, columns.events)
  const canvas = useOverviewCanvas(log, total, size)
  const head = xOfSeq(Math.max(0, playhead), total, size.width)

  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const seekTo = (x: number) => {
    const seq = seqAtX(x, total, size.width, columns.events)
    if (seq >= 0) log.movePlayhead(seq)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    dragFrom.current = store.getState().row
    seekTo(xOf(event))
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const x = Math.max(0, Math.min(size.width, xOf(event)))
    setHover({ x, left: room.current?.offsetLeft ?? 0, room: room.current?.clientWidth ?? 0 })
    if (dragFrom.current !== null) seekTo(x)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || dragFrom.current === null) return onSliderKey(event, store.getState())
    log.selectRow(dragFrom.current)
    dragFrom.current = null
    event.preventDefault()
  }

  return (
    <div className="scrubber">
      <div className="lane-icons" aria-hidden="true">
        <Icon name="prompt" size={12} tone="k-prompt" />
        <Icon name="density" size={12} tone="t3" />
        <Icon name="todos" size={12} tone="k-todo" />
        <Icon name="violation" size={12} tone="s-violation" />
      </div>
      <div
        ref={strip}
        className="strip"
        role="slider"
        tabIndex={0}
        aria-label="Playhead"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, columns.events - 1)}
        aria-valuenow={Math.max(0, playhead)}
        aria-valuetext={valueText(log)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHover(null)}
        onLostPointerCapture={() => (dragFrom.current = null)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
        {moved && <div className="veil" style={{ left: head }} />}
        {columns.events > 0 && <div className="head" style={{ transform: `translateX(${head}px)` }} />}
        {hover !== null && columns.events > 0 && (
          <div className="hover-line" style={{ transform: `translateX(${hover.x}px)` }} />
        )}
        <div ref={room} className="bubble-room">
          {hover !== null && columns.events > 0 && (
            <ScrubberBubble
              seq={seqAtX(hover.x, total, size.width, columns.events)}
              x={hover.x - hover.left}
              room={hover.room}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** While a log is read, how many events it will have had; the unread part keeps its place in the overview. */
function totalEvents(status: LogStatus, events: number): number {
  const { bytes, bytesRead } = runSize(status)
  if (status.phase !== 'reading' || bytesRead === 0) return events
  return Math.max(events, Math.round((events * bytes) / bytesRead))
}

function valueText({ columns, playhead, todos }: LogState): string {
  if (playhead < 0) return columns.events === 0 ? 'no events' : 'before the first event'
  const time = formatClock(columns.timeOfSeq(playhead) ?? NaN)
  const index = todos.indexAt(playhead)
  return [
    `event ${formatCount(playhead)} of ${formatCount(columns.events)}`,
    ...(time === '' ? [] : [time]),
    ...(index < 0 ? [] : [`todos ${todos.completedAt(index)}/${todos.totalAt(index)}`])
  ].join(', ')
}

/** What a slider does beyond the page's own keys (Left, Right, Home, End). */
function onSliderKey(event: KeyboardEvent<HTMLElement>, log: LogState): void {
  const page = Math.max(1, Math.round(log.columns.events / 20))
  const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: page, PageDown: -page }
  const step = steps[event.key]
  if (step === undefined) return
  log.step(step)
  event.preventDefault()
}

function useSize(element: { current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const observer = new ResizeObserver(() => setSize({ width: target.clientWidth, height: target.clientHeight }))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** Each log has a scrubber of its own, so the overview begins with it. Drawn whenever what it shows, its size or the theme changes; never for the playhead. */
function useOverviewCanvas(log: LogState, total: number, { width, height }: Size) {
  const { columns, todos, version, find, status } = log
  const duration = (status.lastTimestamp ?? NaN) - (status.firstTimestamp ?? NaN)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [overview] = useState(() => new Overview())
  const theme = useApp((app) => app.theme)
  const dark = useDarkScheme()

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    overview.extend(columns)
    if (!element || !context || width === 0) return
    const ratio = window.devicePixelRatio
    element.width = Math.round(width * ratio)
    element.height = Math.round(height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const font = `11px ${getComputedStyle(element).fontFamily}`
    const lanes = { width, height: height - axisHeight }
    drawOverview(
      context,
      { overview, columns, todos, hits: find.hits, total, duration },
      lanes,
      overviewColors(element),
      font
    )
    // The columns grow in place: `version` says when.
  }, [overview, columns, todos, version, find.hits, total, duration, width, height, theme, dark])
  return canvas
}

function useDarkScheme(): boolean {
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const onChange = () => setDark(query.matches)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  return dark
}
