import type { CostAnswer } from '../requests/cost.ts'
import { costOfRequest } from '../requests/cost-sum.ts'
import type { PriceTable } from '../requests/prices.ts'
import type { ModelRequest, RequestList } from '../requests/request-list.ts'
import { firstFrom } from '../query/row-term.ts'
import { itemsOfStep, sortList, type Steps } from '../steps.ts'
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
  /** By span number: which of its request's calls it is. */
  private readonly places: Uint32Array
  /** By request: the number of its calls. */
  private readonly counts: Uint32Array
  /** By request: where the calls whose results it got stand in `received`. */
  private readonly receivedFrom: Uint32Array
  private received: Uint32Array = new Uint32Array()

  private constructor(requests: RequestList, spans: number, count: number) {
    this.requests = requests
    this.makers = new Uint32Array(spans)
    this.places = new Uint32Array(spans)
    this.counts = new Uint32Array(count)
    this.receivedFrom = new Uint32Array(count + 2)
  }

  /** `turnOf`: the turn of a row. */
  static *of(
    requests: RequestList,
    spans: SpanList,
    trackOf: (trackId: string | null) => number,
    turnOf: (row: number) => number
  ): Steps<RequestCalls> {
    const calls = new RequestCalls(requests, spans.length, requests.length)
    yield* calls.add(spans, yield* requestsOnTracks(requests, trackOf), turnOf)
    return calls
  }

  private *add(
    spans: SpanList,
    onTracks: ReadonlyMap<number, RequestsOfTrack>,
    turnOf: (row: number) => number
  ): Steps<undefined> {
    const receivers = new Uint32Array(spans.length)
    for (let number = 0; number < spans.length; number++) {
      if (number % itemsOfStep === 0) yield
      if (spans.kindAt(number) !== 'call') continue
      const { track, first, last } = spans.at(number)
      const list = onTracks.get(track)
      if (list === undefined) continue
      const place = firstFrom(list.lasts, first)
      const made = list.numbers[place]
      // Every request has a turn on the main track; subagents have none.
      if (made !== undefined && (track !== 0 || turnOf(list.lasts[place] ?? 0) === turnOf(first))) {
        this.makers[number] = made + 1
        this.places[number] = this.counts[made] ?? 0
        this.counts[made] = (this.counts[made] ?? 0) + 1
      }
      const next = last < 0 ? undefined : list.numbers[Math.max(firstFrom(list.lasts, last), place + 1)]
      if (next === undefined) continue
      receivers[number] = next + 1
      this.receivedFrom[next + 2] = (this.receivedFrom[next + 2] ?? 0) + 1
    }
    for (let i = 1; i < this.receivedFrom.length; i++) {
      this.receivedFrom[i] = (this.receivedFrom[i] ?? 0) + (this.receivedFrom[i - 1] ?? 0)
    }
    this.received = new Uint32Array(this.receivedFrom.at(-1) ?? 0)
    for (let span = 0; span < receivers.length; span++) {
      if (span % itemsOfStep === 0) yield
      const receiver = receivers[span] ?? 0
      if (receiver === 0) continue
      // Moves each begin to its end; the next one's begin is that end.
      const at = this.receivedFrom[receiver] ?? 0
      this.received[at] = span
      this.receivedFrom[receiver] = at + 1
    }
    return undefined
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

/** The requests of a track by their last rows, in ascending order. */
interface RequestsOfTrack {
  readonly numbers: readonly number[]
  readonly lasts: readonly number[]
}

function* requestsOnTracks(
  requests: RequestList,
  trackOf: (trackId: string | null) => number
): Steps<ReadonlyMap<number, RequestsOfTrack>> {
  const onTracks = new Map<number, { numbers: number[]; lasts: number[]; isSorted: boolean }>()
  for (let request = 0, count = requests.length; request < count; request++) {
    if (request % (itemsOfStep / 4) === 0) yield
    const { of, trackId, rowLast } = requests.at(request)
    if (of === 'rest') continue
    const track = trackOf(trackId)
    let list = onTracks.get(track)
    if (list === undefined) onTracks.set(track, (list = { numbers: [], lasts: [], isSorted: true }))
    if ((list.lasts.at(-1) ?? -1) > rowLast) list.isSorted = false
    list.numbers.push(request)
    list.lasts.push(rowLast)
  }
  // A copy of a line, as in a resumed session, may be far behind its request.
  for (const list of onTracks.values()) {
    if (list.isSorted) continue
    const { numbers, lasts } = list
    const places = lasts.map((_, place) => place)
    yield* sortList(places, (a, b) => (lasts[a] ?? 0) - (lasts[b] ?? 0))
    list.numbers = places.map((place) => numbers[place] ?? 0)
    list.lasts = places.map((place) => lasts[place] ?? 0)
  }
  return onTracks
}
