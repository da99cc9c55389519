import { spanKinds } from '#core/analysis/span-list.ts'
import type { EventScale } from '#core/replay/event-scale.ts'
import type { LogParts } from '../../stores/log-store.ts'
import type { LogSpans } from '../../stores/log-spans.ts'
import type { EventRange } from '../../stores/ranging.ts'
import type { RunScale } from '../axis/use-run-scale.ts'
import { type FallTrack, fallTracks, type StartedTrack } from './fall-tracks.ts'

const turnKind = spanKinds.indexOf('turn')

/** The tracks at a version of the spans, which grow in place. */
export function tracksOf(
  spans: LogSpans,
  version: number,
  { columns }: LogParts,
  { scale }: RunScale,
  started: readonly StartedTrack[]
): readonly FallTrack[] {
  return version < 0 ? [] : fallTracks(spans, columns, scale, started)
}

/** The events of each turn, at a version of the spans. */
export function turnsOf(spans: LogSpans, version: number, parts: LogParts): readonly EventRange[] {
  const turns: EventRange[] = []
  for (let number = 0; version >= 0 && number < spans.count; number++) {
    if (spans.kind[number] === turnKind) turns.push(eventsOf(parts, number))
  }
  return turns.sort((a, b) => a.from - b.from)
}

/** From the first to the last event of a span. */
export function eventsOf({ spans, columns }: Pick<LogParts, 'spans' | 'columns'>, number: number): EventRange {
  const [first = 0, last = -1] = [spans.first[number], spans.last[number]]
  const from = Math.max(0, columns.seqAtOrBefore(first))
  return { from, to: Math.max(from, columns.seqAtOrBefore(Math.max(first, last))) }
}

/** The range with all of these; null if none is given. */
export function joined(ranges: readonly (EventRange | null)[]): EventRange | null {
  const given = ranges.filter((range) => range !== null)
  if (given.length === 0) return null
  return { from: Math.min(...given.map(({ from }) => from)), to: Math.max(...given.map(({ to }) => to)) }
}

/** The part of the scale that a range shows: its events, and a little after the last one. */
export function boundsOf(
  scale: EventScale,
  range: EventRange | null,
  events: number
): { readonly from: number; readonly total: number } {
  if (range === null || range.from > range.to || range.from >= events) return { from: 0, total: scale.total }
  const [from, to] = [scale.placeOf(range.from), scale.placeOf(Math.min(range.to, events - 1))]
  // An event has no length, so the last one would be at the edge.
  const rest = Math.max(scale.least / 24, (to - from) / 50)
  const start = Math.max(0, from - rest / 2)
  return { from: start, total: Math.max(start + rest, Math.min(scale.total, to + rest)) }
}

/** By the row of a call that started a track: where it is. */
export function startsOf(
  tracks: readonly FallTrack[],
  spans: LogSpans
): ReadonlyMap<number, { readonly track: FallTrack; readonly line: number; readonly place: number }> {
  const wanted = new Set(tracks.map(({ call }) => call))
  const starts = new Map<number, { track: FallTrack; line: number; place: number }>()
  for (const track of tracks) {
    for (const [line, { numbers, from }] of track.calls.entries()) {
      for (let at = 0; at < numbers.length; at++) {
        const row = spans.first[numbers[at] ?? 0] ?? -1
        if (wanted.has(row)) starts.set(row, { track, line, place: from[at] ?? 0 })
      }
    }
  }
  return starts
}
