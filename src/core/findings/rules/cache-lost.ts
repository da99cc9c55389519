import { hasLostCache, type CacheTokens } from '../../requests/cache-lost.ts'
import type { RequestList } from '../../requests/request-list.ts'
import { type Finding, grouped } from '../finding.ts'
import { ownText } from '../own-text.ts'

/** Requests that are looked at together. */
const someRequests = 4096

/** The events of rows: `seqOf` -1: none. `statedTime`: what the row's record states, in ms since the epoch. */
export interface EventsOfRows {
  seqOf(row: number): number
  statedTime(row: number): number | null
}

interface Request extends CacheTokens {
  readonly seq: number
  readonly time: number | null
  readonly model: string | null
}

/** Requests of the main agent that read little of what the request before had in the cache. `further`: beyond the first `most`. */
export function cacheLost(
  requests: RequestList,
  events: EventsOfRows,
  most: number
): { readonly list: readonly Finding[]; readonly further: number } {
  const list: Finding[] = []
  let further = 0
  let former = -1
  // Two objects for all: a log has a million requests.
  let before = { read: 0, written: 0 }
  let current = { read: 0, written: 0 }
  for (let from = 0; from < requests.length; from += someRequests) {
    const count = Math.min(someRequests, requests.length - from)
    const tracks = requests.tracksOf(from, new Uint16Array(count))
    const reads = requests.tokensOf('cacheRead', from, new Float64Array(count))
    const writes = requests.tokensOf('cacheWrite', from, new Float64Array(count))
    const rows = requests.firstRowsOf(from, new Uint32Array(count))
    const areOne = requests.areOne(from, new Uint8Array(count))
    for (let i = 0; i < count; i++) {
      current.read = reads[i] ?? NaN
      current.written = writes[i] ?? NaN
      const isMeant = areOne[i] === 1 && tracks[i] === 0 && !Number.isNaN(current.read + current.written)
      if (!isMeant || events.seqOf(rows[i] ?? 0) < 0) continue
      if (hasLostCache(before, current)) {
        if (list.length === most) further++
        else list.push(findingOf(requestAt(requests, former, events), requestAt(requests, from + i, events)))
      }
      ;[before, current] = [current, before]
      former = from + i
    }
  }
  return { list, further }
}

function requestAt(requests: RequestList, index: number, events: EventsOfRows): Request {
  const { model, tokens, rowFirst } = requests.at(index)
  return {
    seq: events.seqOf(rowFirst),
    time: events.statedTime(rowFirst),
    model: model === null ? null : ownText(model, 80),
    read: tokens.cacheRead ?? 0,
    written: tokens.cacheWrite ?? 0
  }
}

function findingOf(former: Request, current: Request): Finding {
  const before = former.read + former.written
  const pauseMs = former.time === null || current.time === null ? null : Math.max(0, current.time - former.time)
  const minutes = pauseMs === null ? 0 : Math.round(pauseMs / 60_000)
  const isOther = former.model !== current.model
  const parts = [
    `read ${grouped(current.read)} of ${grouped(before)} tokens from the cache, wrote ${grouped(current.written)}`,
    minutes >= 5 ? `${grouped(minutes)} min after the message before` : '',
    isOther ? 'the model changed' : ''
  ]
  return {
    rule: 'cache-lost',
    text: `A request ${parts.filter((part) => part !== '').join('; ')}`,
    short: `cache lost, ${grouped(Math.round(current.written / 1000))}k written`,
    events: [current.seq],
    more: 0,
    facts: { read: current.read, before, written: current.written, pauseMs, modelChanged: isOther }
  }
}
