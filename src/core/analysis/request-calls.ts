import type { CostAnswer } from '../requests/cost.ts'
import { costOfRequest } from '../requests/cost-sum.ts'
import type { PriceTable } from '../requests/prices.ts'
import type { ModelRequest, RequestList } from '../requests/request-list.ts'
import type { SpanList } from './span-list.ts'

/** Output tokens of a call: its part of those of its request. */
export interface CallTokens {
  readonly tokens: number
  /** The output of the request itself is understated, whatever its turn states of all. */
  readonly atLeast: boolean
}

/**
 * Which request made a call, and which one got its result. A request made the calls of its track up to its last row, in
 * its turn, that no earlier one made: logs state a request's tokens beside its calls or after them.
 */
export class RequestCalls {
  private readonly requests: RequestList
  /** By span number: the request that made the call, plus 1. */
  private readonly makers: Uint32Array
  /** By request: the number of its calls. */
  private readonly counts: Uint32Array
  /** By span number: which of its request's calls it is. */
  private readonly places: Uint32Array
  /** By request: where the calls whose results it got stand in `received`. */
  private readonly receivedFrom: Uint32Array
  private readonly received: Uint32Array

  /** `turnOf`: the turn of a row. */
  constructor(
    requests: RequestList,
    spans: SpanList,
    trackOf: (trackId: string | null) => number,
    turnOf: (row: number) => number
  ) {
    this.requests = requests
    const onTracks = new Map<number, { readonly last: number; readonly request: number }[]>()
    for (let request = 0; request < requests.length; request++) {
      const { of, trackId, rowLast: last } = requests.at(request)
      if (of === 'rest') continue
      const track = trackOf(trackId)
      const list = onTracks.get(track) ?? []
      onTracks.set(track, list)
      list.push({ last, request })
    }
    for (const list of onTracks.values()) list.sort((a, b) => a.last - b.last)
    this.makers = new Uint32Array(spans.length)
    this.places = new Uint32Array(spans.length)
    this.counts = new Uint32Array(requests.length)
    const receivers = new Uint32Array(spans.length)
    this.receivedFrom = new Uint32Array(requests.length + 2)
    let number = -1
    for (const { kind, track, first, last } of spans) {
      number++
      const list = onTracks.get(track)
      if (kind !== 'call' || list === undefined) continue
      const place = firstWith(list, first)
      const made = list[place]
      // Every request has a turn on the main track; subagents have none.
      if (made !== undefined && (track !== 0 || turnOf(made.last) === turnOf(first))) {
        this.makers[number] = made.request + 1
        this.places[number] = this.counts[made.request] ?? 0
        this.counts[made.request] = (this.counts[made.request] ?? 0) + 1
      }
      const next = last < 0 ? undefined : list[Math.max(firstWith(list, last), place + 1)]
      if (next === undefined) continue
      receivers[number] = next.request + 1
      this.receivedFrom[next.request + 2] = (this.receivedFrom[next.request + 2] ?? 0) + 1
    }
    for (let i = 1; i < this.receivedFrom.length; i++) {
      this.receivedFrom[i] = (this.receivedFrom[i] ?? 0) + (this.receivedFrom[i - 1] ?? 0)
    }
    this.received = new Uint32Array(this.receivedFrom.at(-1) ?? 0)
    for (let span = 0; span < receivers.length; span++) {
      const receiver = receivers[span] ?? 0
      if (receiver === 0) continue
      // Moves each begin to its end; the next one's begin is that end.
      const at = this.receivedFrom[receiver] ?? 0
      this.received[at] = span
      this.receivedFrom[receiver] = at + 1
    }
  }

  /** The request that made a call; null if the log tells of none. */
  makerOf(span: number): ModelRequest | null {
    const maker = this.makers[span] ?? 0
    return maker === 0 ? null : this.requests.at(maker - 1)
  }

  /** What the request that made a call cost, and how many calls it made; null if the log tells of none. */
  paidFor(span: number, prices: PriceTable | null): { readonly answer: CostAnswer; readonly calls: number } | null {
    const maker = this.makers[span] ?? 0
    if (maker === 0) return null
    return { answer: costOfRequest(this.requests.at(maker - 1), prices), calls: this.counts[maker - 1] ?? 1 }
  }

  /** Null if its request states no output. The parts of a request's calls add up to its output. */
  tokensOf(span: number): CallTokens | null {
    const maker = this.makers[span] ?? 0
    if (maker === 0) return null
    const { tokens, outputIs } = this.requests.at(maker - 1)
    if (tokens.output === undefined) return null
    const [count, place] = [this.counts[maker - 1] ?? 1, this.places[span] ?? 0]
    const upTo = (calls: number): number => Math.floor((calls * (tokens.output ?? 0)) / count)
    return { tokens: upTo(place + 1) - upTo(place), atLeast: outputIs === 'understated' }
  }

  /** The calls whose results came before a request and after the former one of its track. */
  receivedBy(request: number): Uint32Array {
    return this.received.subarray(this.receivedFrom[request] ?? 0, this.receivedFrom[request + 1] ?? 0)
  }
}

/** The place of the first request whose last row is not before `row`. */
function firstWith(list: readonly { readonly last: number }[], row: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.last ?? Infinity) < row) low = middle + 1
    else high = middle
  }
  return low
}
