import type { LibraryFound, LibraryHit } from '#contract/library.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { textPart } from '#core/library/session-search.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { Query, QueryValue } from '#core/query/query.ts'
import { allOf, foundTextOf, partsOf } from '#core/query/query-choices.ts'

/** A session with matches. */
export interface FoundSession {
  readonly card: SessionCard
  /** Number of matching lines; `shown` are loaded. */
  readonly hits: number
  readonly shown: readonly LibraryHit[]
}

/** A search in all sessions and its results. */
export interface LibrarySearch {
  readonly texts: readonly QueryValue[]
  /** Sessions with a matching name, latest first; `total` includes those that are not loaded. */
  readonly named: { readonly cards: readonly SessionCard[]; readonly total: number } | null
  /** Latest first. */
  readonly sessions: readonly FoundSession[]
  readonly found: LibraryFound | null
  /** Whether texts are searched: the text is long enough. */
  readonly searchesTexts: boolean
  readonly error: string | null
}

export interface SearchRequest {
  /** Of these sessions; null: all. */
  readonly where: Query | null
  /** A line holds all of these, */
  readonly texts: readonly QueryValue[]
  /** and none of these. */
  readonly without: readonly QueryValue[]
}

/** A shorter text would match nearly every line. */
const minSearched = 2
/** Delay after the last key before names and texts are searched, in ms. */
const namesAfterMs = 80
const textsAfterMs = 200
/** Interval in ms at which results are loaded during a search. */
const loadEveryMs = 250
const hitsPerSession = 4
const sessionsAtOnce = 100
const maxSessions = 500
const moreHits = 100
/** Limit of requests for matches whose kind is unknown. */
const maxUnknownRequests = 100
const fewNamed = 5
const moreNamed = 100

/** Searches names and texts of all sessions while a person types. A new search ends the previous one. */
export class LibraryFind {
  readonly #host: Host
  readonly #onChange: () => void
  #wanted: SearchRequest | null = null
  #state: LibrarySearch | null = null
  #find: number | null = null
  /** Progress of all pages' searches while the id of this page's search is unknown, by search. */
  #early: Map<number, LibraryFound> | null = null
  #timers: ReturnType<typeof setTimeout>[] = []
  #named = fewNamed
  #fetching = false
  #fetchAgain = false

  constructor(host: Host, onChange: () => void) {
    this.#host = host
    this.#onChange = onChange
    host.on('library.found', (found) => this.#onFound(found))
  }

  /** Null: no search. */
  get state(): LibrarySearch | null {
    return this.#state
  }

  /** Starts another search, or ends the current one. Earlier results stay until there are new ones. */
  search(wanted: SearchRequest | null): void {
    if (JSON.stringify(wanted) === JSON.stringify(this.#wanted)) return
    this.#wanted = wanted
    this.#timers.forEach(clearTimeout)
    this.#timers = []
    this.#named = fewNamed
    this.#endFind()
    if (wanted === null) return this.#set(null)
    const searchesTexts = lengthOf(wanted) >= minSearched
    this.#set({
      ...(this.#state ?? { named: null, sessions: [] }),
      texts: wanted.texts,
      found: null,
      error: null,
      searchesTexts
    })
    this.#timers.push(setTimeout(() => void this.#findNamed(), namesAfterMs))
    if (searchesTexts) this.#timers.push(setTimeout(() => void this.#begin(wanted), textsAfterMs))
    else this.#set({ ...this.#state!, sessions: [] })
  }

  /** Sessions have changed: other names may match. */
  refresh(): void {
    if (this.#wanted !== null) void this.#findNamed()
  }

  showMoreNamed(): void {
    this.#named = Math.min(maxSessions, Math.max(moreNamed, this.#named + moreNamed))
    void this.#findNamed()
  }

  async showMoreHits(session: string): Promise<void> {
    const before = this.#state?.sessions.find(({ card }) => card.id === session)
    const find = this.#find
    if (before === undefined || find === null) return
    try {
      const params = { find, session, from: before.shown.length, count: moreHits }
      const { hits } = await this.#host.call('library.sessionHits', params)
      if (find !== this.#find || this.#state === null) return
      const shown = [...before.shown, ...hits]
      const sessions = this.#state.sessions.map((each) => (each.card.id === session ? { ...each, shown } : each))
      this.#set({ ...this.#state, sessions })
    } catch (error) {
      if (find === this.#find) this.#fail(error)
    }
  }

  /** The lost connection ended the search: starts it again, unless it was stopped or is an invalid expression. */
  searchAgain(): void {
    const wanted = this.#wanted
    if (wanted === null || this.#state?.searchesTexts !== true) return
    if (this.#state.error === null && this.#find === null) return
    this.#find = null
    this.#set({ ...this.#state, error: null })
    void this.#begin(wanted)
  }

  /** Stops the search. The host then drops its results, and the loaded ones stay. */
  stop(): void {
    this.#timers.forEach(clearTimeout)
    if (this.#state?.found?.searching !== true) return
    this.#endFind()
    this.#makeFinal()
  }

  /** The host has dropped the results: the loaded ones become final. */
  #makeFinal(): void {
    if (this.#state === null) return
    const { found, sessions } = this.#state
    this.#find = null
    this.#fetchAgain = false
    const hits = sessions.reduce((sum, { shown }) => sum + shown.length, 0)
    this.#set({
      ...this.#state,
      found:
        found === null ? null : { ...found, searching: false, hits, sessionsWithHits: sessions.length, isCut: true },
      sessions: sessions.map((session) => ({ ...session, hits: session.shown.length }))
    })
  }

  async #findNamed(): Promise<void> {
    const wanted = this.#wanted
    if (wanted === null) return
    // Names are not searched by expressions.
    if ([...wanted.texts, ...wanted.without].some(({ type }) => type === 'regex')) {
      if (this.#state !== null) this.#set({ ...this.#state, named: { cards: [], total: 0 } })
      return
    }
    const query = {
      where: printQuery(allOf([...partsOf(wanted.where), ...partsOf(textPart(wanted))])),
      sort: 'last' as const,
      descending: true,
      group: 'none' as const
    }
    try {
      const count = lengthOf(wanted) < minSearched ? moreNamed : this.#named
      const [{ cards }, { total }] = await Promise.all([
        this.#host.call('library.cards', { query, from: 0, count }),
        this.#host.call('library.overview', { query })
      ])
      if (wanted === this.#wanted && this.#state !== null) this.#set({ ...this.#state, named: { cards, total } })
    } catch (error) {
      if (wanted === this.#wanted) this.#fail(error)
    }
  }

  async #begin(wanted: SearchRequest): Promise<void> {
    const [texts, without] = [wanted.texts.map(foundTextOf), wanted.without.map(foundTextOf)]
    const early = new Map<number, LibraryFound>()
    this.#early = early
    try {
      const { find } = await this.#host.call('library.find', { where: printQuery(wanted.where), texts, without })
      if (wanted !== this.#wanted) return void this.#host.call('library.endFind', { find }).catch(() => {})
      this.#find = find
      const found = early.get(find) ?? null
      if (this.#state !== null) this.#set({ ...this.#state, sessions: [], found })
      void this.#fetch()
    } catch (error) {
      if (wanted === this.#wanted) this.#fail(error)
    } finally {
      if (this.#early === early) this.#early = null
    }
  }

  #onFound(found: LibraryFound): void {
    if (this.#state === null || this.#wanted === null) return
    this.#early?.set(found.find, found)
    if (found.find !== this.#find) return
    this.#set({
      ...this.#state,
      found,
      error: found.error ?? this.#state.error
    })
    void this.#fetch()
  }

  /** Loads results until the search ends and all are loaded. */
  async #fetch(): Promise<void> {
    this.#fetchAgain = true
    if (this.#fetching) return
    this.#fetching = true
    let requests = 0
    while (this.#fetchAgain) {
      this.#fetchAgain = false
      requests++
      const find = this.#find
      if (find === null || this.#state === null) break
      const isOver = this.#state.found?.searching === false
      try {
        // During the search only the latest sessions are loaded.
        const all = await this.#fetchSessions(find, isOver ? maxSessions : sessionsAtOnce)
        if (all !== null && find === this.#find) this.#showSessions(all)
        // The kind of a line is known when its log is read.
        if (isOver && requests < maxUnknownRequests && all?.some(hasUnknownKinds) === true) this.#fetchAgain = true
      } catch (error) {
        if (find === this.#find) this.#fail(error)
        break
      }
      await new Promise((resolve) => setTimeout(resolve, loadEveryMs))
    }
    this.#fetching = false
  }

  /** The first sessions of a search with their matches; null if another search has started. */
  async #fetchSessions(find: number, count: number): Promise<FoundSession[] | null> {
    const all: FoundSession[] = []
    while (all.length < count) {
      const params = { find, from: all.length, count: sessionsAtOnce, perSession: hitsPerSession }
      const { sessions } = await this.#host.call('library.hits', params)
      if (find !== this.#find || this.#state === null) return null
      for (const session of sessions) {
        const known = this.#state.sessions.find(({ card }) => card.id === session.card.id)
        // Keep matches that the person loaded with "more".
        const more = known === undefined ? [] : known.shown.slice(session.shown.length)
        const shown =
          more.length === 0
            ? session.shown
            : [...session.shown, ...(await this.#withKinds(find, session.card.id, session.shown.length, more))]
        all.push({ ...session, shown })
      }
      if (sessions.length < sessionsAtOnce) break
    }
    return all
  }

  /** Loads matches of unknown kind again. */
  async #withKinds(
    find: number,
    session: string,
    from: number,
    hits: readonly LibraryHit[]
  ): Promise<readonly LibraryHit[]> {
    if (!hits.some(({ kind }) => kind === '')) return hits
    return (await this.#host.call('library.sessionHits', { find, session, from, count: hits.length })).hits
  }

  #showSessions(all: readonly FoundSession[]): void {
    if (this.#state === null) return
    // During the search, other loaded sessions stay.
    const listed = new Set(all.map(({ card }) => card.id))
    const isOver = this.#state.found?.searching === false
    const others = isOver ? [] : this.#state.sessions.filter(({ card }) => !listed.has(card.id))
    this.#set({ ...this.#state, sessions: [...all, ...others] })
  }

  #endFind(): void {
    const find = this.#find
    this.#find = null
    if (find !== null) void this.#host.call('library.endFind', { find }).catch(() => {})
  }

  #fail(error: unknown): void {
    if (this.#state === null) return
    if (error instanceof HostError && error.code === 'not-found') {
      this.#makeFinal()
      // The reason of the end may be shown already.
      if (this.#state.error !== null) return
    }
    this.#set({ ...this.#state, error: messageOf(error) })
  }

  #set(state: LibrarySearch | null): void {
    this.#state = state
    this.#onChange()
  }
}

function hasUnknownKinds({ shown }: FoundSession): boolean {
  return shown.some(({ kind }) => kind === '')
}

/** Characters of the longest text. */
function lengthOf({ texts }: SearchRequest): number {
  return Math.max(...texts.map((value) => foundTextOf(value).text.length))
}
