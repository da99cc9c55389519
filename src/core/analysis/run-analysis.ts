import type { RunIndex } from '../index/run-index.ts'
import type { PriceTable } from '../requests/prices.ts'
import { firstFrom } from '../query/row-term.ts'
import { type CallGroupNumbers, CallTable, type CountedCall, sortedGroups } from './call-table.ts'
import { RequestCalls } from './request-calls.ts'
import { isSameLine } from './result-bytes.ts'
import { type Span, spanFlags, SpanList } from './span-list.ts'
import { CallsBelow, SplitTimes } from './time-split.ts'

/** All spans of the first `rows` rows of an index, and what is derived from all of them when it is asked for. */
export class RunAnalysis {
  readonly index: RunIndex
  readonly rows: number
  readonly spans: SpanList
  #below: CallsBelow | null = null
  #split: SplitTimes | null = null
  #turns: readonly number[] | null = null
  #requests: RequestCalls | null = null

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
    return new RunAnalysis(index, index.rows.rows, spans.ended(index.rows))
  }

  get below(): CallsBelow {
    return (this.#below ??= new CallsBelow(this.spans, this.index.rows.tracks))
  }

  get split(): SplitTimes {
    return (this.#split ??= new SplitTimes(this.spans, this.below))
  }

  /** The first rows of the turns. */
  get turns(): readonly number[] {
    return (this.#turns ??= [...this.spans].filter(({ kind }) => kind === 'turn').map(({ first }) => first))
  }

  /** The number of the turn of a row, from 1; 0 before the first. */
  turnOf(row: number): number {
    return firstFrom(this.turns, row + 1)
  }

  get requests(): RequestCalls {
    const { requests } = this.index
    return (this.#requests ??= new RequestCalls(requests, this.spans, this.trackNumbers, (row) => this.turnOf(row)))
  }

  /** The number of a track by its id. */
  get trackNumbers(): (trackId: string | null) => number {
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
    return {
      row: span.first,
      failed: (span.flags & spanFlags.failed) !== 0,
      durationMs: this.lengthOf(span),
      isStated: (span.flags & spanFlags.stated) !== 0,
      belowMs: this.below.msOf(number),
      bytes: span.last < 0 || isSameLine(rows, span.last) ? 0 : rows.lengthAt(span.last),
      tokens: this.requests.tokensOf(number),
      paid: this.requests.paidFor(number, prices)
    }
  }

  /** The calls by tool, those with most time first. */
  byTool(prices: PriceTable | null): CallGroupNumbers[] {
    const table = new CallTable()
    let number = 0
    for (const span of this.spans) {
      if (span.kind === 'call') table.add(this.callOf(span, number, prices), [this.toolOf(span) ?? null])
      number++
    }
    return sortedGroups(table.groups, 'totalMs', true)
  }
}
