import type { LibraryFound, LibraryHit } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'

/** A session that holds what is searched for. */
export interface FoundSession {
  readonly card: SessionCard
  /** How many lines were found in it, of which these are here. */
  readonly hits: number
  readonly shown: readonly LibraryHit[]
}

/** What is searched for in all sessions, and what was found. */
export interface LibrarySearch {
  readonly words: string
  /** Sessions that are called so, the latest first, as far as they are here; `total` in all. */
  readonly named: { readonly cards: readonly SessionCard[]; readonly total: number } | null
  /** The latest first. */
  readonly sessions: readonly FoundSession[]
  readonly found: LibraryFound | null
  /** The texts are to be searched: the words are long enough. */
  readonly searchesTexts: boolean
  readonly error: { readonly message: string; readonly invalid: boolean } | null
}

export interface WantedSearch {
  readonly filter: SessionFilter
  readonly words: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/** Below this many characters nearly every line of nearly every session would be found. */
const leastSearched = 2
/** After the last key: until cards are filtered, and until texts are searched, in ms. */
const cardsAfter = 80
const textsAfter = 200
/** How often what was found is asked for while a search goes on, in ms. */
const pace = 250
const hitsPerSession = 4
const sessionsAtOnce = 100
const mostSessions = 500
const moreHits = 100
/** How often events of lines are asked for that are not known. */
const mostLooks = 100
const fewNamed = 5
const moreNamed = 100

/** Searches names and texts of all sessions while somebody types. One at a time: the next one ends it. */
export class LibraryFind {
  readonly #host: Host
  readonly #onChange: () => void
  #wanted: WantedSearch | null = null
  #state: LibrarySearch | null = null
  #find: number | null = null
  /** While the number of this page's search is not known: what was said last of each, those of other pages too. */
  #early: Map<number, LibraryFound> | null = null
  #timers: ReturnType<typeof setTimeout>[] = []
  #named = fewNamed
  #fetching = false
  #fetchAgain = false

  constructor(host: Host, onChange: () => void) {
    this.#host = host
    this.#onChange = onChange
    host.on('library.found', (found) => this.#hear(found))
  }

  /** Null: nothing is searched for. */
  get state(): LibrarySearch | null {
    return this.#state
  }

  /** Begins another search, or ends the one there is. What was found stays until something else is. */
  want(wanted: WantedSearch | null): void {
    if (JSON.stringify(wanted) === JSON.stringify(this.#wanted)) return
    this.#wanted = wanted
    this.#timers.forEach(clearTimeout)
    this.#timers = []
    this.#named = fewNamed
    this.#endFind()
    if (wanted === null) return this.#set(null)
    const searchesTexts = wanted.words.length >= leastSearched
    this.#set({
      ...(this.#state ?? { named: null, sessions: [] }),
      words: wanted.words,
      found: null,
      error: null,
      searchesTexts
    })
    this.#timers.push(setTimeout(() => void this.#findNamed(), cardsAfter))
    if (searchesTexts) this.#timers.push(setTimeout(() => void this.#begin(wanted), textsAfter))
    else this.#set({ ...this.#state!, sessions: [] })
  }

  /** Sessions have changed: others may be called so. */
  refresh(): void {
    if (this.#wanted !== null) void this.#findNamed()
  }

  /** More of the sessions that are called so. */
  showMoreNamed(): void {
    this.#named = Math.min(mostSessions, Math.max(moreNamed, this.#named + moreNamed))
    void this.#findNamed()
  }

  /** More hits of a session. */
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

  /** The connection is back: the search ended with the one before. What was stopped stays so, and what is no expression is none. */
  again(): void {
    const wanted = this.#wanted
    if (wanted === null || this.#state?.searchesTexts !== true) return
    const { error } = this.#state
    if (error === null ? this.#find === null : error.invalid) return
    this.#find = null
    this.#set({ ...this.#state, error: null })
    void this.#begin(wanted)
  }

  /** Stops searching; what was found stays, and the host, which has forgotten it, is not asked for more. */
  stop(): void {
    this.#timers.forEach(clearTimeout)
    if (this.#state?.found?.searching !== true) return
    this.#endFind()
    this.#keep()
  }

  /** What is here is all there is, as the host has forgotten the rest. */
  #keep(): void {
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
    // An expression is no list of words.
    if (wanted.regex) {
      if (this.#state !== null) this.#set({ ...this.#state, named: { cards: [], total: 0 } })
      return
    }
    const query = {
      ...wanted.filter,
      text: wanted.words,
      sort: 'last' as const,
      descending: true,
      group: 'none' as const
    }
    try {
      const count = wanted.words.length < leastSearched ? moreNamed : this.#named
      const [{ cards }, { total }] = await Promise.all([
        this.#host.call('library.cards', { query, from: 0, count }),
        this.#host.call('library.overview', { query })
      ])
      if (wanted === this.#wanted && this.#state !== null) this.#set({ ...this.#state, named: { cards, total } })
    } catch (error) {
      if (wanted === this.#wanted) this.#fail(error)
    }
  }

  async #begin(wanted: WantedSearch): Promise<void> {
    const { filter, words: text, regex, caseSensitive } = wanted
    const early = new Map<number, LibraryFound>()
    this.#early = early
    try {
      const { find } = await this.#host.call('library.find', { filter, text, regex, caseSensitive })
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

  #hear(found: LibraryFound): void {
    if (this.#state === null || this.#wanted === null) return
    this.#early?.set(found.find, found)
    if (found.find !== this.#find) return
    this.#set({
      ...this.#state,
      found,
      error: found.error === null ? this.#state.error : { message: found.error, invalid: false }
    })
    void this.#fetch()
  }

  /** Brings here what was found, again and again while that may become more. */
  async #fetch(): Promise<void> {
    this.#fetchAgain = true
    if (this.#fetching) return
    this.#fetching = true
    let looks = 0
    while (this.#fetchAgain) {
      this.#fetchAgain = false
      looks++
      const find = this.#find
      if (find === null || this.#state === null) break
      const isOver = this.#state.found?.searching === false
      try {
        // Until it is over the latest sessions are those that are looked at.
        const all = await this.#fetchSessions(find, isOver ? mostSessions : sessionsAtOnce)
        if (all !== null && find === this.#find) this.#take(all)
        // Which events lines have is told when their logs are read.
        if (isOver && looks < mostLooks && all?.some(isUntold) === true) this.#fetchAgain = true
      } catch (error) {
        if (find === this.#find) this.#fail(error)
        break
      }
      await new Promise((resolve) => setTimeout(resolve, pace))
    }
    this.#fetching = false
  }

  /** The first sessions of a search with their hits; null: it is not the one that is wanted any more. */
  async #fetchSessions(find: number, most: number): Promise<FoundSession[] | null> {
    const all: FoundSession[] = []
    while (all.length < most) {
      const params = { find, from: all.length, count: sessionsAtOnce, perSession: hitsPerSession }
      const { sessions } = await this.#host.call('library.hits', params)
      if (find !== this.#find || this.#state === null) return null
      for (const session of sessions) {
        const known = this.#state.sessions.find(({ card }) => card.id === session.card.id)
        // Those that were asked for beyond the first stay.
        const more = known === undefined ? [] : known.shown.slice(session.shown.length)
        const shown =
          more.length === 0
            ? session.shown
            : [...session.shown, ...(await this.#told(find, session.card.id, session.shown.length, more))]
        all.push({ ...session, shown })
      }
      if (sessions.length < sessionsAtOnce) break
    }
    return all
  }

  /** Hits of which the events are not known are asked for again. */
  async #told(
    find: number,
    session: string,
    from: number,
    hits: readonly LibraryHit[]
  ): Promise<readonly LibraryHit[]> {
    if (!hits.some(({ kind }) => kind === '')) return hits
    return (await this.#host.call('library.sessionHits', { find, session, from, count: hits.length })).hits
  }

  #take(all: readonly FoundSession[]): void {
    if (this.#state === null) return
    // What is beyond those that were asked for stays until the end.
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
      this.#keep()
      // Why it was ended may have been told.
      if (this.#state.error !== null) return
    }
    const message = error instanceof Error ? error.message : String(error)
    const invalid = this.#wanted?.regex === true && error instanceof HostError && error.code === 'bad-params'
    this.#set({ ...this.#state, sessions: invalid ? [] : this.#state.sessions, error: { message, invalid } })
  }

  #set(state: LibrarySearch | null): void {
    this.#state = state
    this.#onChange()
  }
}

function isUntold({ shown }: FoundSession): boolean {
  return shown.some(({ kind }) => kind === '')
}
