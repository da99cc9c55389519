import { itemsOfStep, type Steps } from '../steps.ts'
import {
  type Bounds,
  coveredBy,
  coveredMs,
  type Intervals,
  IntervalsBuilder,
  noIntervals,
  sumWithin,
  unionOf,
  within,
  without
} from './intervals.ts'
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

/** The intervals that splits are made of. Calls are those that ask nothing. */
interface SplitParts {
  /** Of the run; NaN if the log states no time. */
  readonly begin: number
  readonly end: number
  readonly waiting: Intervals
  readonly tools: Intervals
  readonly model: Intervals
  readonly busy: Intervals
  readonly calls: Bounds
  readonly subagents: Bounds
  readonly below: CallsBelow
}

/** The time of a run by what was going on. */
export class SplitTimes {
  private readonly parts: SplitParts

  private constructor(parts: SplitParts) {
    this.parts = parts
  }

  static *of(spans: SpanList, below: CallsBelow): Steps<SplitTimes> {
    const [waits, tools, unknown, turns, subagents] = Array.from({ length: 5 }, () => new IntervalsBuilder()) as [
      IntervalsBuilder,
      IntervalsBuilder,
      IntervalsBuilder,
      IntervalsBuilder,
      IntervalsBuilder
    ]
    let run = { begin: NaN, end: NaN }
    for (let number = 0; number < spans.length; number++) {
      if (number % itemsOfStep === 0) yield
      if (spans.kindAt(number) === 'model') continue
      const { kind, flags, begin, end } = spans.at(number)
      if (kind === 'call') ((flags & spanFlags.asks) === 0 ? tools : waits).add(begin, end)
      else if (kind === 'wait') waits.add(begin, end)
      else if (kind === 'unknown') unknown.add(begin, end)
      else if (kind === 'turn') turns.add(begin, end)
      else if (kind === 'subagent') subagents.add(begin, end)
      else if (kind === 'run') run = { begin, end }
    }
    const calls = yield* tools.bounds()
    const busy = yield* coveredBy(calls)
    const waiting = yield* waits.union()
    const working = yield* unionOf(waiting, busy)
    const unclear = yield* without(yield* unknown.union(), working)
    return new SplitTimes({
      ...run,
      ...{ waiting, busy, calls, below },
      tools: yield* without(busy, waiting),
      model: yield* without(yield* turns.union(), yield* unionOf(working, unclear)),
      subagents: yield* subagents.bounds()
    })
  }

  /** Of the ms from `from` on, up to `to`. Null if the log states fewer than two times. */
  between(from = -Infinity, to = Infinity): TimeSplit | null {
    const { waiting, tools, model, ...run } = this.parts
    const [begin, end] = [Math.max(from, run.begin), Math.min(to, run.end)]
    if (!(end > begin)) return null
    const wallMs = end - begin
    const [waitingMs, toolsMs, modelMs] = [waiting, tools, model].map((set) => coveredMs(set, begin, end)) as [
      number,
      number,
      number
    ]
    return { begin, end, wallMs, waitingMs, toolsMs, modelMs, unknownMs: wallMs - waitingMs - toolsMs - modelMs }
  }

  /** Of the parts of calls and subagents from `from` on, up to `to`. */
  *parallelism(from = -Infinity, to = Infinity): Steps<Parallelism> {
    const { calls, subagents, busy, below } = this.parts
    const ofCalls = yield* sumWithin(calls, from, to)
    return {
      callMs: ofCalls.ms,
      selfMs: ofCalls.ms - (yield* below.sum(from, to)),
      busyMs: coveredMs(busy, from, to),
      mostCalls: ofCalls.most,
      mostSubagents: (yield* sumWithin(subagents, from, to)).most
    }
  }
}

/** A call that started subagents, by the number of its span. */
interface Starter {
  readonly number: number
  readonly row: number
  readonly begin: number
  readonly end: number
  readonly asks: boolean
}

type SetsBelow = ReadonlyMap<number, { readonly set: Intervals; readonly asks: boolean }>

/** When calls of the subagents that a call started were running, within that call. Questions are none of them. */
export class CallsBelow {
  /** By the number of the call's span. */
  private readonly sets: SetsBelow

  private constructor(sets: SetsBelow) {
    this.sets = sets
  }

  /** `tracks`: as in `EventIndex.tracks`. */
  static *of(spans: SpanList, tracks: readonly { readonly call: number }[]): Steps<CallsBelow> {
    const tracksOfCall = new Map<number, number[]>()
    for (const [track, { call }] of tracks.entries()) {
      const known = tracksOfCall.get(call)
      if (known === undefined) tracksOfCall.set(call, [track])
      else known.push(track)
    }
    const onTracks = new Map<number, IntervalsBuilder>()
    const starters: Starter[] = []
    for (let number = 0; number < spans.length; number++) {
      if (number % itemsOfStep === 0) yield
      if (spans.kindAt(number) !== 'call') continue
      const { flags, track, begin, end, first: row } = spans.at(number)
      if (Number.isNaN(end)) continue
      if (tracksOfCall.has(row)) starters.push({ number, row, begin, end, asks: (flags & spanFlags.asks) !== 0 })
      // A question is no work of the subagent: the time it waits is that of no call.
      if (track === 0 || (flags & spanFlags.asks) !== 0) continue
      const calls = onTracks.get(track) ?? new IntervalsBuilder()
      onTracks.set(track, calls)
      calls.add(begin, end)
    }
    const sets = new Map<number, { readonly set: Intervals; readonly asks: boolean }>()
    for (const { number, row, begin, end, asks } of starters) {
      const ofTracks: Intervals[] = []
      for (const track of tracksOfCall.get(row) ?? []) {
        const calls = onTracks.get(track)
        if (calls !== undefined) ofTracks.push(yield* calls.union())
      }
      sets.set(number, { set: within(yield* unionOf(...ofTracks), begin, end), asks })
    }
    return new CallsBelow(sets)
  }

  of(span: number): Intervals {
    return this.sets.get(span)?.set ?? noIntervals
  }

  /** Their length; 0 if there are none. */
  msOf(span: number): number {
    return coveredMs(this.of(span), -Infinity, Infinity)
  }

  /** The sum of their lengths between two times, without those below questions. */
  *sum(from: number, to: number): Steps<number> {
    let sum = 0
    let count = 0
    for (const { set, asks } of this.sets.values()) {
      if (count++ % itemsOfStep === 0) yield
      if (!asks) sum += coveredMs(set, from, to)
    }
    return sum
  }
}
