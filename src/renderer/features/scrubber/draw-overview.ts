import type { LogColumns } from '../../stores/log-columns.ts'
import { hasHitIn } from '../../stores/log-find.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { formatClock, formatTime } from '../../ui/format.ts'
import { type DensityGroup, densityGroups, type Overview } from './overview.ts'

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
  /** Events the whole width stands for: those to come are estimated while the log is read. */
  readonly total: number
  /** From the first time to the last, in ms; NaN unknown. */
  readonly duration: number
}

export interface OverviewSize {
  readonly width: number
  /** Of the lanes; the axis is below them. */
  readonly height: number
}

export const axisHeight = 16
const laneEdge = 14
/** Narrower columns than this would be noise: calls and results take turns. */
const columnWidth = 4
/** Of changes that lie closer than this, in px, one is drawn: thousands in a pixel would cost and show nothing. */
const leastStep = 0.5
const densityAlpha: Record<DensityGroup, number> = { tool: 0.72, text: 0.5, result: 0.46, reasoning: 0.26, error: 1 }

/** Where the lanes lie, in px from the top: prompts, density, list progress, issues. */
function overviewLanes(height: number) {
  const middle = height - laneEdge * 2
  const densityTop = laneEdge
  const densityBottom = densityTop + Math.round(middle * 0.6)
  return { densityTop, densityBottom, progressTop: densityBottom + 2, progressBottom: height - laneEdge, height }
}

type Lanes = ReturnType<typeof overviewLanes>

/** The middle of event `seq`, in px. */
export function xOfSeq(seq: number, total: number, width: number): number {
  return ((seq + 0.5) / Math.max(1, total)) * width
}

/** The event under `x`; the last one that is read where none is yet. -1: there are none. */
export function seqAtX(x: number, total: number, width: number, events: number): number {
  return Math.max(-1, Math.min(events - 1, Math.max(0, Math.floor((x / Math.max(1, width)) * total))))
}

/** Draws all that does not change with the playhead. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  { width, height }: OverviewSize,
  colors: OverviewColors,
  font: string
): void {
  const lanes = overviewLanes(height)
  context.clearRect(0, 0, width, height + axisHeight)
  drawLaneLines(context, lanes, width, colors)
  drawIdle(context, scene, lanes, width, colors)
  drawDensity(context, scene, lanes, width, colors)
  drawProgress(context, scene, lanes, width, colors)
  drawPrompts(context, scene, width, colors)
  drawHits(context, scene, lanes, width, colors)
  drawIssues(context, scene, lanes, width, colors)
  drawUnread(context, scene, lanes, width, colors)
  drawAxis(context, scene, lanes, width, colors, font)
}

function drawLaneLines(context: CanvasRenderingContext2D, lanes: Lanes, width: number, colors: OverviewColors): void {
  context.fillStyle = colors.line
  context.fillRect(0, lanes.densityBottom, width, 1)
  context.fillRect(0, lanes.progressBottom, width, 1)
}

/** Pixel columns, each with the bins it stands for. */
function forColumns(
  { overview, total }: OverviewScene,
  width: number,
  draw: (x: number, w: number, from: number, to: number) => void
): void {
  const binWidth = (overview.size / Math.max(1, total)) * width
  const bins = Math.max(1, Math.round(columnWidth / binWidth))
  for (let from = 0; from < overview.bins; from += bins) {
    const x = Math.round(from * binWidth)
    const to = Math.min(overview.bins, from + bins)
    draw(x, Math.max(1, Math.round(to * binWidth) - x), from, to)
  }
}

/** Stacked by kind; the height is the pace, so that where much happened in little time stands out. */
function drawDensity(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  const { overview } = scene
  const room = lanes.densityBottom - lanes.densityTop - 2
  forColumns(scene, width, (x, w, from, to) => {
    const events = (to - from) * overview.size
    const height = room * paceShare(overview, from, to)
    let y = lanes.densityBottom
    const gap = w > 6 ? 1 : 0
    for (const group of densityGroups) {
      const part = (sum(overview.density[group], from, to) / events) * height
      if (part === 0) continue
      context.globalAlpha = densityAlpha[group]
      context.fillStyle = colors.density[group]
      context.fillRect(x, y - part, w - gap, part)
      y -= part
    }
  })
  context.globalAlpha = 1
}

/** How fast events followed each other around these bins: 0.3 (a minute each) to 1 (50 ms each), logarithmic. */
function paceShare({ time, size, bins }: Overview, from: number, to: number): number {
  const around = Math.max(3, to - from)
  const first = Math.max(0, from - around)
  const last = Math.min(bins - 1, to - 1 + around)
  const took = (time[last] ?? NaN) - (time[first] ?? NaN)
  if (!(took >= 0) || last === first) return 0.75
  const each = Math.max(50, took / ((last - first) * size))
  return Math.max(0.3, 1 - 0.7 * (Math.log(each / 50) / Math.log(60_000 / 50)))
}

function drawPrompts(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  width: number,
  colors: OverviewColors
): void {
  context.fillStyle = colors.prompt
  forColumns(scene, width, (x, _w, from, to) => {
    if (sum(scene.overview.prompts, from, to) > 0) context.fillRect(x, 3, 1.5, laneEdge - 5)
  })
}

function drawIdle(
  context: CanvasRenderingContext2D,
  { overview, total }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  context.fillStyle = colors.strongLine
  let before = -Infinity
  for (let bin = 0; bin < overview.bins; bin++) {
    const x = Math.round(((bin * overview.size) / Math.max(1, total)) * width)
    if (overview.idle[bin] !== 1 || x - before < 6) continue
    before = x
    for (let y = 2; y < lanes.progressBottom; y += 4) context.fillRect(x, y, 1, 1.5)
  }
}

/** The list's progress as steps, and a tick for every change of any list. */
function drawProgress(
  context: CanvasRenderingContext2D,
  { todos, total, columns }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  if (todos.count === 0) return
  const track = todos.indexAt(columns.events, 0) < 0 ? todos.trackAt(0) : 0
  const floor = lanes.progressBottom
  const room = floor - lanes.progressTop - 6
  const path = new Path2D()
  const ticks = new Path2D()
  let y = floor
  let ticked = -Infinity
  let drawn = -Infinity
  for (let index = 0; index < todos.count; index++) {
    const x = xOfSeq(todos.seqAt(index), total, width)
    if (x - ticked >= leastStep) {
      ticks.rect(x - 0.75, lanes.progressTop, 1.5, 3)
      ticked = x
    }
    if (todos.trackAt(index) !== track || x - drawn < leastStep) continue
    drawn = x
    if (y === floor) path.moveTo(x, floor)
    else path.lineTo(x, y)
    const items = todos.totalAt(index)
    y = floor - 0.75 - (items === 0 ? 0 : (todos.completedAt(index) / items) * room)
    path.lineTo(x, y)
  }
  const end = xOfSeq(columns.events - 1, total, width)
  path.lineTo(end, y)
  context.strokeStyle = colors.todo
  context.lineWidth = 1.5
  context.stroke(path)
  path.lineTo(end, floor)
  path.closePath()
  context.fillStyle = colors.todo
  context.globalAlpha = 0.18
  context.fill(path)
  context.globalAlpha = 1
  context.fill(ticks)
}

function drawHits(
  context: CanvasRenderingContext2D,
  { hits, columns, total }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  if (hits.length === 0) return
  const rowOf = (seq: number) => (seq < columns.events ? (columns.rowOfSeq[seq] ?? 0) : columns.rows)
  const step = Math.max(1, Math.round((total / Math.max(1, width)) * 3))
  for (let seq = 0; seq < columns.events; seq += step) {
    if (!hasHitIn(hits, seq === 0 ? 0 : rowOf(seq), rowOf(seq + step))) continue
    const x = Math.round(xOfSeq(seq, total, width))
    context.fillStyle = colors.text
    context.fillRect(x - 1.5, lanes.densityTop - 1, 3, 7)
    context.fillStyle = colors.hit
    context.fillRect(x - 1, lanes.densityTop - 0.5, 2, 6)
  }
}

/** A mark for each place with issues; marks that would lie on each other become one, of the worst severity. */
function drawIssues(
  context: CanvasRenderingContext2D,
  { overview, total }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  const y = lanes.progressBottom + laneEdge / 2
  let x = -Infinity
  let worst = 0
  const mark = () => {
    if (worst > 0) drawIssueMark(context, x, y, worst as 1 | 2 | 3, colors)
  }
  for (let bin = 0; bin < overview.bins; bin++) {
    const severity = overview.severity[bin] ?? 0
    if (severity === 0) continue
    const at = xOfSeq(bin * overview.size, total, width)
    if (at - x >= 8) {
      mark()
      x = at
      worst = severity
    } else worst = Math.max(worst, severity)
  }
  mark()
}

/** Octagon, triangle, ring: a severity is never told by colour alone. */
function drawIssueMark(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  severity: 1 | 2 | 3,
  colors: OverviewColors
): void {
  const color = colors.severity[severity]
  context.beginPath()
  if (severity === 3) {
    for (let corner = 0; corner < 8; corner++) {
      const angle = Math.PI / 8 + (corner * Math.PI) / 4
      context.lineTo(x + 4.5 * Math.cos(angle), y + 4.5 * Math.sin(angle))
    }
  } else if (severity === 2) {
    context.moveTo(x, y - 4)
    context.lineTo(x + 4.5, y + 4)
    context.lineTo(x - 4.5, y + 4)
  } else context.arc(x, y, 3, 0, Math.PI * 2)
  context.closePath()
  if (severity === 1) {
    context.strokeStyle = color
    context.lineWidth = 1.5
    context.stroke()
  } else {
    context.fillStyle = color
    context.fill()
  }
}

/** The part of the log that is not read yet. */
function drawUnread(
  context: CanvasRenderingContext2D,
  { columns, total }: OverviewScene,
  lanes: Lanes,
  width: number,
  colors: OverviewColors
): void {
  const from = (columns.events / Math.max(1, total)) * width
  if (total === 0 || from >= width - 0.5) return
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
  { columns, total, duration }: OverviewScene,
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
    const seq = seqAtX(Math.min(x, width - 1), total, width, Infinity)
    const time = columns.timeOfSeq(seq)
    const text = time === null ? '' : format(time)
    if (text === before) continue
    before = text
    context.textAlign = label === 0 ? 'left' : label === labels ? 'right' : 'center'
    context.fillText(text, x, lanes.height + axisHeight / 2)
  }
}

function sum(counts: Uint32Array, from: number, to: number): number {
  let total = 0
  for (let bin = from; bin < to; bin++) total += counts[bin] ?? 0
  return total
}
