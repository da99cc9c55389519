import type { LibraryStatus } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import { applyQuery, facetsOf, type QueriedSessions, type SessionFacets } from '#core/library/apply-query.ts'
import { lastOf, type SessionCard } from '#core/library/session-card.ts'
import { sessionMatch } from '#core/library/match-sessions.ts'
import type { SessionQuery } from '#core/library/session-query.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import type { Query } from '#core/query/query.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import type { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { LogDiscovery } from './log-discovery.ts'
import { fingerprintOf, sessionCards, type SessionCards } from './session-cards.ts'

const maxCached = 4
/** An answer may ask for an age. */
const maxCachedMs = 60_000

/** The cards of all known logs, made on demand, and the answers to queries. */
export class ListedSessions {
  readonly #logs: KnownLogs
  readonly #discovery: LogDiscovery
  readonly #now: () => number
  #prices: PriceTable | null = null
  #cards: SessionCards = { sessions: [], subagents: new Map(), byId: new Map(), changesAt: null }
  #totals = { sessions: new Map<string, number>(), foreign: new Map<string, number>(), bytes: 0 }
  #latest: readonly SessionCard[] = []
  #isOld = true
  #version = 0
  #queried = new Map<string, { readonly found: QueriedSessions; readonly at: number }>()
  #facets: SessionFacets | null = null

  constructor(logs: KnownLogs, discovery: LogDiscovery, now: () => number) {
    this.#logs = logs
    this.#discovery = discovery
    this.#now = now
    this.refresh()
  }

  /** Raised whenever the cards are made again. */
  get version(): number {
    return this.#version
  }

  /** Newest first. */
  get latest(): readonly SessionCard[] {
    return this.#latest
  }

  get facets(): SessionFacets {
    return (this.#facets ??= facetsOf(this.#cards.sessions))
  }

  /** When a live session ceases to be live without a write; null: no session is live. */
  get changesAt(): number | null {
    return this.#cards.changesAt
  }

  get prices(): PriceTable | null {
    return this.#prices
  }

  /** To estimate costs with; null: none. */
  set prices(prices: PriceTable | null) {
    if (JSON.stringify(prices) === JSON.stringify(this.#prices)) return
    this.#prices = prices
    this.outdate()
  }

  /** Marks the cards as outdated. */
  outdate(): void {
    this.#isOld = true
  }

  /** Makes the cards again if they are outdated. */
  refresh(): void {
    if (!this.#isOld) return
    this.#isOld = false
    this.#cards = sessionCards(this.#logs.all(), this.#discovery.recordedRuns, this.#prices, this.#now())
    this.#latest = this.#cards.sessions.toSorted((a, b) => lastOf(b) - lastOf(a))
    this.#countTotals()
    this.#queried = new Map()
    this.#facets = null
    this.#version++
  }

  /** Sessions and the logs of their subagents. */
  all(): SessionCard[] {
    return [...this.#cards.byId.values()].map(({ card }) => card)
  }

  /** Throws `not-found` for an unknown session. */
  entry(session: string): { card: SessionCard; log: LibraryLog } {
    const entry = this.#cards.byId.get(session)
    if (entry === undefined) throw new HostError('not-found', 'This session is no longer in the library.')
    return entry
  }

  logOf({ id }: SessionCard): LibraryLog | undefined {
    return this.#cards.byId.get(id)?.log
  }

  subagentsOf({ id }: Pick<SessionCard, 'id'>): readonly SessionCard[] {
    return this.#cards.subagents.get(id) ?? []
  }

  /** The fingerprint that current counts would have. */
  fingerprintOf(card: SessionCard, log: LibraryLog): string {
    return fingerprintOf(log, this.subagentsOf(card))
  }

  /** Newest first. */
  matching(where: string): SessionCard[] {
    return this.#latest.filter(sessionMatch(queryOf(where), this.#now()))
  }

  query(query: SessionQuery): QueriedSessions {
    const key = JSON.stringify(query)
    const known = this.#queried.get(key)
    const now = this.#now()
    if (known !== undefined && now - known.at < maxCachedMs) return known.found
    const [oldest] = this.#queried.keys()
    if (this.#queried.size >= maxCached && oldest !== undefined) this.#queried.delete(oldest)
    const found = applyQuery(this.#latest, queryOf(query.where), query, now)
    this.#queried.set(key, { found, at: now })
    return found
  }

  /** The part of the status about sessions and roots. */
  totals(): Pick<LibraryStatus, 'version' | 'sessions' | 'bytes' | 'roots'> {
    const { sessions, foreign, bytes } = this.#totals
    return {
      version: this.#version,
      sessions: this.#cards.sessions.length,
      bytes,
      roots: this.#discovery.roots.map(({ path, agent, kind, isMissing, notes }) => {
        const others = foreign.get(path) ?? 0
        const note = `${others} ${others === 1 ? 'file is not a log' : 'files are not logs'} of a supported agent.`
        return {
          ...{ path, agent, kind, isMissing, sessions: sessions.get(path) ?? 0 },
          notes: (others === 0 ? notes : [note, ...notes]).slice(0, 20)
        }
      })
    }
  }

  /** Counts sessions and foreign files by root path. */
  #countTotals(): void {
    const sessions = new Map<string, number>()
    const foreign = new Map<string, number>()
    let bytes = 0
    for (const { card, log } of this.#cards.byId.values()) {
      bytes += card.bytes
      if (card.parent === null) sessions.set(log.root.path, (sessions.get(log.root.path) ?? 0) + 1)
    }
    for (const { head, root } of this.#logs.all()) {
      if (head?.isForeign === true && root.isAnyFolder) foreign.set(root.path, (foreign.get(root.path) ?? 0) + 1)
    }
    this.#totals = { sessions, foreign, bytes }
  }
}

/** Throws `bad-params` for a text that is no query about sessions. */
function queryOf(where: string): Query | null {
  const { query, error } = parseQuery(where, 'sessions')
  if (error !== null) throw new HostError('bad-params', error.message)
  return query
}
