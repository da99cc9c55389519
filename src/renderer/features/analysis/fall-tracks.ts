import { type SpanKind, spanFlags, spanKinds } from '#core/analysis/span-list.ts'
import { type EventScale, TimeScale } from '#core/replay/event-scale.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import type { LogSpans } from '../../stores/log-spans.ts'
import { packed, type PlacedSpan, SpanLine } from './span-line.ts'

/** Lines of calls; further calls are in the last. */
export const callLines = 3

/** The spans of one track, placed on a scale. */
export interface FallTrack {
  /** An index in `LogStatus.tracks`. */
  readonly track: number
  /** Below the main agent: 0. */
  readonly depth: number
  /** The row of the call that started it; -1: none. */
  readonly call: number
  /** Of the main agent only. */
  readonly turns: SpanLine
  /** Between turns, for the person. Of the main agent only. */
  readonly waits: SpanLine
  readonly models: SpanLine
  /** Around calls of unknown length. */
  readonly unknowns: SpanLine
  readonly calls: readonly SpanLine[]
  /** Calls that found no free line. */
  readonly beyond: number
  /** From the first to the last event of a subagent, as places. Null: of the main agent. */
  readonly extent: { readonly from: number; readonly to: number } | null
}

export interface StartedTrack {
  readonly depth: number
  readonly call: number
}

type Kinds = Record<SpanKind, PlacedSpan[]>

/** The main agent and the tracks with spans, each subagent below the one that started it, in the order of their calls. */
export function fallTracks(
  spans: LogSpans,
  columns: LogColumns,
  scale: EventScale,
  started: readonly StartedTrack[]
): FallTrack[] {
  const byTrack = new Map<number, Kinds>()
  for (let number = 0; number < spans.count; number++) {
    const track = spans.track[number] ?? 0
    const kind = spanKinds[spans.kind[number] ?? 0] ?? 'run'
    const failed = ((spans.flags[number] ?? 0) & spanFlags.failed) !== 0
    let own = byTrack.get(track)
    if (own === undefined) byTrack.set(track, (own = noSpans()))
    own[kind].push({ number, ...placesOf(spans, number, kind, columns, scale), failed })
  }
  return inOrder(started, columns).flatMap((track) => {
    const own = byTrack.get(track) ?? (track === 0 ? noSpans() : null)
    if (own === null) return []
    const { depth = 0, call = -1 } = started[track] ?? {}
    const extent = own.subagent[0] ?? null
    const { lines, beyond } = packed(own.call, callLines)
    return [
      {
        ...{ track, depth, call, extent, beyond, calls: lines },
        turns: lineOf(own.turn),
        waits: lineOf(own.wait),
        models: lineOf(own.model),
        unknowns: lineOf(own.unknown)
      }
    ]
  })
}

/** Tracks by number, each directly followed by those that its calls started. */
export function inOrder(started: readonly StartedTrack[], { track: trackOfRow }: Pick<LogColumns, 'track'>): number[] {
  const below = new Map<number, number[]>()
  for (const [track, { call }] of started.entries()) {
    if (track === 0) continue
    const above = call < 0 ? 0 : (trackOfRow[call] ?? 0)
    const siblings = below.get(above === track ? 0 : above) ?? []
    siblings.push(track)
    below.set(above === track ? 0 : above, siblings)
  }
  const order: number[] = []
  const seen = new Set<number>()
  const open = started.length === 0 ? [] : [0]
  while (open.length > 0) {
    const track = open.pop() ?? 0
    if (seen.has(track)) continue
    seen.add(track)
    order.push(track)
    const callOf = (each: number) => started[each]?.call ?? -1
    open.push(...(below.get(track) ?? []).toSorted((a, b) => callOf(b) - callOf(a) || b - a))
  }
  // Tracks that name each other in a circle are below nothing.
  for (let track = 0; track < started.length; track++) if (!seen.has(track)) order.push(track)
  return order
}

/** Where a span begins and ends. On an axis of events also calls of unknown length have an end: their result. */
function placesOf(
  spans: LogSpans,
  number: number,
  kind: SpanKind,
  columns: LogColumns,
  scale: EventScale
): { from: number; to: number } {
  const [first = 0, last = -1] = [spans.first[number], spans.last[number]]
  const [begin = NaN, end = NaN] = [spans.begin[number], spans.end[number]]
  const ofRow = (row: number) => scale.placeOf(Math.max(0, columns.seqAtOrBefore(row)))
  if (!(scale instanceof TimeScale)) {
    const from = ofRow(first)
    return { from, to: last < 0 ? NaN : Math.max(from, ofRow(last)) }
  }
  const flags = spans.flags[number] ?? 0
  // Events have places of their own, also if their times are equal.
  const isByRecords = kind !== 'wait' && kind !== 'unknown' && (flags & spanFlags.stated) === 0
  const early = (flags & spanFlags.early) !== 0 || Number.isNaN(begin) || kind === 'wait'
  const from = early && !Number.isNaN(begin) ? scale.placeAtTime(begin) : ofRow(first)
  if (Number.isNaN(end)) return { from, to: NaN }
  return { from, to: Math.max(from, isByRecords && last >= 0 ? ofRow(last) : scale.placeAtTime(end)) }
}

function lineOf(spans: PlacedSpan[]): SpanLine {
  return new SpanLine(spans.sort((a, b) => a.from - b.from))
}

function noSpans(): Kinds {
  return { run: [], turn: [], model: [], call: [], subagent: [], wait: [], unknown: [] }
}
