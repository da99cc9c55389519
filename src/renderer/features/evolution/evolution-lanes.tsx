import '../../ui/row-list.css'
import { type KeyboardEvent, memo, useCallback, useId, useMemo, useState, useSyncExternalStore } from 'react'
import type { EventScale } from '#core/replay/event-scale.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { TodoLanes } from '../../stores/todo-lanes.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { useRowScroll } from '../../ui/use-row-scroll.ts'
import { useSize } from '../../ui/use-size.ts'
import { useZoom } from '../axis/use-zoom.ts'
import { axisHeight, drawAxis } from './draw-axis.ts'
import { drawLanes, laneHeight } from './draw-lanes.ts'
import { laneColors } from './lane-colors.ts'
import { EvolutionBar } from './evolution-bar.tsx'
import { LanePlot } from './lane-plot.tsx'
import { LaneName, TrackHead } from './lane-row.tsx'
import { type LaneRow, laneRows } from './lane-rows.ts'
import { laneChange } from './lane-story.ts'
import { snapshotAxis, SnapshotPlaces } from './snapshot-axis.ts'
import { type RunScale, useRunScale } from '../axis/use-run-scale.ts'

const sizes = { line: laneHeight, head: axisHeight }

/** A lane per todo item, grouped by track: names in a scrolling grid, visible spans on a canvas over it. */
export function EvolutionLanes({ over }: { over: EventScale | undefined }) {
  const { columns, todos, timeScale, playhead } = useLogParts()
  const seq = useLog((log) => log.seq)
  const { lanes } = todos
  const laneVersion = useSyncExternalStore(lanes.changes.subscribe, lanes.changes.getVersion)
  const kind = useLayout((layout) => layout.runScale)
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const [activeRow, setActiveRow] = useState(-1)
  const [byKey, setByKey] = useState(false)
  const { rows } = useMemo(() => rowsOf(lanes, laneVersion, closed), [lanes, laneVersion, closed])
  const { element, setElement, scroll, drawn, space } = useRowScroll(rows.length, sizes)
  const { first, last, top, slots } = drawn
  const active = Math.min(activeRow, rows.length - 1)

  const own = useRunScale(kind)
  const run = useMemo(() => (over === undefined ? own : { ...own, scale: over }), [own, over])
  const { scale } = run
  const [strip, setStrip] = useState<HTMLDivElement | null>(null)
  const { width } = useSize(strip)
  const zoom = useZoom(strip, scale, scale.placeOf(Math.max(0, seq)))
  const { from, to } = zoom.view
  const places = useMemo(() => placesOf(todos, run), [todos, run])
  const axis = useMemo(() => snapshotAxis(todos, places, { from, to }, width), [todos, places, from, to, width])
  const laneCanvas = useCanvas(
    { width, height: (last - first) * laneHeight },
    useCallback(
      (context, canvas) => {
        drawLanes(context, { lanes, rows, first, last, axis, timeScale }, laneColors(canvas))
      },
      [lanes, rows, first, last, axis, timeScale]
    )
  )
  const axisCanvas = useCanvas(
    { width, height: axisHeight },
    useCallback(
      (context, canvas) => {
        drawAxis(context, { axis, columns, todos, timeScale }, laneColors(canvas), canvasFont(canvas))
      },
      [axis, columns, todos, timeScale]
    )
  )

  const goToChange = (row: LaneRow | undefined, direction: 1 | -1) => {
    if (row?.kind !== 'lane') return
    const to = changeFrom(todos, seq, row.lane, direction)
    if (to !== null) playhead.placeEvent(to)
  }
  const choose = (next: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, next))
    setActiveRow(to)
    scroll?.show(to, true)
  }
  const toggle = useCallback(
    (track: number) => setClosed((before) => (before.has(track) ? without(before, track) : new Set(before).add(track))),
    []
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    const page = Math.max(1, Math.floor((element?.clientHeight ?? 0) / laneHeight) - 2)
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const step = steps[event.key]
    if (step !== undefined) choose(active + step)
    else if (event.key === 'Enter' && row?.kind === 'track') toggle(row.track)
    else if (event.key === 'Enter') goToChange(row, event.shiftKey ? -1 : 1)
    else if (event.key === '+' || event.key === '=') zoom.by(0.5)
    else if (event.key === '-') zoom.by(2)
    else if (event.key === '0') zoom.reset()
    else return
    setByKey(true)
    event.preventDefault()
    event.stopPropagation()
  }
  const id = useId()
  const rowId = (at: number) => `${id}-${at}`
  return (
    <>
      <EvolutionBar zoom={zoom} />
      <div className="evolution-lanes vstack fill">
        <div
          ref={setElement}
          role="treegrid"
          aria-label="Todos over time"
          aria-rowcount={rows.length + 1}
          aria-activedescendant={active >= first && active < last ? rowId(active) : undefined}
          tabIndex={0}
          className="lane-grid row-list fill"
          onKeyDown={onKeyDown}
          onBlur={() => setByKey(false)}
        >
          <div role="row" aria-rowindex={1} className="lane-heads t3 caption">
            <span role="columnheader">Item, at the playhead</span>
          </div>
          <div className="lane-space" style={{ height: space }}>
            <div className="lane-drawn" style={{ transform: `translateY(${top}px)` }}>
              {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
                const at = first + offset
                const row = rows[at]
                return (
                  row !== undefined && (
                    <div key={at % slots} role="presentation" onClick={() => setActiveRow(at)}>
                      <Row row={row} id={rowId(at)} index={at + 2} active={at === active} onToggle={toggle} />
                    </div>
                  )
                )
              })}
              <canvas ref={laneCanvas} className="lane-canvas" aria-hidden="true" />
            </div>
          </div>
        </div>
        <canvas ref={axisCanvas} className="lane-axis" aria-hidden="true" />
        <LanePlot
          setElement={setStrip}
          rows={rows}
          element={element}
          scroll={scroll}
          axis={axis}
          zoom={zoom}
          shown={byKey ? active : -1}
          onChoose={setActiveRow}
        />
      </div>
      {lanes.isCut && <p className="panel-note t3">Too many todo changes to draw. The rest are not shown.</p>}
    </>
  )
}

/** Rendered again only if it or the playhead changed. */
const Row = memo(function Row({
  row,
  id,
  index,
  active,
  onToggle
}: {
  row: LaneRow
  id: string
  index: number
  active: boolean
  onToggle: (track: number) => void
}) {
  const { todos } = useLogParts()
  const { seq } = useLog('seq', 'version')
  const tracks = useLog((log) => log.status.tracks)
  const { lanes } = todos
  const place = { id, index, active }
  const latest = todos.indexAt(seq, row.track)
  if (row.kind === 'track') {
    const { label = '', trackId = null } = tracks[row.track] ?? {}
    const progress = latest < 0 ? null : { completed: todos.completedAt(latest), total: todos.totalAt(latest) }
    return (
      <TrackHead
        place={place}
        label={row.track === 0 ? 'main' : label || (trackId ?? '')}
        isMain={row.track === 0}
        lanes={row.lanes}
        open={row.open}
        progress={progress}
        onToggle={() => onToggle(row.track)}
      />
    )
  }
  const position = latest < 0 ? -1 : lanes.positionAt(row.lane, latest)
  return (
    <LaneName
      place={place}
      span={lanes.span(row.lane, position)}
      first={lanes.span(row.lane, 0)}
      change={laneChange(lanes, row.lane, position, latest)}
    />
  )
})

/** The event of a lane's next change, or its last one before the playhead; null for none. */
function changeFrom(todos: TodoSnapshots, seq: number, lane: number, direction: 1 | -1): number | null {
  const { lanes } = todos
  const now = lanes.positionAt(lane, todos.indexAt(seq))
  const isOn = todos.seqAt(lanes.snapshotAt(lane, now)) === seq
  const to = direction > 0 ? now + 1 : isOn ? now - 1 : now
  const snapshot = lanes.snapshotAt(lane, to)
  return to < 0 || snapshot === Infinity ? null : todos.seqAt(snapshot)
}

function without(set: ReadonlySet<number>, member: number): ReadonlySet<number> {
  return new Set([...set].filter((each) => each !== member))
}

/** The lines at a version of the lanes, which grow in place. */
function rowsOf(lanes: TodoLanes, version: number, closed: ReadonlySet<number>): { rows: LaneRow[]; version: number } {
  return { rows: laneRows(lanes, closed), version }
}

function placesOf(todos: TodoSnapshots, { scale }: RunScale): SnapshotPlaces {
  return new SnapshotPlaces(todos, scale)
}
