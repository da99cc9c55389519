import { TimeScale } from '#core/replay/event-scale.ts'
import { drawIdle, hatch, idleOf } from '../axis/draw-idle.ts'
import { placeAtX } from '../axis/axis-view.ts'
import type { RunAxis } from '../axis/run-axis.ts'
import type { FallColors } from './fall-colors.ts'
import { bandHeight, callPitch, type FallRow, heightOf, modelHeight } from './fall-rows.ts'
import { contextRowHeight, type SentLine } from './sent-line.ts'
import type { SpanLine } from './span-line.ts'

const callHeight = 14
/** Narrower spans of a kind on the same columns of px are drawn as one. */
const narrow = 3
/** From this width on a span has words. */
const wordsFrom = 26
const subagentsFrom = 3
const dotPitch = 4

export interface FallScene {
  readonly rows: readonly FallRow[]
  /** The part that is drawn, in px from the top of the rows. */
  readonly top: number
  readonly height: number
  readonly axis: RunAxis
  readonly timeScale: TimeScale
  /** The words of a span. It is called only for spans that have the room. */
  wordsOf(number: number): string
  /** Whether a call started a subagent. */
  starts(number: number): boolean
  /** Only these calls are plain, the others quiet; null: all are. */
  isChosen: ((number: number) => boolean) | null
  /** The context of the main agent, below the rows; null: not known. */
  readonly sent: SentLine | null
  /** The place of the call that started a track, and the top of its line within its row; null: unknown. */
  startOf(row: FallRow): { readonly place: number; readonly y: number } | null
}

type Context = Pick<
  CanvasRenderingContext2D,
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'measureText'
  | 'clearRect'
  | 'beginPath'
  | 'rect'
  | 'clip'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
  | 'fill'
  | 'closePath'
  | 'save'
  | 'restore'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textBaseline'
  | 'textAlign'
>

/**
 * Draws the rows in the part. Its cost depends on the rows and columns of px in the part, not on the spans: of those narrower than 3 px,
 * there is one rectangle for each 3 px and kind.
 */
export function drawFall(context: Context, scene: FallScene, colors: FallColors, font: string): void {
  const { rows, top, height, axis } = scene
  context.clearRect(0, 0, axis.width, height)
  context.font = font
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  const idle = idleOf(axis, scene.timeScale)
  for (const row of rows) {
    const y = row.top - top
    if (y > height || y + row.height < 0) continue
    drawRow(context, { ...scene, idle }, row, y, colors)
    context.fillStyle = colors.line
    context.fillRect(0, y + row.height - 1, axis.width, 1)
  }
  if (scene.sent !== null) drawSent(context, scene, scene.sent, heightOf(rows) - top, colors)
  drawIdle(context, axis, scene.timeScale, height, { text: colors.text, line: colors.hatch, ground: colors.ground })
}

/** The scene with the idle times in view, which cover what is below them. */
interface DrawnScene extends FallScene {
  readonly idle: ReturnType<typeof idleOf>
}

/** The largest context of each column of px that has a request, up to the next one. */
function drawSent(context: Context, { axis, height }: FallScene, sent: SentLine, y: number, colors: FallColors): void {
  if (y > height || y + contextRowHeight < 0) return
  const { view, width } = axis
  const floor = y + contextRowHeight - 1
  const perToken = (contextRowHeight - 6) / Math.max(1, sent.most)
  context.fillStyle = colors.context
  const area = (from: number, to: number, tokens: number): void => {
    if (to > from) context.fillRect(from, floor - tokens * perToken, to - from, tokens * perToken)
  }
  let [from, largest] = [0, -1]
  for (let at = Math.max(0, sent.firstFrom(view.from) - 1); at < sent.length; at++) {
    const x = Math.max(0, Math.round(axis.xOfPlace(sent.places[at] ?? 0)))
    if (x > width) break
    const tokens = sent.tokens[at] ?? 0
    // Of several requests in a column the largest counts, and then the last one goes on.
    if (largest >= 0 && x > from) {
      area(from, from + 1, largest)
      area(from + 1, x, sent.tokens[at - 1] ?? 0)
      largest = -1
    }
    from = x
    largest = Math.max(largest, tokens)
  }
  if (largest >= 0) area(from, width, largest)
  context.fillStyle = colors.line
  context.fillRect(0, floor, width, 1)
}

function drawRow(context: Context, scene: DrawnScene, row: FallRow, y: number, colors: FallColors): void {
  const { track } = row
  const { axis } = scene
  if (track.extent !== null) {
    const from = Math.max(0, axis.xOfPlace(track.extent.from))
    const to = Math.min(axis.width, Number.isNaN(track.extent.to) ? axis.width : axis.xOfPlace(track.extent.to))
    context.fillStyle = colors.band
    if (to >= 0 && from <= axis.width) context.fillRect(from, y, Math.max(subagentsFrom, to - from), row.height - 1)
    drawStart(context, scene, row, y, colors)
  }
  if (row.turnsAt >= 0) {
    drawLine(context, scene, track.waits, y + row.turnsAt, waitLook, colors)
    drawLine(context, scene, track.turns, y + row.turnsAt, turnLook, colors)
  }
  if (row.modelsAt >= 0) {
    drawLine(context, scene, track.unknowns, y + row.modelsAt, unknownLook, colors)
    drawLine(context, scene, track.models, y + row.modelsAt, modelLook, colors)
  }
  for (const [at, line] of track.calls.entries()) {
    drawLine(context, scene, line, y + row.callsAt + at * callPitch, callLook, colors)
  }
}

/** A line from the call down to the subagent that it started. */
function drawStart(context: Context, scene: FallScene, row: FallRow, y: number, colors: FallColors): void {
  const start = scene.startOf(row)
  if (start === null) return
  const x = Math.round(scene.axis.xOfPlace(start.place)) + 0.5
  if (x < 0 || x > scene.axis.width) return
  context.save()
  context.strokeStyle = colors.edge
  context.lineWidth = 1
  context.setLineDash([2, 3])
  context.beginPath()
  context.moveTo(x, start.y - scene.top)
  context.lineTo(x, y + row.callsAt)
  context.stroke()
  context.restore()
}

/** How spans of a kind look: a wide one, several narrow ones as one, and one without a known end. */
interface Look {
  wide(context: Context, scene: DrawnScene, span: DrawnSpan, colors: FallColors): void
  narrow(context: Context, span: DrawnSpan, colors: FallColors): void
}

interface DrawnSpan {
  readonly number: number
  /** In px. */
  readonly from: number
  readonly to: number
  readonly y: number
  readonly failed: boolean
  /** Whether it is quiet, because others are chosen. */
  readonly quiet: boolean
  /** Whether its length is not known. */
  readonly unknown: boolean
}

function drawLine(
  context: Context,
  scene: DrawnScene,
  line: SpanLine,
  y: number,
  look: Look,
  colors: FallColors
): void {
  const { axis, isChosen } = scene
  const { view, width } = axis
  let drawn = -Infinity
  for (let at = line.firstReaching(view.from); at < line.length;) {
    const x = axis.xOfPlace(line.from[at] ?? 0)
    if (x > width) return
    const end = line.to[at] ?? NaN
    const unknown = Number.isNaN(end)
    const from = Math.max(x, drawn)
    const to = unknown ? from : axis.xOfPlace(end)
    const number = line.numbers[at] ?? 0
    const quiet = isChosen !== null && !isChosen(number)
    if (to < 0 || (!unknown && to <= drawn && to - x >= narrow)) {
      // It ended before the view, or lies under the one drawn before.
      at++
      continue
    }
    if (to - from >= narrow) {
      const edges = { from: Math.max(from, -narrow), to: Math.min(to, width + narrow) }
      look.wide(context, scene, { number, ...edges, y, failed: line.hasFailed(at), quiet, unknown: false }, colors)
      drawn = edges.to
      at++
      continue
    }
    const column = Math.max(from, 0) + narrow
    const next = Math.max(at + 1, line.firstFrom(placeAtX(column, view, width)))
    const failed = line.failedIn(at, next)
    const isOne = next === at + 1
    if (from + narrow >= 0) {
      look.narrow(
        context,
        { number, from, to: column - 1, y, failed: failed > 0, quiet, unknown: isOne && unknown },
        colors
      )
    }
    // A long span may begin among the narrow ones: it is drawn from this column on.
    const long = isOne ? -1 : longIn(line, at, next, placeAtX(column + narrow, view, width))
    drawn = column
    at = long < 0 ? next : long
  }
}

/** Of the spans `first` … `last` (exclusive), at most 32 from the end, the last that reaches `place`; -1 for none. */
function longIn(line: SpanLine, first: number, last: number, place: number): number {
  for (let at = last - 1; at > first && at >= last - 32; at--) if ((line.to[at] ?? NaN) >= place) return at
  return -1
}

const callLook: Look = {
  wide(context, scene, { number, from, to, y, failed, quiet }, colors) {
    const width = to - from
    const edge = quiet ? colors.quiet : failed ? colors.failed : colors.call
    const starts = scene.starts(number)
    context.fillStyle = starts || quiet ? colors.ground : failed ? colors.failedSoft : colors.callSoft
    context.fillRect(from, y, width, callHeight)
    context.strokeStyle = edge
    context.lineWidth = 1
    context.strokeRect(from + 0.5, y + 0.5, Math.max(1, width - 1), callHeight - 1)
    if (width >= wordsFrom) {
      const words = `${failed ? '× ' : ''}${scene.wordsOf(number)}`
      drawWords(context, scene, words, { from, to, y: y + callHeight / 2 }, quiet ? colors.quiet : colors.words)
    } else if (failed && width >= 8) {
      context.fillStyle = edge
      context.fillRect(from + width / 2 - 0.5, y + 3, 1, callHeight - 6)
    }
  },
  narrow(context, { from, to, y, failed, quiet, unknown }, colors) {
    context.fillStyle = quiet ? colors.quiet : failed ? colors.failed : colors.call
    const width = Math.max(1, to - from)
    if (unknown) {
      const x = Math.round(from)
      context.fillRect(x, y + 4, 1, callHeight - 4)
      context.beginPath()
      context.moveTo(x + 0.5, y)
      context.lineTo(x + 3, y + 2.5)
      context.lineTo(x + 0.5, y + 5)
      context.lineTo(x - 2, y + 2.5)
      context.closePath()
      context.fill()
    } else if (failed) {
      // Broken, so that it does not differ by its color only.
      context.fillRect(from, y, width, callHeight / 2 - 1.5)
      context.fillRect(from, y + callHeight / 2 + 1.5, width, callHeight / 2 - 1.5)
    } else context.fillRect(from, y, width, callHeight)
  }
}

const turnLook: Look = {
  wide(context, scene, { number, from, to, y }, colors) {
    context.fillStyle = colors.band
    context.fillRect(from, y, to - from, bandHeight)
    context.strokeStyle = colors.edge
    context.lineWidth = 1
    context.strokeRect(from + 0.5, y + 0.5, Math.max(1, to - from - 1), bandHeight - 1)
    if (to - from >= wordsFrom) {
      drawWords(context, scene, scene.wordsOf(number), { from, to, y: y + bandHeight / 2 }, colors.words)
    }
  },
  narrow(context, { from, to, y }, colors) {
    context.fillStyle = colors.edge
    context.fillRect(from, y, Math.max(1, to - from), bandHeight)
  }
}

/** Time in which the agent waited for the person: hatched, as in the time split. */
const waitLook: Look = {
  wide(context, _scene, { from, to, y }, colors) {
    hatch(context, { from, to, top: y, height: bandHeight }, { line: colors.hatch })
  },
  narrow() {}
}

/** Time of which nothing is known: dotted, as in the time split. */
const unknownLook: Look = {
  wide(context, _scene, { from, to, y }, colors) {
    context.fillStyle = colors.edge
    const first = Math.ceil(from / dotPitch) * dotPitch
    for (let x = first; x < to; x += dotPitch) {
      context.fillRect(x, y, 1, 1)
      context.fillRect(x, y + modelHeight - 2, 1, 1)
    }
    context.fillRect(from, y, 1, modelHeight)
    context.fillRect(to - 1, y, 1, modelHeight)
  },
  narrow(context, { from, y }, colors) {
    context.fillStyle = colors.edge
    context.fillRect(from, y, 1, modelHeight)
  }
}

const modelLook: Look = {
  wide(context, _scene, { from, to, y }, colors) {
    context.fillStyle = colors.edge
    context.fillRect(from, y, to - from, modelHeight)
  },
  narrow(context, { from, to, y }, colors) {
    context.fillStyle = colors.edge
    context.fillRect(from, y, Math.max(1, to - from), modelHeight)
  }
}

/** Between the ends of a span, within the canvas, where no idle time covers them. */
function drawWords(
  context: Context,
  { axis: { width }, idle }: DrawnScene,
  words: string,
  { from, to, y }: Pick<DrawnSpan, 'from' | 'to' | 'y'>,
  color: string
): void {
  let start = Math.max(from, 0)
  let end = Math.min(to, width)
  for (const gap of idle) {
    if (gap.to <= start) continue
    if (gap.from >= end || gap.to - gap.from < 1) break
    if (gap.from - start >= wordsFrom) {
      end = gap.from
      break
    }
    start = gap.to
  }
  const x = start + 4
  const text = cutWords(words, end - x - 3, (part) => context.measureText(part).width)
  if (text === '') return
  context.fillStyle = color
  context.fillText(text, x, y + 0.5)
}

/** As much of a text as has the room, with … if it is cut; "" if not even a letter fits. */
export function cutWords(words: string, room: number, widthOf: (text: string) => number): string {
  // No letter is narrower than 2 px, so more of them are never measured.
  const letters = [...words.slice(0, Math.max(0, Math.ceil(room)))]
  if (letters.length === words.length && widthOf(words) <= room) return words
  let [low, high] = [0, letters.length]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (widthOf(`${letters.slice(0, middle).join('')}…`) <= room) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${letters.slice(0, low).join('').trimEnd()}…`
}
