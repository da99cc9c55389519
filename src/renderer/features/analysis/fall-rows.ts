import { firstWhere } from '#core/first-where.ts'
import type { AxisView } from '../axis/axis-view.ts'
import type { FallTrack } from './fall-tracks.ts'
import type { SpanLine } from './span-line.ts'

/** In px. */
export const bandHeight = 14
export const modelHeight = 6
export const callPitch = 16
const padding = 5
const gap = 3

/** The place of a track in the waterfall: its top and height, and within it the tops of its parts, in px. */
export interface FallRow {
  readonly track: FallTrack
  readonly top: number
  readonly height: number
  /** Of the turns; -1: none. */
  readonly turnsAt: number
  /** Of the model's time and of unknown time; -1: neither. */
  readonly modelsAt: number
  /** Of the first line of calls. */
  readonly callsAt: number
}

/** The rows of the tracks with something in the view, and always of the main agent. */
export function fallRows(tracks: readonly FallTrack[], view: AxisView): FallRow[] {
  let top = 0
  return tracks
    .filter((track) => track.track === 0 || isInView(track, view))
    .map((track) => {
      let at = padding
      const hasTurns = track.turns.length > 0 || track.waits.length > 0
      const turnsAt = hasTurns ? at : -1
      if (hasTurns) at += bandHeight + gap
      const hasModels = track.models.length > 0 || track.unknowns.length > 0
      const modelsAt = hasModels ? at : -1
      if (hasModels) at += modelHeight + gap
      const callsAt = at
      at += Math.max(1, track.calls.length) * callPitch + padding - 2
      const row = { track, top, height: at, turnsAt, modelsAt, callsAt }
      top += at
      return row
    })
}

export function heightOf(rows: readonly FallRow[]): number {
  const last = rows.at(-1)
  return last === undefined ? 0 : last.top + last.height
}

/** The row at `y` px; -1 for none. */
export function rowAtY(rows: readonly FallRow[], y: number): number {
  if (y < 0 || y >= heightOf(rows)) return -1
  return firstWhere(rows.length, (at) => (rows[at]?.top ?? 0) > y) - 1
}

/** Whether any of a line is in the view. */
export function lineIsInView(line: SpanLine, { from, to }: AxisView): boolean {
  return line.firstReaching(from) < line.firstFrom(to)
}

function isInView({ extent, calls, models }: FallTrack, view: AxisView): boolean {
  if (extent !== null && extent.from < view.to && (Number.isNaN(extent.to) || extent.to >= view.from)) return true
  return [...calls, models].some((line) => lineIsInView(line, view))
}

/** What is under a point. */
export interface FallHit {
  readonly row: number
  readonly of: 'turn' | 'wait' | 'model' | 'unknown' | 'call'
  /** The number of the span. */
  readonly number: number
}

/** The span at `y` px and a place of the scale, within `reach` of it; null for none. */
export function spanAt(rows: readonly FallRow[], place: number, y: number, reach: number): FallHit | null {
  const at = rowAtY(rows, y)
  const row = rows[at]
  if (row === undefined) return null
  const { track } = row
  const within = y - row.top
  const hit = (of: FallHit['of'], line: SpanLine | undefined): FallHit | null => {
    const index = line?.nearest(place, reach) ?? -1
    const number = line?.numbers[index]
    return number === undefined ? null : { row: at, of, number }
  }
  if (row.turnsAt >= 0 && within < row.turnsAt + bandHeight + 1)
    return hit('turn', track.turns) ?? hit('wait', track.waits)
  if (row.modelsAt >= 0 && within < row.modelsAt + modelHeight + 1)
    return hit('model', track.models) ?? hit('unknown', track.unknowns)
  return hit('call', track.calls[Math.floor((within - row.callsAt) / callPitch)])
}

/**
 * The call after (`by` 1) or before call `number` among those of a track that are in the view, in the order in which they
 * begin. For a call of another track the first, or the last. Null: there is none.
 */
export function callBeside({ calls }: FallTrack, number: number, by: 1 | -1, { from, to }: AxisView): number | null {
  const here = placeOfCall(calls, number)
  let best: { place: number; number: number } | null = null
  for (const line of calls) {
    const end = line.firstFrom(to)
    for (let at = line.firstReaching(from); at < end; at++) {
      const each = { place: line.from[at] ?? 0, number: line.numbers[at] ?? 0 }
      const reaches = each.place >= from || (line.to[at] ?? NaN) >= from
      const isBeyond = here === null || by * order(each, { place: here, number }) > 0
      if (reaches && isBeyond && (best === null || by * order(each, best) < 0)) best = each
    }
  }
  return best?.number ?? null
}

interface PlacedCall {
  readonly place: number
  readonly number: number
}

function order(a: PlacedCall, b: PlacedCall): number {
  return a.place - b.place || a.number - b.number
}

function placeOfCall(calls: readonly SpanLine[], number: number): number | null {
  for (const { numbers, from } of calls) {
    const at = numbers.indexOf(number)
    if (at >= 0) return from[at] ?? null
  }
  return null
}
