import type { RunIndex } from '../index/run-index.ts'
import type { PriceTable } from '../requests/prices.ts'
import { firstFrom } from '../query/row-term.ts'
import { allSteps, itemsOfStep, type Steps } from '../steps.ts'
import { type CallGroupNumbers, CallTable, type CountedCall } from './call-table.ts'
import { RequestCalls } from './request-calls.ts'
import { isSameLine } from './result-bytes.ts'
import { type Span, spanFlags, SpanList } from './span-list.ts'
import { CallsBelow, type Parallelism, SplitTimes, type TimeSplit } from './time-split.ts'

/** A part of a run, without `to`: of its time, in ms since the epoch, or of its rows. */
export interface AnalysisRange {
  readonly by: 'time' | 'rows'
  readonly from: number
  readonly to: number
}

/** Where the time of a range went. */
export interface RangeTimes {
  /** Null: fewer than two times are stated there. */
  readonly split: TimeSplit | null
  readonly parallelism: Parallelism
  readonly calls: number
  readonly unknownLengths: number
}

/** What is derived from all spans for questions about times. */
interface DerivedTimes {
  readonly below: CallsBelow
  readonly split: SplitTimes
}

/** What is derived from all spans for questions about turns and requests. */
interface DerivedRequests {
  /** The first rows of the turns. */
  readonly turns: readonly number[]
  readonly requests: RequestCalls
}

/** All spans of the first `rows` rows of an index, and what is derived from them. */
export class RunAnalysis {
  readonly index: RunIndex
  readonly rows: number
  readonly spans: SpanList
  private knownTimes: DerivedTimes | null = null
  private knownRequests: DerivedRequests | null = null

  /** `spans`: of these rows, ended. */
  constructor(index: RunIndex, rows: number, spans: SpanList) {
    this.index = index
    this.rows = rows
    this.spans = spans
  }

  /** Of a whole index. */
  static of(index: RunIndex): RunAnalysis {
    const spans = new SpanList()
    spans.read(index.rows, index.rows.rows)
    return new RunAnalysis(index, index.rows.rows, allSteps(spans.ended(index.rows)))
  }

  /** Derives what the questions below need; without it, the first of them does so in one go. */
  *derive(): Steps<undefined> {
    this.knownTimes ??= yield* this.timesOfSpans()
    this.knownRequests ??= yield* this.requestsOfSpans()
    return undefined
  }

  private *timesOfSpans(): Steps<DerivedTimes> {
    const below = yield* CallsBelow.of(this.spans, this.index.rows.tracks)
    return { below, split: yield* SplitTimes.of(this.spans, below) }
  }

  private *requestsOfSpans(): Steps<DerivedRequests> {
    const { spans, index } = this
    const turns: number[] = []
    for (let number = 0; number < spans.length; number++) {
      if (number % itemsOfStep === 0) yield
      if (spans.kindAt(number) === 'turn') turns.push(spans.at(number).first)
    }
    const turnOf = (row: number): number => firstFrom(turns, row + 1)
    return { turns, requests: yield* RequestCalls.of(index.requests, spans, this.trackNumbers(), turnOf) }
  }

  private get times(): DerivedTimes {
    return (this.knownTimes ??= allSteps(this.timesOfSpans()))
  }

  private get ofRequests(): DerivedRequests {
    return (this.knownRequests ??= allSteps(this.requestsOfSpans()))
  }

  /** The number of the turn of a row, from 1; 0 before the first. */
  turnOf(row: number): number {
    return firstFrom(this.ofRequests.turns, row + 1)
  }

  get requests(): RequestCalls {
    return this.ofRequests.requests
  }

  /** The number of a track by its id. */
  trackNumbers(): (trackId: string | null) => number {
    const numbers = new Map(this.index.rows.tracks.map(({ trackId }, number) => [trackId, number]))
    return (trackId) => numbers.get(trackId) ?? 0
  }

  /** The length of a call in ms, with the log's fractions; undefined if it is unknown. */
  lengthOf({ last }: Span): number | undefined {
    return last < 0 ? undefined : this.index.rows.durationAt(last)
  }

  toolOf({ first, last }: Span): string | undefined {
    const { rows } = this.index
    return rows.toolAt(first) ?? (last < 0 ? undefined : rows.toolAt(last))
  }

  /** The call of a span of kind `call`. `number`: of the span. `prices`: to estimate costs with. */
  callOf(span: Span, number: number, prices: PriceTable | null): CountedCall {
    const { rows } = this.index
    const { below } = this.times
    const { requests } = this
    return {
      row: span.first,
      failed: (span.flags & spanFlags.failed) !== 0,
      durationMs: this.lengthOf(span),
      isStated: (span.flags & spanFlags.stated) !== 0,
      belowMs: below.msOf(number),
      bytes: span.last < 0 || isSameLine(rows, span.last) ? 0 : rows.lengthAt(span.last),
      tokens: requests.tokensOf(number),
      paid: requests.paidFor(number, prices)
    }
  }

  /** The calls by tool, those with most time first. */
  byTool(prices: PriceTable | null): CallGroupNumbers[] {
    const table = new CallTable()
    for (let number = 0; number < this.spans.length; number++) {
      const span = this.spans.at(number)
      if (span.kind === 'call') table.add(this.callOf(span, number, prices), [this.toolOf(span) ?? null])
    }
    return allSteps(table.sorted('totalMs', true))
  }

  /** Null: of the whole run. */
  *timesOf(range: AnalysisRange | null): Steps<RangeTimes> {
    const { split } = this.times
    const { from, to } = yield* this.timesWithin(range)
    let [calls, unknownLengths] = [0, 0]
    for (let number = 0; number < this.spans.length; number++) {
      if (number % itemsOfStep === 0) yield
      if (this.spans.kindAt(number) !== 'call') continue
      const span = this.spans.at(number)
      if (!isWithin(span, range)) continue
      calls++
      if (this.lengthOf(span) === undefined) unknownLengths++
    }
    return { split: split.between(from, to), parallelism: yield* split.parallelism(from, to), calls, unknownLengths }
  }

  /** The times that the rows of a range state, from the first to the last. */
  private *timesWithin(range: AnalysisRange | null): Steps<{ readonly from: number; readonly to: number }> {
    if (range === null) return { from: -Infinity, to: Infinity }
    if (range.by === 'time') return range
    const { rows } = this.index
    let [from, to] = [Infinity, -Infinity]
    for (let row = Math.max(0, range.from); row < Math.min(range.to, this.rows); row++) {
      if (row % itemsOfStep === 0) yield
      const at = rows.seqOf(row) < 0 ? null : rows.statedTime(row)
      if (at === null) continue
      from = Math.min(from, at)
      to = Math.max(to, at)
    }
    return { from, to }
  }
}

/** Whether a call begins in a range. */
export function isWithin({ begin, first }: Span, range: AnalysisRange | null): boolean {
  if (range === null) return true
  const at = range.by === 'time' ? begin : first
  return at >= range.from && at < range.to
}
