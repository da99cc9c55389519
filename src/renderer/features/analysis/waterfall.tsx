import '../../ui/time-axis.css'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore
} from 'react'
import { hitAt } from '../../stores/find-hits.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { formatPlural } from '../../ui/format.ts'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { useSize } from '../../ui/use-size.ts'
import { placeAtX, rangeBetween } from '../axis/axis-view.ts'
import { runAxis } from '../axis/run-axis.ts'
import { useRunScale } from '../axis/use-run-scale.ts'
import { useZoom } from '../axis/use-zoom.ts'
import type { AnalysisScope } from './analysis-range.ts'
import type { ContextAnswer } from './context-answer.ts'
import { drawFall } from './draw-fall.ts'
import { drawFallAxis, fallAxisHeight } from './fall-axis.ts'
import { fallColors } from './fall-colors.ts'
import { callBeside, callPitch, type FallHit, type FallRow, fallRows, heightOf, spanAt } from './fall-rows.ts'
import { callsIn, callsOf, ChosenSpan, ContextName, Selection, SpanBubble, TrackName } from './fall-parts.tsx'
import { boundsOf, eventsOf, joined, startsOf, tracksOf, turnsOf } from './fall-places.ts'
import { RangeBar } from './range-bar.tsx'
import { contextRowHeight, sentLine } from './sent-line.ts'
import { spanName, spanWords } from './span-words.ts'

/** A pointer this near to a span, in px, means it. */
const reach = 4
/** A shorter drag, in px, is a click. */
const leastDrag = 4
/** Summaries asked for at once. */
const maxWords = 300

/** One group of lines for each track: turns, the model's time, and calls. */
export function Waterfall({ scope, context }: { scope: AnalysisScope; context: ContextAnswer | null }) {
  const parts = useLogParts()
  const { spans, columns, timeScale, summaries, ranging, playhead, loading } = parts
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const spanVersion = useSyncExternalStore(spans.changes.subscribe, spans.changes.getVersion)
  const {
    seq,
    moved,
    selection,
    chosen,
    filter,
    row: here
  } = useLog(...(['seq', 'moved', 'selection', 'chosen', 'row', 'version', 'filter'] as const))
  const tracks = useLog((log) => log.status.tracks)
  const tools = useLog((log) => log.status.tools)
  const hasTimes = useLog(({ status }) => (status.lastTimestamp ?? 0) > (status.firstTimestamp ?? Infinity))
  const { runScale, setView } = useLayout('runScale', 'setView')
  const run = useRunScale(hasTimes ? runScale : 'events')
  const { scale } = run

  const all = useMemo(() => tracksOf(spans, spanVersion, parts, run, tracks), [spans, spanVersion, parts, run, tracks])
  const turns = useMemo(() => turnsOf(spans, spanVersion, parts), [spans, spanVersion, parts])
  const bounds = boundsOf(scale, scope.events, columns.events)
  const [strip, setStrip] = useState<HTMLDivElement | null>(null)
  const { width, height } = useSize(strip)
  const zoom = useZoom(strip, { ...bounds, least: scale.least }, scale.placeOf(Math.max(0, seq)), true)
  const { from, to } = zoom.view
  const axis = useMemo(() => runAxis(scale, { from, to }, width), [scale, from, to, width])
  const { from: least, total: most } = bounds
  const rows = useMemo(() => fallRows(all, { from: least, to: most }), [all, least, most])
  const { events } = columns
  const sent = useMemo(
    () => context && sentLine(context.requests, columns, scale, events),
    [context, columns, scale, events]
  )
  const full = heightOf(rows) + (sent === null ? 0 : contextRowHeight)
  const [top, setTop] = useState(0)
  const [span, setSpan] = useState(-1)
  const [activeTrack, setActiveTrack] = useState(0)
  const [hover, setHover] = useState<{ readonly x: number; readonly y: number; readonly hit: FallHit } | null>(null)
  const [drag, setDrag] = useState<{ readonly x: number; readonly to: number } | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const plotHeight = Math.max(0, height - fallAxisHeight)
  const shownTop = Math.max(0, Math.min(top, full - plotHeight))

  // Texts of the spans that have the room, asked for after they are drawn.
  const wanted = useRef(new Set<number>())
  const wordsOf = useCallback(
    (number: number) => {
      const { what, text } = spanWords(parts, tools, number)
      if (wanted.current.size < maxWords) wanted.current.add(spans.first[number] ?? 0)
      return text === '' ? what : text
    },
    [parts, tools, spans]
  )
  const starts = useMemo(() => startsOf(all, spans), [all, spans])
  // Calls are quiet where others are chosen, or are those that the rest of the query means.
  const hits = chosen?.found.hits ?? (scope.find === null ? null : filter.search.hits)
  const isChosen = useMemo(
    () =>
      hits === null
        ? null
        : (number: number) => [spans.first, spans.last].some((rows) => hitAt(hits, rows[number] ?? -1) >= 0),
    [hits, spans]
  )
  const canvas = useCanvas(
    { width, height: plotHeight },
    useCallback(
      (context, element) => {
        wanted.current.clear()
        const scene = {
          ...{ rows, top: shownTop, height: plotHeight, axis, timeScale, wordsOf, isChosen, sent },
          starts: (number: number) => starts.has(spans.first[number] ?? -1),
          startOf: ({ track }: FallRow) => {
            const start = starts.get(track.call)
            const above = rows.find((row) => row.track === start?.track)
            if (start === undefined || above === undefined) return null
            return { place: start.place, y: above.top + above.callsAt + (start.line + 1) * callPitch }
          }
        }
        drawFall(context, scene, fallColors(element), canvasFont(element))
      },
      [rows, shownTop, plotHeight, axis, timeScale, wordsOf, isChosen, sent, starts, spans]
    ),
    `${summaries.changes.version}`
  )
  const pointed = hover === null ? -1 : (spans.first[hover.hit.number] ?? -1)
  useEffect(() => summaries.request('waterfall', [...wanted.current, ...(pointed < 0 ? [] : [pointed])]))
  useEffect(() => () => summaries.request('waterfall', []), [summaries])
  const axisCanvas = useCanvas(
    { width, height: fallAxisHeight },
    useCallback(
      (context, element) => drawFallAxis(context, { axis, columns }, fallColors(element).text, canvasFont(element)),
      [axis, columns]
    )
  )

  const choose = (number: number) => {
    setSpan(number)
    const row = spans.first[number] ?? -1
    if (row >= 0) loading.whenLoaded(() => playhead.select(row))
  }
  const showTrack = (at: number) => {
    const row = rows[at]
    if (row === undefined) return
    setActiveTrack(at)
    const element = scroller.current
    if (element === null) return
    if (row.top < shownTop) element.scrollTop = row.top
    else if (row.top + row.height > shownTop + plotHeight) element.scrollTop = row.top + row.height - plotHeight
  }
  const active = Math.max(0, Math.min(activeTrack, rows.length - 1))
  const step = (by: 1 | -1, extend: boolean) => {
    const row = rows[active]
    if (row === undefined) return
    const number = callBeside(row.track, span, by, { from: least, to: most })
    if (number === null) return
    const before = span < 0 ? number : span
    choose(number)
    if (extend) ranging.select(joined([selection, eventsOf(parts, before), eventsOf(parts, number)]))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowUp') showTrack(Math.max(0, active - 1))
    else if (event.key === 'ArrowDown') showTrack(Math.min(rows.length - 1, active + 1))
    else if (event.key === 'ArrowRight') step(1, event.shiftKey)
    else if (event.key === 'ArrowLeft') step(-1, event.shiftKey)
    else if (event.key === '+' || event.key === '=') zoom.by(0.5)
    else if (event.key === '-') zoom.by(2)
    else if (event.key === '0') zoom.reset()
    else if (event.key === 'Enter') {
      if (!ranging.zoomIn()) setView('timeline')
    } else if (event.key !== 'Escape' || !ranging.widen()) return
    event.preventDefault()
    event.stopPropagation()
  }

  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: Math.max(0, Math.min(width, event.clientX - box.left)), y: event.clientY - box.top }
  }
  const hitOf = ({ x, y }: { x: number; y: number }) => {
    if (y < fallAxisHeight) return null
    const perPixel = (to - from) / Math.max(1, width)
    return spanAt(rows, placeAtX(x, { from, to }, width), y - fallAxisHeight + shownTop, reach * perPixel)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    scroller.current?.focus({ preventScroll: true })
    event.currentTarget.setPointerCapture(event.pointerId)
    const point = pointOf(event)
    if (event.shiftKey && zoom.zoomed) return zoom.grab(point.x)
    setDrag({ x: point.x, to: point.x })
    setHover(null)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const point = pointOf(event)
    if (zoom.grabbed) return zoom.drag(point.x)
    if (drag !== null) {
      setDrag({ ...drag, to: point.x })
      if (Math.abs(point.x - drag.x) >= leastDrag)
        ranging.select(rangeBetween(scale, axis.view, width, drag.x, point.x))
      return
    }
    const hit = hitOf(point)
    setHover(hit === null ? null : { ...point, hit })
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const point = pointOf(event)
    if (drag === null || Math.abs(point.x - drag.x) >= leastDrag) return
    ranging.select(null)
    const hit = hitOf(point)
    if (hit === null) {
      const to = axis.seqAt(point.x)
      if (to >= 0) playhead.placeEvent(to)
      return
    }
    setActiveTrack(hit.row)
    choose(hit.number)
  }
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const hit = hitOf({ x: event.clientX - box.left, y: event.clientY - box.top })
    if (hit?.of === 'turn') ranging.zoomIn(eventsOf(parts, hit.number))
    else if (hit?.of === 'call') setView('timeline')
    else zoom.reset()
  }

  const id = useId()
  const playheadX = axis.xOfSeq(Math.max(0, seq))
  // The chosen span is that of the playhead: moving it elsewhere ends the choice.
  const shownSpan = span >= 0 && spans.first[span] === here ? span : -1
  return (
    <>
      <RangeBar zoom={zoom} hasTimes={hasTimes} turns={turns} />
      <div className="fall fill">
        <div
          ref={scroller}
          role="grid"
          aria-label="Waterfall"
          aria-rowcount={rows.length + (sent === null ? 1 : 2)}
          aria-activedescendant={
            rows[active] === undefined ? undefined : shownSpan >= 0 ? `${id}-span` : `${id}-${active}`
          }
          tabIndex={0}
          className="fall-grid row-list"
          onKeyDown={onKeyDown}
          onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        >
          <div role="row" aria-rowindex={1} className="fall-heads t3 caption">
            <span role="columnheader">Track</span>
            <span role="columnheader" className="unseen">
              Calls
            </span>
          </div>
          <div className="fall-space" role="presentation" style={{ height: full }}>
            {rows.map((row, at) =>
              row.top > shownTop + plotHeight || row.top + row.height < shownTop ? null : (
                <div
                  key={row.track.track}
                  role="row"
                  id={`${id}-${at}`}
                  aria-rowindex={at + 2}
                  aria-selected={at === active}
                  className="fall-row"
                  style={{ transform: `translateY(${row.top}px)`, height: row.height }}
                  onClick={() => showTrack(at)}
                >
                  <TrackName track={row.track} label={tracks[row.track.track]?.label ?? ''} />
                  {at === active && shownSpan >= 0 ? (
                    <span role="gridcell" id={`${id}-span`} className="unseen">
                      {spanName(spanWords(parts, tools, shownSpan))}
                    </span>
                  ) : (
                    <span role="gridcell" className="unseen">
                      {callsOf(row.track)}
                    </span>
                  )}
                </div>
              )
            )}
            {sent !== null && (
              <div
                role="row"
                aria-rowindex={rows.length + 2}
                className="fall-row"
                style={{ transform: `translateY(${heightOf(rows)}px)`, height: contextRowHeight }}
              >
                <ContextName sent={sent} />
                <span role="gridcell" className="unseen">
                  {formatPlural(sent.length, 'request')}
                </span>
              </div>
            )}
          </div>
        </div>
        <div
          ref={setStrip}
          className={zoom.grabbed ? 'fall-plot grabbed' : 'fall-plot'}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerLeave={() => setHover(null)}
          onLostPointerCapture={() => {
            setDrag(null)
            zoom.letGo()
          }}
          onDoubleClick={onDoubleClick}
          onWheel={(event) => {
            if (!event.ctrlKey && !event.metaKey && !event.shiftKey) scroller.current?.scrollBy({ top: event.deltaY })
          }}
        >
          <canvas ref={axisCanvas} aria-hidden="true" />
          <canvas ref={canvas} aria-hidden="true" />
          {selection !== null && <Selection range={selection} axis={axis} calls={callsIn(rows, axis, selection)} />}
          {moved && playheadX < width && (
            <div className="fall-veil axis-veil" style={{ left: Math.max(0, playheadX) }} />
          )}
          {columns.events > 0 && playheadX >= 0 && playheadX <= width && (
            <div className="fall-head axis-head" style={{ transform: `translateX(${playheadX}px)` }} />
          )}
          {shownSpan >= 0 && <ChosenSpan rows={rows} number={shownSpan} axis={axis} top={shownTop} />}
          {hover !== null && (
            <div
              className="fall-bubble axis-bubble"
              style={{
                left: hover.x,
                top: hover.y > height * 0.6 ? hover.y - 12 : hover.y + 16,
                transform: `translate(-${(hover.x / Math.max(1, width)) * 100}%, ${hover.y > height * 0.6 ? '-100%' : '0'})`
              }}
            >
              <SpanBubble words={spanWords(parts, tools, hover.hit.number)} />
            </div>
          )}
        </div>
      </div>
    </>
  )
}
