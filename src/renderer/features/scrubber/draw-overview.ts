import { type DensityGroup, densityGroups, type Overview } from '#core/index/overview.ts'
import { hasHitIn } from '../../stores/find-hits.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { formatClock, formatTime } from '../../ui/format.ts'
import { drawProgress } from './draw-progress.ts'
import { columnSize, type DrawnColumns, drawnColumns, drawnDuration, forColumns, paceShare } from './drawn-columns.ts'
import { drawIssueMark } from './issue-mark.ts'
import { type ScrubberView, seqAtX, xOfSeq } from './scrubber-view.ts'

/** The overview's colours, resolved from the tokens of the theme in force. */
export interface OverviewColors {
  readonly density: Record<DensityGroup, string>
  readonly prompt: string
  readonly todo: string
  readonly severity: Record<1 | 2 | 3, string>
  readonly hit: string
  readonly line: string
  readonly strongLine: string
  readonly text: string
  readonly ground: string
}

export interface OverviewScene {
  readonly overview: Overview
  readonly columns: LogColumns
  readonly todos: TodoSnapshots
  readonly hits: Uint32Array
  /** What the width stands for; events to come are estimated while the log is read. */
  readonly view: ScrubberView
}

export interface OverviewSize {
  readonly width: number
  /** Of the lanes; the axis is below them. */
  readonly height: number
}

export const axisHeight = 16
const laneEdge = 14
/** Of more issues in view than this the exact places would not be seen. */
const mostIssues = 4000
/** Marks of issues that would lie closer than this, in px, become one. */
const issueWidth = 8
const densityAlpha: Record<DensityGroup, number> = { tool: 0.72, text: 0.5, result: 0.46, reasoning: 0.26, error: 1 }

/** Where the lanes lie, in px from the top: prompts, density, list progress, issues. */
function overviewLanes(height: number) {
  const middle = height - laneEdge * 2
  const densityTop = laneEdge
  const densityBottom = densityTop + Math.round(middle * 0.6)
  return { densityTop, densityBottom, progressTop: densityBottom + 2, progressBottom: height - laneEdge, height }
}

type Lanes = ReturnType<typeof overviewLanes>

/** Draws all that does not change with the playhead. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  { width, height }: OverviewSize,
  colors: OverviewColors,
  font: string
): void {
  const { overview, columns: rows, todos, view } = scene
  const lanes = overviewLanes(height)
  const columns = drawnColumns(overview, rows.events, view, width)
  const progressLane = { top: lanes.progressTop, bottom: lanes.progressBottom, width }
  context.clearRect(0, 0, width, height + axisHeight)
  drawLaneLines(context, lanes, width, colors)
  drawIdle(context, columns, lanes, colors)
  drawDensity(context, columns, lanes, colors)
  drawProgress(context, todos, rows.events, view, progressLane, colors.todo)
  drawPrompts(context, columns, colors)
  drawHits(context, scene, lanes, width, colors)
  drawIssues(context, scene, columns, lanes, width, colors)
  drawUnread(context, scene, lanes, width, colors)
  drawAxis(context, scene, drawnDuration(columns), lanes, width, colors, font)
}

function drawLaneLines(context: CanvasRenderingContext2D, lanes: Lanes, width: number, colors: OverviewColors): void {
  context.fillStyle = colors.line
  context.fillRect(0, lanes.densityBottom, width, 1)
  context.fillRect(0, lanes.progressBottom, width, 1)
}

/** Stacked by kind; the height is the pace, so that where much happened in little time stands out. */
function drawDensity(
  context: CanvasRenderingContext2D,
  columns: DrawnColumns,
  lanes: Lanes,
  colors: OverviewColors
): void {
  const { density } = columns.buckets
  const room = lanes.densityBottom - lanes.densityTop - 2
  forColumns(columns, (bucket, x, w, events) => {
    const each = (room * paceShare(columns, bucket)) / events
    const gap = w > 6 ? 1 : 0
    let y = lanes.densityBottom
    for (const group of densityGroups) {
      const part = (density[group][bucket] ?? 0) * each
      if (part === 0) continue
      context.globalAlpha = densityAlpha[group]
      context.fillStyle = colors.density[group]
      context.fillRect(x, y - part, w - gap, part)
      y -= part
    }
  })
  context.globalAlpha = 1
}

function drawPrompts(context: CanvasRenderingContext2D, columns: DrawnColumns, colors: OverviewColors): void {
  context.fillStyle = colors.prompt
  forColumns(columns, (bucket, x, w) => {
    if (columns.buckets.prompts[bucket] === 0) return
    // In the middle of a single event, as the playhead is.
    context.fillRect(columns.size === 1 ? x + w / 2 - 0.75 : x, 3, 1.5, laneEdge - 5)
  })
}

function drawIdle(
  context: CanvasRenderingContext2D,
  columns: DrawnColumns,
  lanes: Lanes,
  colors: OverviewColors
): void {
  context.fillStyle = colors.strongLine
  let before = -Infinity
  forColumns(columns, (bucket, x) => {
    if (columns.buckets.idle[bucket] === 0 || x - before < 6) return
    before = x
    for (let y = 2; y < lanes.progressBottom; y += 4) context.fillRect(x, y, 1, 1.5)
  })
}

function drawHits(
  context: CanvasRenderingContext2D,
  { hits, columns, view }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  if (hits.length === 0) return
  const rowOf = (seq: number) => (seq < columns.events ? (columns.rowOfSeq[seq] ?? 0) : columns.rows)
  const step = columnSize(((view.to - view.from) / Math.max(1, width)) * 3)
  const end = Math.min(columns.events, view.to)
  for (let seq = Math.floor(view.from / step) * step; seq < end; seq += step) {
    if (!hasHitIn(hits, seq === 0 ? 0 : rowOf(seq), rowOf(seq + step))) continue
    const x = Math.round(xOfSeq(seq, view, width))
    context.fillStyle = colors.text
    context.fillRect(x - 1.5, lanes.densityTop - 1, 3, 7)
    context.fillStyle = colors.hit
    context.fillRect(x - 1, lanes.densityTop - 0.5, 2, 6)
  }
}

/** A mark for each place with issues; marks that would lie on each other become one, of the worst severity. */
function drawIssues(
  context: CanvasRenderingContext2D,
  { overview, view }: OverviewScene,
  columns: DrawnColumns,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  const y = lanes.progressBottom + laneEdge / 2
  let x = -Infinity
  let worst = 0
  const mark = () => {
    if (worst > 0) drawIssueMark(context, x, y, worst, colors.severity)
  }
  const add = (at: number, severity: number) => {
    if (at - x >= issueWidth) {
      mark()
      x = at
      worst = severity
    } else worst = Math.max(worst, severity)
  }
  const places = overview.issues(Math.floor(view.from), Math.ceil(view.to), mostIssues)
  if (places !== null) {
    for (const [place, seq] of places.seq.entries()) add(xOfSeq(seq, view, width), places.severity[place] ?? 0)
  } else {
    forColumns(columns, (bucket, at) => {
      const severity = columns.buckets.severity[bucket] ?? 0
      if (severity > 0) add(at, severity)
    })
  }
  mark()
}

/** The part of the log that is not read yet. */
function drawUnread(
  context: CanvasRenderingContext2D,
  { columns, view }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  const from = Math.max(0, ((columns.events - view.from) / (view.to - view.from)) * width)
  if (columns.events === 0 || from >= width - 0.5) return
  context.save()
  context.beginPath()
  context.rect(from, 0, width - from, lanes.height)
  context.clip()
  context.strokeStyle = colors.strongLine
  context.globalAlpha = 0.4
  context.lineWidth = 1
  context.beginPath()
  for (let x = from - lanes.height; x < width; x += 6) {
    context.moveTo(x, lanes.height)
    context.lineTo(x + lanes.height, 0)
  }
  context.stroke()
  context.restore()
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { columns, view }: OverviewScene,
  duration: number,
  lanes: Lanes,
  width: number,
  colors: OverviewColors,
  font: string
): void {
  context.font = font
  context.fillStyle = colors.text
  context.textBaseline = 'middle'
  const labels = Math.max(1, Math.floor(width / 120))
  const format = duration / labels < 2000 ? formatTime : formatClock
  let before = ''
  for (let label = 0; label <= labels; label++) {
    const x = (label / labels) * width
    const time = columns.timeOfSeq(seqAtX(Math.min(x, width - 1), view, width, Infinity))
    const text = time === null ? '' : format(time)
    if (text === before) continue
    before = text
    context.textAlign = label === 0 ? 'left' : label === labels ? 'right' : 'center'
    context.fillText(text, x, lanes.height + axisHeight / 2)
  }
}
