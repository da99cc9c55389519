import type { SessionCard } from '#core/library/session-card.ts'
import { queryNow } from './library-choice.ts'
import { showFault } from './library-faults.ts'
import { lineHeights } from './library-lines.ts'
import { linesOf } from './library-listing.ts'
import type { LibraryScroll } from './library-scroll.ts'
import type { LibraryAccess, LibraryOverview } from './library-state.ts'

const pageSize = 100
/** Loaded sessions that are kept margin the visible ones. */
const maxKept = 3000
/** Sessions loaded beyond both edges at a refresh, so that new ones do not move the list. */
const margin = 80
const maxAtOnce = 500
/** Time between refreshes. */
const paceMs = 250

interface PagesOptions {
  /** Sessions were loaded into the list. */
  readonly onCards: (cards: readonly SessionCard[]) => void
  /** The visible sessions were loaded again. */
  readonly onRefreshed: (cards: readonly SessionCard[]) => void
}

/** Loads the visible sessions of a query. */
export class LibraryPages {
  readonly #library: LibraryAccess
  readonly #scroll: LibraryScroll
  readonly #options: PagesOptions
  /** Number of queries so far; results of earlier queries are dropped. */
  #queries = 0
  #isShown = false
  #isRefreshing = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #requestedPages = new Set<string>()

  constructor(library: LibraryAccess, scroll: LibraryScroll, options: PagesOptions) {
    this.#library = library
    this.#scroll = scroll
    this.#options = options
  }

  /** Nothing is loaded while the list is not visible. */
  setShown(isShown: boolean): void {
    this.#isShown = isShown
    if (isShown) void (this.#library.get().overview === null ? this.load() : this.refresh())
  }

  /** Loads another query from its start. */
  async load(): Promise<void> {
    const own = ++this.#queries
    const { host, get, set } = this.#library
    const query = queryNow(get())
    try {
      const [overview, { cards }] = await Promise.all([
        host.call('library.overview', { query }),
        host.call('library.cards', { query, from: 0, count: pageSize })
      ])
      if (own !== this.#queries) return
      set({ newer: 0, fault: null })
      this.#show(overview, 0, cards)
      this.#scroll.put(0)
      this.#options.onCards(cards)
    } catch (error) {
      if (own === this.#queries) showFault(this.#library, error)
    }
  }

  /** Loads the visible sessions again, and keeps them in place. */
  async refresh(): Promise<void> {
    if (!this.#isShown) return
    if (this.#isRefreshing) return this.refreshSoon()
    const { host, get } = this.#library
    if (get().overview === null) return await this.load()
    this.#isRefreshing = true
    const own = this.#queries
    const query = queryNow(get())
    const from = Math.max(0, this.#scroll.firstCard() - margin)
    const count = Math.min(maxAtOnce, Math.ceil(this.#scroll.height / lineHeights.card) + 2 * margin)
    try {
      const [overview, { cards, version }] = await Promise.all([
        host.call('library.overview', { query }),
        host.call('library.cards', { query, from, count })
      ])
      if (own !== this.#queries) return
      this.#showRefreshed(overview, from, cards)
      if (version !== overview.version) this.refreshSoon()
    } catch (error) {
      if (own === this.#queries) showFault(this.#library, error)
    } finally {
      this.#isRefreshing = false
    }
  }

  /** Limits the rate: sessions change many times a second while they are read. */
  refreshSoon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.refresh()
    }, paceMs)
  }

  /** Loads visible sessions that are missing. */
  fetchMissing(): void {
    const pages = new Set(this.#scroll.missingCards().map((index) => Math.floor(index / pageSize)))
    for (const page of pages) void this.#fetch(page)
  }

  /** The sessions at these query indexes, loaded if needed. */
  async cardsAt(indexes: readonly number[]): Promise<SessionCard[]> {
    const { host, get } = this.#library
    const here = new Map(get().cards)
    const missing = indexes.filter((index) => !here.has(index))
    if (missing.length > 0) {
      const from = Math.min(...missing)
      const count = Math.min(maxAtOnce, Math.max(...missing) - from + 1)
      const { cards } = await host.call('library.cards', { query: queryNow(get()), from, count })
      cards.forEach((card, at) => here.set(from + at, card))
    }
    return indexes.flatMap((index) => here.get(index) ?? [])
  }

  #showRefreshed(overview: LibraryOverview, from: number, cards: readonly SessionCard[]): void {
    const { get, set } = this.#library
    const isSearch = get().search !== null
    const anchors = isSearch ? [] : this.#scroll.anchors()
    const grown = overview.total - (get().overview?.total ?? 0)
    this.#show(overview, from, cards)
    if (this.#scroll.hold(anchors) && grown > 0) set({ newer: get().newer + grown })
    this.#options.onCards(cards)
    this.#options.onRefreshed(cards)
    if (!isSearch) this.#scroll.see(this.#scroll.offset, this.#scroll.height)
  }

  #show(overview: LibraryOverview, from: number, cards: readonly SessionCard[]): void {
    const { get, set } = this.#library
    this.#requestedPages.clear()
    set({ overview, cards: new Map(cards.map((card, at) => [from + at, card])) })
    set({ lines: linesOf(get()) })
  }

  async #fetch(page: number): Promise<void> {
    const own = this.#queries
    const { host, get, set } = this.#library
    const key = `${own} ${get().overview?.version ?? 0} ${page}`
    if (this.#requestedPages.has(key)) return
    this.#requestedPages.add(key)
    try {
      const query = queryNow(get())
      const from = page * pageSize
      const { cards, version } = await host.call('library.cards', { query, from, count: pageSize })
      if (own !== this.#queries) return
      const all = new Map(get().cards)
      cards.forEach((card, at) => all.set(from + at, card))
      if (all.size > maxKept) {
        const middle = this.#scroll.firstCard()
        for (const index of all.keys()) if (Math.abs(index - middle) > maxKept / 2) all.delete(index)
      }
      set({ cards: all })
      this.#options.onCards(cards)
      if (version !== get().overview?.version) this.refreshSoon()
    } catch (error) {
      this.#requestedPages.delete(key)
      if (own === this.#queries) showFault(this.#library, error)
    }
  }
}
