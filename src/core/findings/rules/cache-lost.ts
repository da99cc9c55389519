import { type CacheTokens, hasLostCache } from '../../requests/cache-lost.ts'
import type { ModelRequest } from '../../requests/request-list.ts'
import { ownText } from '../own-text.ts'
import type { Finding } from '../finding.ts'
import { Rule, type SeenEvent } from '../rule.ts'

interface Request extends CacheTokens {
  readonly seq: number
  readonly time: number | null
  readonly model: string | null
}

/** A request of the main agent that read little of what the request before had in the cache. */
export class CacheLost extends Rule {
  private former: Request | null = null

  override request({ trackId, model, tokens }: ModelRequest, { seq, time }: SeenEvent): void {
    const { cacheRead: read, cacheWrite: written } = tokens
    if (trackId !== null || read === undefined || written === undefined) return
    const request = { seq, time, model: model === null ? null : ownText(model, 80), read, written }
    if (this.former !== null) for (const finding of findingOf(this.former, request)) this.found.add(finding)
    this.former = request
  }
}

function findingOf(former: Request, current: Request): Finding[] {
  const before = former.read + former.written
  if (!hasLostCache(former, current)) return []
  const pauseMs = former.time === null || current.time === null ? null : Math.max(0, current.time - former.time)
  const minutes = pauseMs === null ? 0 : Math.round(pauseMs / 60_000)
  const isOther = former.model !== current.model
  const parts = [
    `read ${count(current.read)} of ${count(before)} tokens from the cache, wrote ${count(current.written)}`,
    minutes >= 5 ? `${count(minutes)} min after the message before` : '',
    isOther ? 'the model changed' : ''
  ]
  return [
    {
      rule: 'cache-lost',
      text: `A request ${parts.filter((part) => part !== '').join('; ')}`,
      short: `cache lost, ${count(Math.round(current.written / 1000))}k written`,
      events: [current.seq],
      more: 0,
      facts: { read: current.read, before, written: current.written, pauseMs, modelChanged: isOther }
    }
  ]
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
