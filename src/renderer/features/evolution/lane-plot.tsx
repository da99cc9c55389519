import '../../ui/time-axis.css'
import { type PointerEvent, useState } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { RowScroll } from '../../ui/use-row-scroll.ts'
import type { Zoom } from '../axis/use-zoom.ts'
import { axisHeight } from './draw-axis.ts'
import { laneHeight } from './draw-lanes.ts'
import { LaneBubble } from './lane-bubble.tsx'
import type { LaneRow } from './lane-rows.ts'
import type { SnapshotAxis } from './snapshot-axis.ts'

/** A click this near to a change, in px, selects the change. */
const reach = 6

/** The playhead, the future and the hovered item over the lanes. `shown`: the line with a bubble, or -1. */
export function LanePlot({
  setElement,
  rows,
  element,
  scroll,
  axis,
  zoom,
  shown,
  onChoose
}: {
  setElement: (element: HTMLDivElement | null) => void
  rows: readonly LaneRow[]
  element: HTMLElement | null
  scroll: RowScroll | null
  axis: SnapshotAxis
  zoom: Zoom
  shown: number
  onChoose: (row: number) => void
}) {
  const { todos, columns, playhead } = useLogParts()
  const { seq: here, moved } = useLog('seq', 'moved', 'version')
  const { lanes } = todos
  const [hover, setHover] = useState<{ readonly x: number; readonly y: number } | null>(null)
  const [dragging, setDragging] = useState(false)
  const { width } = axis
  const head = axis.xOfSeq(Math.max(0, here))

  const rowAtY = (y: number): number => {
    if (scroll === null || y < axisHeight) return -1
    return Math.floor((y - axisHeight - scroll.yOf(0)) / laneHeight)
  }
  /** The nearest transition of the lane under a point, if it is within reach. */
  const nearest = (x: number, y: number): number => {
    const row = rows[rowAtY(y)]
    if (row?.kind !== 'lane') return -1
    const position = lanes.positionAt(row.lane, axis.snapshotAt(x))
    const [before, after] = [position, position + 1].map((at) => lanes.snapshotAt(row.lane, at))
    const distance = (snapshot = Infinity) =>
      snapshot === Infinity ? Infinity : Math.abs(axis.xOfSnapshot(snapshot) - x)
    const near = distance(before) <= distance(after) ? before : after
    return near !== undefined && distance(near) <= reach ? near : -1
  }
  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const seek = ({ x, y }: { x: number; y: number }, toChange: boolean) => {
    const change = toChange ? nearest(x, y) : -1
    const seq = change >= 0 ? todos.seqAt(change) : axis.seqAt(Math.max(0, Math.min(width, x)))
    if (seq >= 0) playhead.placeEvent(seq)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    element?.focus({ preventScroll: true })
    event.currentTarget.setPointerCapture(event.pointerId)
    const point = pointOf(event)
    const row = rowAtY(point.y)
    if (rows[row] !== undefined) onChoose(row)
    if (event.shiftKey && zoom.zoomed) return zoom.grab(point.x)
    setDragging(true)
    seek(point, true)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const point = pointOf(event)
    if (zoom.grabbed) return zoom.drag(point.x)
    setHover(point)
    if (dragging) seek(point, false)
  }
  const bubble = dragging ? null : (hoverBubble() ?? keyBubble())

  /** For the lane under the pointer. */
  function hoverBubble() {
    const row = hover === null ? undefined : rows[rowAtY(hover.y)]
    if (hover === null || row?.kind !== 'lane') return null
    const position = lanes.positionAt(row.lane, axis.snapshotAt(hover.x))
    return position < 0 ? null : { lane: row.lane, position, x: hover.x, y: rowBottom(rowAtY(hover.y)) }
  }
  /** For the lane chosen with a key, at the playhead. */
  function keyBubble() {
    const row = rows[shown]
    if (row?.kind !== 'lane' || head < 0 || head > width) return null
    const position = lanes.positionAt(row.lane, todos.indexAt(here))
    return position < 0 ? null : { lane: row.lane, position, x: head, y: rowBottom(shown) }
  }
  function rowBottom(row: number): number {
    return axisHeight + (scroll?.yOf(row + 1) ?? 0)
  }

  const height = element?.clientHeight ?? 0
  return (
    <div
      ref={setElement}
      className={zoom.grabbed ? 'lane-plot grabbed' : 'lane-plot'}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setHover(null)}
      onLostPointerCapture={() => {
        setDragging(false)
        zoom.letGo()
      }}
      onDoubleClick={zoom.reset}
    >
      {moved && head < width && <div className="lane-veil axis-veil" style={{ left: Math.max(0, head) }} />}
      {columns.events > 0 && head >= 0 && head <= width && (
        <div className="lane-head axis-head" style={{ transform: `translateX(${head}px)` }} />
      )}
      {hover !== null && !dragging && (
        <div className="lane-hover axis-pointer" style={{ transform: `translateX(${hover.x}px)` }} />
      )}
      {bubble !== null && (
        <div
          className="lane-bubble axis-bubble"
          style={{
            left: bubble.x,
            top: bubble.y > height * 0.6 ? bubble.y - laneHeight : bubble.y,
            transform: `translate(-${(Math.max(0, Math.min(width, bubble.x)) / Math.max(1, width)) * 100}%, ${
              bubble.y > height * 0.6 ? 'calc(-100% - 6px)' : '6px'
            })`
          }}
        >
          <LaneBubble lane={bubble.lane} position={bubble.position} />
        </div>
      )}
    </div>
  )
}
