import type { Compaction, ContextRequest } from '#contract/analysis.ts'
import { countText } from '#core/measure-text.ts'
import { tokenColors } from '../../ui/token-colors.ts'
import type { ContextMarks } from './context-marks.ts'

const tokens = {
  ground: '--bg-surface',
  read: '--ctx-read',
  write: '--ctx-write',
  fresh: '--ctx-fresh',
  output: '--ctx-out',
  line: '--line-subtle',
  edge: '--line-strong',
  text: '--text-3',
  words: '--text-2',
  lost: '--sev-violation',
  subagent: '--kind-tool',
  todo: '--todo-completed',
  here: '--accent'
} as const

export type ContextColors = Readonly<Record<keyof typeof tokens, string>>

export function contextColors(element: HTMLElement): ContextColors {
  return tokenColors(element, tokens)
}

/** In px. */
export const contextMargins = { left: 52, right: 12, top: 26, bottom: 28 }
const leastBar = 3
const widestBar = 24
const mostTicks = 4
/** From the foot of the bars to the middle of their marks, and to that of the labels. */
const marksBelow = 7
const labelsBelow = 20
/** Between two labels below the bars. */
const labelPitch = 60

/** A bar: the requests `first` … `last` (exclusive), of which the largest is shown. */
export interface ContextBar {
  readonly first: number
  readonly last: number
  readonly shown: number
  /** In px. */
  readonly x: number
  readonly width: number
}

/** All tokens of a request that are stated. */
export function contextSize({ cacheRead, cacheWrite, input, output }: ContextRequest): number {
  return (cacheRead ?? 0) + (cacheWrite ?? 0) + (input ?? 0) + (output ?? 0)
}

/** A bar for each request, or for several where there is no room for 3 px each. */
export function contextBars(requests: readonly ContextRequest[], width: number): readonly ContextBar[] {
  const room = Math.max(leastBar, width - contextMargins.left - contextMargins.right)
  const each = Math.max(1, Math.ceil(requests.length / Math.floor(room / leastBar)))
  const count = Math.ceil(requests.length / each)
  const pitch = Math.min(widestBar, room / Math.max(1, count))
  return Array.from({ length: count }, (_, at) => {
    const first = at * each
    const last = Math.min(requests.length, first + each)
    let shown = first
    for (let i = first; i < last; i++) {
      const [one, other] = [requests[i], requests[shown]]
      if (one !== undefined && other !== undefined && contextSize(one) > contextSize(other)) shown = i
    }
    return { first, last, shown, x: contextMargins.left + at * pitch, width: Math.max(1, pitch - 1) }
  })
}

/** The bar of request `at`. */
export function barOf(bars: readonly ContextBar[], at: number): ContextBar | undefined {
  return bars.find(({ first, last }) => at >= first && at < last)
}

/** The request under `x` px; -1 for none. */
export function requestAtX(bars: readonly ContextBar[], x: number): number {
  return bars.find((bar) => x >= bar.x && x < bar.x + bar.width + 1)?.shown ?? -1
}

export interface ContextScene {
  readonly requests: readonly ContextRequest[]
  readonly bars: readonly ContextBar[]
  readonly compactions: readonly Compaction[]
  readonly marks: ContextMarks
  /** Whether a request is quiet, because a query means others. */
  readonly isQuiet: (at: number) => boolean
  readonly width: number
  readonly height: number
  /** The chosen request; -1: none. */
  readonly chosen: number
}

type Context = Pick<
  CanvasRenderingContext2D,
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'measureText'
  | 'clearRect'
  | 'beginPath'
  | 'arc'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
  | 'save'
  | 'restore'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
>

/** Draws the bars with their parts from below: read from cache, written to it, not cached, output. */
export function drawContext(context: Context, scene: ContextScene, colors: ContextColors, font: string): void {
  const { requests, bars, isQuiet, width, height } = scene
  const window = windowOf(requests)
  const largest = Math.max(mostTicks, window ?? 0, ...bars.map(({ shown }) => sizeAt(requests, shown)))
  const tick = tickOf(largest)
  const ticks = Math.ceil(largest / tick)
  const floor = height - contextMargins.bottom
  const perToken = (floor - contextMargins.top) / (ticks * tick)
  context.clearRect(0, 0, width, height)
  context.font = font
  context.textBaseline = 'middle'
  for (let at = 0; at <= ticks; at++) {
    const y = Math.round(floor - at * tick * perToken)
    context.fillStyle = colors.line
    context.fillRect(contextMargins.left, y, width - contextMargins.left - contextMargins.right, 1)
    context.fillStyle = colors.text
    context.textAlign = 'right'
    context.fillText(countText(at * tick).replace('.0', ''), contextMargins.left - 6, y)
  }
  for (const bar of bars) {
    const request = requests[bar.shown]
    if (request === undefined) continue
    if (isQuiet(bar.shown)) drawQuiet(context, bar, contextSize(request) * perToken, floor, colors)
    else drawBar(context, bar, request, floor, perToken, colors)
  }
  drawNumbers(context, bars, floor + labelsBelow, colors)
  if (window !== null) {
    const y = Math.round(floor - window * perToken) + 0.5
    dashed(context, colors.edge, contextMargins.left, y, width - contextMargins.right, y)
  }
  drawCompactions(context, scene, floor, colors)
  drawMarks(context, scene, floor, perToken, colors)
  const here = barOf(bars, scene.chosen)
  if (here !== undefined) {
    context.strokeStyle = colors.here
    context.lineWidth = 2
    context.strokeRect(here.x - 1, contextMargins.top - 2, here.width + 2, floor - contextMargins.top + 3)
  }
}

/** A round number of tokens, so that a few of them reach `most`. */
function tickOf(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most / mostTicks))
  return ([1, 2, 2.5, 5].find((times) => times * unit * mostTicks >= most) ?? 10) * unit
}

/** The largest window that is stated; null: none is. */
export function windowOf(requests: readonly ContextRequest[]): number | null {
  let largest: number | null = null
  for (const { window } of requests) if (window !== null && window > (largest ?? 0)) largest = window
  return largest
}

function sizeAt(requests: readonly ContextRequest[], at: number): number {
  const request = requests[at]
  return request === undefined ? 0 : contextSize(request)
}

/** The edge of a request that others are meant beside. */
function drawQuiet(context: Context, { x, width }: ContextBar, high: number, floor: number, colors: ContextColors) {
  context.strokeStyle = colors.edge
  context.lineWidth = 1
  context.strokeRect(x + 0.5, floor - high + 0.5, Math.max(1, width - 1), Math.max(1, high - 1))
}

/** The numbers of some requests, below their bars. */
function drawNumbers(context: Context, bars: readonly ContextBar[], y: number, colors: ContextColors): void {
  context.fillStyle = colors.text
  context.textAlign = 'center'
  let from = -Infinity
  for (const { first, last, x, width } of bars) {
    if (x < from || (last - first === 1 && first % 10 !== 0)) continue
    context.fillText(String(first + 1), x + width / 2, y)
    from = x + labelPitch
  }
}

/** An arrow and words over a bar whose cache was lost; a ring and a square below one that started a subagent, or changed todos. */
function drawMarks(
  context: Context,
  { requests, bars, marks, width }: ContextScene,
  floor: number,
  perToken: number,
  colors: ContextColors
): void {
  const y = floor + marksBelow
  let words = -Infinity
  let former: ContextBar | null = null
  for (const bar of markedBars(bars, marks)) {
    const middle = bar.x + bar.width / 2
    const has = bar.marks
    if (has.lost) {
      const top = floor - sizeAt(requests, bar.shown) * perToken - 3
      drawArrow(context, middle, top, colors.lost)
      if (middle - 28 > words) {
        context.fillStyle = colors.lost
        context.textAlign = 'center'
        context.fillText('cache lost', Math.min(middle, width - 38), Math.max(7, top - 16))
        words = middle + 40
      }
    }
    // Side by side where both are; none where they would cover those before.
    if (former !== null && bar.x - former.x < 6) continue
    if (!has.subagent && !has.todo) continue
    former = bar
    const apart = has.subagent && has.todo ? 3.5 : 0
    if (has.subagent) {
      context.strokeStyle = colors.subagent
      context.lineWidth = 1.5
      context.beginPath()
      context.arc(middle - apart, y, 2.5, 0, 2 * Math.PI)
      context.stroke()
    }
    if (has.todo) {
      context.fillStyle = colors.todo
      context.fillRect(middle + apart - 2.5, y - 2.5, 5, 5)
    }
  }
}

interface MarkedBar extends ContextBar {
  readonly marks: { readonly lost: boolean; readonly subagent: boolean; readonly todo: boolean }
}

/** The bars with marks, with those of all their requests. */
function markedBars(bars: readonly ContextBar[], marks: ContextMarks): MarkedBar[] {
  const inOrder = [...marks].toSorted(([a], [b]) => a - b)
  const marked: MarkedBar[] = []
  let next = 0
  for (const bar of bars) {
    let [lost, subagent, todo] = [false, false, false]
    const from = next
    for (; (inOrder[next]?.[0] ?? Infinity) < bar.last; next++) {
      const of = inOrder[next]?.[1]
      lost ||= of?.lost === true
      subagent ||= (of?.subagents.length ?? 0) > 0
      todo ||= (of?.todos.length ?? 0) > 0
    }
    if (next > from) marked.push({ ...bar, marks: { lost, subagent, todo } })
  }
  return marked
}

function drawArrow(context: Context, x: number, tip: number, color: string): void {
  context.strokeStyle = color
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(x, tip - 9)
  context.lineTo(x, tip)
  context.moveTo(x - 3, tip - 3)
  context.lineTo(x, tip)
  context.lineTo(x + 3, tip - 3)
  context.stroke()
}

function drawBar(
  context: Context,
  { x, width }: ContextBar,
  request: ContextRequest,
  floor: number,
  perToken: number,
  colors: ContextColors
): void {
  let y = floor
  const part = (tokens: number | null, color: string) => {
    const high = (tokens ?? 0) * perToken
    if (high <= 0) return
    y -= high
    context.fillStyle = color
    context.fillRect(x, y, width, Math.max(1, high))
  }
  part(request.cacheRead, colors.read)
  part(request.cacheWrite, colors.write)
  part(request.input, colors.fresh)
  if (request.outputIs === 'stated') return part(request.output, colors.output)
  // Not all of it is known: an open top, above what is stated.
  part(request.output, colors.output)
  context.strokeStyle = colors.edge
  context.lineWidth = 1
  context.strokeRect(x + 0.5, y - 4.5, Math.max(1, width - 1), 3)
}

function drawCompactions(context: Context, scene: ContextScene, floor: number, colors: ContextColors): void {
  const { requests, bars, compactions, width } = scene
  let words = -Infinity
  for (const { row, track, before, after } of compactions) {
    const next = requests.findIndex((request) => request.track === track && request.rowFirst > row)
    const bar = next < 0 ? undefined : barOf(bars, next)
    const last = bars.at(-1)
    const x = Math.round(bar?.x ?? (last === undefined ? 0 : last.x + last.width + 1)) - 0.5
    dashed(context, colors.words, x, contextMargins.top - 4, x, floor)
    const text = compactionWords(before, after)
    const room = context.measureText(text).width + 8
    const from = Math.min(x, width - room)
    if (from < words) continue
    context.fillStyle = colors.words
    context.textAlign = 'left'
    context.fillText(text, from + 4, contextMargins.top - 10)
    words = from + room
  }
}

/** "compacted 84.0k → 31.0k". */
export function compactionWords(before: number | null, after: number | null): string {
  const [from, to] = [before, after].map((tokens) => (tokens === null ? '?' : countText(tokens)))
  return `compacted ${from} → ${to}`
}

function dashed(context: Context, color: string, fromX: number, fromY: number, toX: number, toY: number): void {
  context.save()
  context.strokeStyle = color
  context.lineWidth = 1
  context.setLineDash([4, 3])
  context.beginPath()
  context.moveTo(fromX, fromY)
  context.lineTo(toX, toY)
  context.stroke()
  context.restore()
}
