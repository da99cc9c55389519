import { hasLostCache, type CacheTokens } from '../../requests/cache-lost.ts'
import type { RequestList } from '../../requests/request-list.ts'
import { type Finding, grouped } from '../finding.ts'
import { ownText } from '../own-text.ts'

/** Requests that are looked at together. */
const someRequests = 4096

/** The event of a row; `seq` -1: none. `time`: what its record states, in ms since the epoch. */
export type EventOfRow = (row: number) => { readonly seq: number; readonly time: number | null }

interface Request extends CacheTokens {
  readonly seq: number
  readonly time: number | null
  readonly model: string | null
}

/** Requests of the main agent that read little of what the request before had in the cache. */
export function* cacheLost(requests: RequestList, eventOf: EventOfRow): Iterable<Finding> {
  let former = -1
  let before: CacheTokens = { read: 0, written: 0 }
  for (let from = 0; from < requests.length; from += someRequests) {
    const count = Math.min(someRequests, requests.length - from)
    const tracks = requests.tracksOf(from, new Uint16Array(count))
    const reads = requests.tokensOf('cacheRead', from, new Float64Array(count))
    const writes = requests.tokensOf('cacheWrite', from, new Float64Array(count))
    const rows = requests.firstRowsOf(from, new Uint32Array(count))
    for (let i = 0; i < count; i++) {
      const read = reads[i] ?? NaN
      const written = writes[i] ?? NaN
      const row = rows[i] ?? 0
      if (tracks[i] !== 0 || Number.isNaN(read + written) || !requests.isOne(from + i) || eventOf(row).seq < 0) continue
      const current = { read, written }
      if (hasLostCache(before, current)) {
        yield findingOf(requestAt(requests, former, eventOf), requestAt(requests, from + i, eventOf))
      }
      before = current
      former = from + i
    }
  }
}

function requestAt(requests: RequestList, index: number, eventOf: EventOfRow): Request {
  const { model, tokens, rowFirst } = requests.at(index)
  return {
    ...eventOf(rowFirst),
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
