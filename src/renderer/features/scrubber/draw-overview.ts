import type { Finding } from '#contract/methods.ts'
import { type DensityGroup, densityGroups, type Overview } from '#core/index/overview.ts'
import { type EventScale, longestGap, TimeScale } from '#core/replay/event-scale.ts'
import { hasHitIn } from '../../stores/find-hits.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { drawAxisLabels } from '../../ui/axis-labels.ts'
import { formatClock, formatTime } from '../../ui/format.ts'
import { drawProgress } from './draw-progress.ts'
import {
  columnSize,
  crowdShares,
  type DrawnColumns,
  drawnColumns,
  drawnDuration,
  forColumns,
  paceShare
} from './drawn-columns.ts'
import { drawIssueIcon } from './draw-issue-icon.ts'
import { firstSeqAt, placeAtX, type AxisView, xOfPlace, xOfSeq } from '../axis/axis-view.ts'

/** The overview's colors, resolved from the tokens of the current theme. */
export interface OverviewColors {
  readonly density: Record<DensityGroup, string>
  readonly prompt: string
  readonly todo: string
  readonly severity: Record<1 | 2 | 3, string>
  readonly hit: string
  readonly bookmark: string
  readonly finding: string
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
  /** Rows with a bookmark, ascending. */
  readonly bookmarks: Uint32Array
  readonly findings: readonly Finding[]
  readonly scale: EventScale
  /** The visible part. While the log is read, later events are estimated. */
  readonly view: AxisView
}

export interface OverviewSize {
  readonly width: number
  /** Of the bands; the axis is below them. */
  readonly height: number
}

export const axisHeight = 16
const bandEdge = 14
/** With more visible issues, exact places are indistinguishable. */
const maxIssues = 4000
/** Marks of issues closer than this, in px, are joined. */
const issueWidth = 8
/** Minimum height of the errors of a column in px, so that one among hundreds is visible. */
const minError = 3
/** With more visible gaps, single ones are indistinguishable. */
const maxGaps = 2000
const densityAlpha: Record<DensityGroup, number> = { tool: 0.72, text: 0.5, result: 0.46, reasoning: 0.26, error: 1 }

/** Positions of the bands in px from the top: prompts, density, list progress, issues. */
function overviewBands(height: number) {
  const middle = height - bandEdge * 2
  const densityTop = bandEdge
  const densityBottom = densityTop + Math.round(middle * 0.6)
  return { densityTop, densityBottom, progressTop: densityBottom + 2, progressBottom: height - bandEdge, height }
}

type Bands = ReturnType<typeof overviewBands>

/** Draws everything that does not depend on the playhead. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  { width, height }: OverviewSize,
  colors: OverviewColors,
  font: string
): void {
  const { overview, todos, scale, view } = scene
  const bands = overviewBands(height)
  const columns = drawnColumns(overview, scale, view, width)
  const progressBand = { top: bands.progressTop, bottom: bands.progressBottom, width }
  context.clearRect(0, 0, width, height + axisHeight)
  drawBandLines(context, bands, width, colors)
  if (scale instanceof TimeScale) drawGaps(context, scale, view, bands, width, colors)
  else drawIdle(context, columns, bands, colors)
  drawDensity(context, columns, scale, bands, colors)
  drawProgress(context, todos, scale, view, progressBand, colors.todo)
  drawPrompts(context, columns, colors)
  drawBookmarks(context, scene, width, colors)
  drawHits(context, scene, bands, width, colors)
  drawIssues(context, scene, columns, bands, width, colors)
  drawFindings(context, scene, bands, width, colors)
  drawUnread(context, scene, bands, width, colors)
  drawAxis(context, scene, drawnDuration(columns), bands, width, colors, font)
}

function drawBandLines(context: CanvasRenderingContext2D, bands: Bands, width: number, colors: OverviewColors): void {
  context.fillStyle = colors.line
  context.fillRect(0, bands.densityBottom, width, 1)
  context.fillRect(0, bands.progressBottom, width, 1)
}

/** Stacked by kind. The height is the pace over events, or the number of events over time. */
function drawDensity(
  context: CanvasRenderingContext2D,
  columns: DrawnColumns,
  scale: EventScale,
  bands: Bands,
  colors: OverviewColors
): void {
  const { density } = columns.buckets
  const room = bands.densityBottom - bands.densityTop - 2
  const crowdShare = scale instanceof TimeScale ? crowdShares(columns) : null
  forColumns(columns, (bucket, x, w, events) => {
    const each = (room * (crowdShare?.(events) ?? paceShare(columns, bucket))) / events
    const gap = w > 6 ? 1 : 0
    let y = bands.densityBottom
    for (const group of densityGroups) {
      const count = density[group][bucket] ?? 0
      if (count === 0) continue
      const part = group === 'error' ? Math.max(minError, count * each) : count * each
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
    // In the middle of a single event, like the playhead.
    context.fillRect(columns.size === 1 ? x + w / 2 - 0.75 : x, 3, 1.5, bandEdge - 5)
  })
}

/** In the band of the prompts: a ribbon, larger than their ticks. Of overlapping ones, one is drawn. */
function drawBookmarks(
  context: CanvasRenderingContext2D,
  { bookmarks, columns, scale, view }: OverviewScene,
  width: number,
  colors: OverviewColors
): void {
  const ribbons = new Path2D()
  for (const row of bookmarks) {
    const x = Math.round(xOfSeq(scale, Math.max(0, columns.seqAtOrBefore(row)), view, width))
    if (x < 0 || x > width) continue
    ribbons.moveTo(x - 3.5, 2)
    ribbons.lineTo(x + 3.5, 2)
    ribbons.lineTo(x + 3.5, 12)
    ribbons.lineTo(x, 9)
    ribbons.lineTo(x - 3.5, 12)
    ribbons.closePath()
  }
  context.fillStyle = colors.bookmark
  context.fill(ribbons)
}

function drawIdle(
  context: CanvasRenderingContext2D,
  columns: DrawnColumns,
  bands: Bands,
  colors: OverviewColors
): void {
  context.fillStyle = colors.strongLine
  let before = -Infinity
  forColumns(columns, (bucket, x) => {
    if (columns.buckets.idle[bucket] === 0 || x - before < 6) return
    before = x
    for (let y = 2; y < bands.progressBottom; y += 4) context.fillRect(x, y, 1, 1.5)
  })
}

/** Shortened idle time, hatched. */
function drawGaps(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  view: AxisView,
  bands: Bands,
  width: number,
  colors: OverviewColors
): void {
  const gaps = scale.gaps(scale.seqAt(view.from), scale.seqAt(view.to) + 2, maxGaps)
  const areas = new Path2D()
  const edges = new Path2D()
  for (const seq of gaps) {
    const end = scale.placeOf(seq)
    const x = Math.max(-1, Math.round(xOfPlace(end - longestGap, view, width)))
    const w = Math.min(width + 1, Math.round(xOfPlace(end, view, width))) - x
    if (w < 3) continue
    areas.rect(x, 0, w, bands.progressBottom)
    edges.rect(x, 0, 1, bands.progressBottom)
    edges.rect(x + w - 1, 0, 1, bands.progressBottom)
  }
  context.fillStyle = colors.line
  context.fill(edges)
  context.save()
  context.clip(areas)
  hatch(context, 0, width, bands.progressBottom, colors.line)
  context.restore()
}

function hatch(context: CanvasRenderingContext2D, from: number, to: number, height: number, color: string): void {
  context.strokeStyle = color
  context.lineWidth = 1
  context.beginPath()
  for (let x = from - height; x < to; x += 6) {
    context.moveTo(x, height)
    context.lineTo(x + height, 0)
  }
  context.stroke()
}

function drawHits(
  context: CanvasRenderingContext2D,
  { hits, columns, scale, view }: OverviewScene,
  bands: Bands,
  width: number,
  colors: OverviewColors
): void {
  if (hits.length === 0) return
  const rowOf = (seq: number) => (seq < columns.events ? (columns.rowOfSeq[seq] ?? 0) : columns.rows)
  const step = columnSize(((view.to - view.from) / Math.max(1, width)) * 3)
  const end = Math.min(scale.total, view.to)
  for (let place = Math.floor(view.from / step) * step; place < end; place += step) {
    const seq = firstSeqAt(scale, place)
    const next = firstSeqAt(scale, place + step)
    if (seq === next || !hasHitIn(hits, seq === 0 ? 0 : rowOf(seq), rowOf(next))) continue
    const x = Math.round(xOfSeq(scale, seq, view, width))
    context.fillStyle = colors.text
    context.fillRect(x - 1.5, bands.densityTop - 1, 3, 7)
    context.fillStyle = colors.hit
    context.fillRect(x - 1, bands.densityTop - 0.5, 2, 6)
  }
}

/** A mark per place with issues. Overlapping marks are joined, with the worst severity. */
function drawIssues(
  context: CanvasRenderingContext2D,
  { overview, scale, view }: OverviewScene,
  columns: DrawnColumns,
  bands: Bands,
  width: number,
  colors: OverviewColors
): void {
  const y = bands.progressBottom + bandEdge / 2
  let x = -Infinity
  let worst = 0
  const mark = () => {
    if (worst > 0) drawIssueIcon(context, x, y, worst, colors.severity)
  }
  const add = (at: number, severity: number) => {
    if (at - x >= issueWidth) {
      mark()
      x = at
      worst = severity
    } else worst = Math.max(worst, severity)
  }
  const places = overview.issues(firstSeqAt(scale, view.from), scale.seqAt(view.to) + 1, maxIssues)
  if (places !== null) {
    for (const [place, seq] of places.seq.entries()) add(xOfSeq(scale, seq, view, width), places.severity[place] ?? 0)
  } else {
    forColumns(columns, (bucket, at) => {
      const severity = columns.buckets.severity[bucket] ?? 0
      if (severity > 0) add(at, severity)
    })
  }
  mark()
}

/** A hollow diamond at the last event of each finding; of overlapping ones, one is drawn. A pause is a line over it. */
function drawFindings(
  context: CanvasRenderingContext2D,
  { findings, columns, scale, view }: OverviewScene,
  bands: Bands,
  width: number,
  colors: OverviewColors
): void {
  const y = bands.progressBottom + bandEdge / 2
  const placeOf = (row: number): number => xOfSeq(scale, columns.seq[row] ?? 0, view, width)
  context.strokeStyle = colors.finding
  context.lineWidth = 1.25
  const taken = new Set<number>()
  context.beginPath()
  for (const { rule, rows } of findings) {
    const x = placeOf(rows.at(-1) ?? 0)
    if (rule === 'idle') {
      context.moveTo(placeOf(rows[0] ?? 0), y)
      context.lineTo(x - 4, y)
    }
    const column = Math.round(x / 4)
    if (x < -4 || x > width + 4 || taken.has(column)) continue
    taken.add(column)
    context.moveTo(x, y - 4)
    context.lineTo(x + 4, y)
    context.lineTo(x, y + 4)
    context.lineTo(x - 4, y)
    context.closePath()
  }
  context.stroke()
}

/** The part of the log that is not read yet. */
function drawUnread(
  context: CanvasRenderingContext2D,
  { columns, scale, view }: OverviewScene,
  bands: Bands,
  width: number,
  colors: OverviewColors
): void {
  const from = Math.max(0, xOfPlace(scale.total, view, width))
  if (columns.events === 0 || from >= width - 0.5) return
  context.save()
  context.beginPath()
  context.rect(from, 0, width - from, bands.height)
  context.clip()
  context.globalAlpha = 0.4
  hatch(context, from, width, bands.height, colors.strongLine)
  context.restore()
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { columns, scale, view }: OverviewScene,
  duration: number,
  bands: Bands,
  width: number,
  colors: OverviewColors,
  font: string
): void {
  context.font = font
  context.fillStyle = colors.text
  context.textBaseline = 'middle'
  const labels = Math.max(1, Math.floor(width / 120))
  const format = duration / labels < 2000 ? formatTime : formatClock
  const texts = Array.from({ length: labels + 1 }, (_, label) => {
    const x = (label / labels) * width
    const place = placeAtX(Math.min(x, width - 1), view, width)
    const time = place < scale.total ? columns.timeOfSeq(scale.seqAt(place)) : null
    return { x, text: time === null ? '' : format(time) }
  })
  drawAxisLabels(context, texts, width, bands.height + axisHeight / 2)
}
