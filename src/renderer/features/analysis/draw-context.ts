import type { Compaction, ContextRequest } from '#contract/analysis.ts'
import { countText } from '#core/measure-text.ts'
import { tokenColors } from '../../ui/token-colors.ts'

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
  here: '--accent'
} as const

export type ContextColors = Readonly<Record<keyof typeof tokens, string>>

export function contextColors(element: HTMLElement): ContextColors {
  return tokenColors(element, tokens)
}

/** In px. */
export const contextMargins = { left: 52, right: 12, top: 20, bottom: 18 }
const leastBar = 3
const widestBar = 24
const ticks = 4

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
  | 'clearRect'
  | 'beginPath'
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
  const { requests, bars, width, height } = scene
  const window = windowOf(requests)
  const most = Math.max(1, window ?? 0, ...bars.map(({ shown }) => sizeAt(requests, shown)))
  const floor = height - contextMargins.bottom
  const perToken = (floor - contextMargins.top) / most
  context.clearRect(0, 0, width, height)
  context.font = font
  context.textBaseline = 'middle'
  for (let at = 0; at <= ticks; at++) {
    const y = Math.round(floor - (at / ticks) * most * perToken)
    context.fillStyle = colors.line
    context.fillRect(contextMargins.left, y, width - contextMargins.left - contextMargins.right, 1)
    context.fillStyle = colors.text
    context.textAlign = 'right'
    context.fillText(countText(Math.round((at / ticks) * most)), contextMargins.left - 6, y)
  }
  for (const bar of bars) drawBar(context, bar, requests[bar.shown], floor, perToken, colors)
  if (window !== null) {
    const y = Math.round(floor - window * perToken) + 0.5
    dashed(context, colors.edge, contextMargins.left, y, width - contextMargins.right, y)
  }
  drawCompactions(context, scene, floor, colors)
  const here = barOf(bars, scene.chosen)
  if (here !== undefined) {
    context.strokeStyle = colors.here
    context.lineWidth = 2
    context.strokeRect(here.x - 1, contextMargins.top - 2, here.width + 2, floor - contextMargins.top + 3)
  }
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

function drawBar(
  context: Context,
  { x, width }: ContextBar,
  request: ContextRequest | undefined,
  floor: number,
  perToken: number,
  colors: ContextColors
): void {
  if (request === undefined) return
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
    if (x < words) continue
    const text = compactionWords(before, after)
    context.fillStyle = colors.words
    context.textAlign = x > width - 140 ? 'right' : 'left'
    context.fillText(text, x > width - 140 ? x - 4 : x + 4, contextMargins.top - 10)
    words = x + 140
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
