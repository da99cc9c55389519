import { coveredMs, type Intervals, IntervalsBuilder, mostAtOnce, noIntervals, unionOf, without } from './intervals.ts'
import { spanFlags, type SpanList } from './span-list.ts'

/**
 * Where the time of a range went, in ms. The four parts add up to `wallMs`. All are derived, since logs state times of
 * records only.
 */
export interface TimeSplit {
  /** The first and the last time stated in the range. */
  readonly begin: number
  readonly end: number
  readonly wallMs: number
  /** For the person: between turns and while a question was open. */
  readonly waitingMs: number
  /** Any call was running, on any track. A subagent's work inside the call that started it counts once. */
  readonly toolsMs: number
  /** The rest of the turns. */
  readonly modelMs: number
  /** Calls of unknown length were somewhere in it, or it is in no turn. */
  readonly unknownMs: number
}

/** How much ran at the same time. */
export interface Parallelism {
  /** The sum of the lengths of all calls but questions, and of their self times: without the calls below them. */
  readonly callMs: number
  readonly selfMs: number
  /** Any of them was running. `selfMs / busyMs` is the parallelism. */
  readonly busyMs: number
  readonly mostCalls: number
  readonly mostSubagents: number
}

/** The time of a run by what was going on. Made from all spans at once, in the time of a sort. */
export class SplitTimes {
  readonly begin: number = NaN
  readonly end: number = NaN
  private readonly waiting: Intervals
  private readonly tools: Intervals
  private readonly unknown: Intervals
  private readonly model: Intervals
  private readonly busy: Intervals
  private readonly spans: SpanList
  private readonly below: CallsBelow

  constructor(spans: SpanList, below: CallsBelow) {
    this.spans = spans
    this.below = below
    const [waits, tools, unknown, turns] = [0, 1, 2, 3].map(() => new IntervalsBuilder()) as [
      IntervalsBuilder,
      IntervalsBuilder,
      IntervalsBuilder,
      IntervalsBuilder
    ]
    for (const { kind, flags, begin, end } of spans) {
      if (kind === 'call') ((flags & spanFlags.asks) === 0 ? tools : waits).add(begin, end)
      else if (kind === 'wait') waits.add(begin, end)
      else if (kind === 'unknown') unknown.add(begin, end)
      else if (kind === 'turn') turns.add(begin, end)
      else if (kind === 'run') [this.begin, this.end] = [begin, end]
    }
    this.busy = tools.union()
    this.waiting = waits.union()
    this.tools = without(this.busy, this.waiting)
    const working = unionOf(this.waiting, this.tools)
    this.unknown = without(unknown.union(), working)
    this.model = without(turns.union(), unionOf(working, this.unknown))
  }

  /** Of the ms from `from` on, up to `to`. Null if the log states fewer than two times. */
  between(from = -Infinity, to = Infinity): TimeSplit | null {
    const [begin, end] = [Math.max(from, this.begin), Math.min(to, this.end)]
    if (!(end > begin)) return null
    const wallMs = end - begin
    const [waitingMs, toolsMs, modelMs] = [this.waiting, this.tools, this.model].map((set) => {
      return coveredMs(set, begin, end)
    }) as [number, number, number]
    return { begin, end, wallMs, waitingMs, toolsMs, modelMs, unknownMs: wallMs - waitingMs - toolsMs - modelMs }
  }

  /** Of the parts of calls and subagents from `from` on, up to `to`. */
  parallelism(from = -Infinity, to = Infinity): Parallelism {
    const calls = new PartsWithin(from, to)
    const subagents = new PartsWithin(from, to)
    let selfMs = 0
    let number = -1
    for (const { kind, flags, begin, end } of this.spans) {
      number++
      if (kind === 'subagent') subagents.add(begin, end)
      if (kind !== 'call' || (flags & spanFlags.asks) !== 0) continue
      const part = calls.add(begin, end)
      if (part > 0) selfMs += part - coveredMs(this.below.of(number), Math.max(from, begin), Math.min(to, end))
    }
    return {
      callMs: calls.ms,
      selfMs,
      busyMs: coveredMs(this.busy, from, to),
      mostCalls: mostAtOnce(calls.pairs),
      mostSubagents: mostAtOnce(subagents.pairs)
    }
  }
}

/** The parts of intervals within a range. */
class PartsWithin {
  ms = 0
  readonly #from: number
  readonly #to: number
  readonly #ends: number[] = []

  constructor(from: number, to: number) {
    this.#from = from
    this.#to = to
  }

  /** Returns its length in the range. */
  add(begin: number, end: number): number {
    const [from, to] = [Math.max(this.#from, begin), Math.min(this.#to, end)]
    if (!(to > from)) return 0
    this.#ends.push(from, to)
    this.ms += to - from
    return to - from
  }

  get pairs(): Intervals {
    return Float64Array.from(this.#ends)
  }
}

/** When calls of the subagents that a call started were running, within that call. */
export class CallsBelow {
  /** By the number of the call's span. */
  private readonly sets = new Map<number, Intervals>()

  /** `tracks`: as in `EventIndex.tracks`. */
  constructor(spans: SpanList, tracks: readonly { readonly call: number }[]) {
    const starting = new Set(tracks.map(({ call }) => call))
    const onTracks = new Map<number, IntervalsBuilder>()
    const starters: { readonly number: number; readonly row: number; readonly begin: number; readonly end: number }[] =
      []
    let number = -1
    for (const { kind, track, begin, end, first: row } of spans) {
      number++
      if (kind !== 'call' || Number.isNaN(end)) continue
      if (starting.has(row)) starters.push({ number, row, begin, end })
      if (track === 0) continue
      const calls = onTracks.get(track) ?? new IntervalsBuilder()
      onTracks.set(track, calls)
      calls.add(begin, end)
    }
    const tracksOfCall = new Map<number, number[]>()
    for (const [track, { call }] of tracks.entries()) tracksOfCall.set(call, [...(tracksOfCall.get(call) ?? []), track])
    for (const { number: starter, row, begin, end } of starters) {
      const sets = (tracksOfCall.get(row) ?? []).map((track) => onTracks.get(track)?.union() ?? noIntervals)
      const whole = new IntervalsBuilder()
      whole.add(begin, end)
      const all = whole.union()
      this.sets.set(starter, without(all, without(all, unionOf(...sets))))
    }
  }

  of(span: number): Intervals {
    return this.sets.get(span) ?? noIntervals
  }

  /** Their length; 0 if there are none. */
  msOf(span: number): number {
    return coveredMs(this.of(span), -Infinity, Infinity)
  }
}
