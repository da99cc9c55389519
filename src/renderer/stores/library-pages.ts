import type { SessionCard } from '#core/library/session-card.ts'
import { queryNow } from './library-choice.ts'
import { showFault } from './library-faults.ts'
import { lineHeights } from './library-lines.ts'
import { linesOf } from './library-listing.ts'
import type { LibraryScroll } from './library-scroll.ts'
import type { LibraryAccess, LibraryOverview } from './library-state.ts'

const pageSize = 100
/** Sessions that are kept around what is looked at. */
const mostKept = 3000
/** Beyond what is in view, what is asked for when sessions change: so many may come in at once and nothing moves. */
const around = 80
const mostAtOnce = 500
/** Between two refreshes. */
const paceMs = 250

interface PagesOptions {
  /** Cards have come, and stand in the list. */
  readonly onCards: (cards: readonly SessionCard[]) => void
  /** All that is in view is as it is now. */
  readonly onRefreshed: (cards: readonly SessionCard[]) => void
  /** Which projects there are is known from now on, and was not when the choice was read. */
  readonly onProjects: () => void
}

/** Brings here the sessions that a choice lists, as far as they are looked at. */
export class LibraryPages {
  readonly #library: LibraryAccess
  readonly #scroll: LibraryScroll
  readonly #options: PagesOptions
  /** Counts what was asked for: answers to what nobody asks for any more are dropped. */
  #asked = 0
  #isShown = false
  #isRefreshing = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #pagesAsked = new Set<string>()

  constructor(library: LibraryAccess, scroll: LibraryScroll, options: PagesOptions) {
    this.#library = library
    this.#scroll = scroll
    this.#options = options
  }

  /** The list is looked at, or no longer: then nothing is asked for. */
  setShown(isShown: boolean): void {
    this.#isShown = isShown
    if (isShown) void (this.#library.get().overview === null ? this.load() : this.refresh())
  }

  /** Another choice: from the top, as soon as it is here. */
  async load(keepPlace = false): Promise<void> {
    const own = ++this.#asked
    const { host, get, set } = this.#library
    const query = queryNow(get())
    try {
      const [overview, { cards }] = await Promise.all([
        host.call('library.overview', { query }),
        host.call('library.cards', { query, from: 0, count: pageSize })
      ])
      if (own !== this.#asked) return
      const needsProjects = get().overview === null && get().choice.text !== ''
      set({ newer: 0, fault: null })
      this.#show(overview, 0, cards)
      if (!keepPlace) this.#scroll.put(0)
      this.#options.onCards(cards)
      // Until now the names of `project:` could not be resolved.
      if (needsProjects) this.#options.onProjects()
    } catch (error) {
      if (own === this.#asked) showFault(this.#library, error)
    }
  }

  /** What is there now, with what is in view where it is. */
  async refresh(): Promise<void> {
    if (!this.#isShown) return
    if (this.#isRefreshing) return this.refreshSoon()
    const { host, get } = this.#library
    if (get().overview === null) return await this.load()
    this.#isRefreshing = true
    const own = this.#asked
    const query = queryNow(get())
    const from = Math.max(0, this.#scroll.firstCard() - around)
    const count = Math.min(mostAtOnce, Math.ceil(this.#scroll.height / lineHeights.card) + 2 * around)
    try {
      const [overview, { cards, version }] = await Promise.all([
        host.call('library.overview', { query }),
        host.call('library.cards', { query, from, count })
      ])
      if (own !== this.#asked) return
      this.#showRefreshed(overview, from, cards)
      if (version !== overview.version) this.refreshSoon()
    } catch (error) {
      if (own === this.#asked) showFault(this.#library, error)
    } finally {
      this.#isRefreshing = false
    }
  }

  /** Sessions change many times a second while they are read. */
  refreshSoon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.refresh()
    }, paceMs)
  }

  /** What is in view and not here is asked for. */
  fetchMissing(): void {
    const pages = new Set(this.#scroll.missingCards().map((index) => Math.floor(index / pageSize)))
    for (const page of pages) void this.#fetch(page)
  }

  /** The sessions at these places of the query, whether they are here or not. */
  async cardsAt(indexes: readonly number[]): Promise<SessionCard[]> {
    const { host, get } = this.#library
    const here = new Map(get().cards)
    const missing = indexes.filter((index) => !here.has(index))
    if (missing.length > 0) {
      const from = Math.min(...missing)
      const count = Math.min(mostAtOnce, Math.max(...missing) - from + 1)
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
    this.#pagesAsked.clear()
    set({ overview, cards: new Map(cards.map((card, at) => [from + at, card])) })
    set({ lines: linesOf(get()) })
  }

  async #fetch(page: number): Promise<void> {
    const own = this.#asked
    const { host, get, set } = this.#library
    const key = `${own} ${get().overview?.version ?? 0} ${page}`
    if (this.#pagesAsked.has(key)) return
    this.#pagesAsked.add(key)
    try {
      const query = queryNow(get())
      const from = page * pageSize
      const { cards, version } = await host.call('library.cards', { query, from, count: pageSize })
      if (own !== this.#asked) return
      const all = new Map(get().cards)
      cards.forEach((card, at) => all.set(from + at, card))
      if (all.size > mostKept) {
        const middle = this.#scroll.firstCard()
        for (const index of all.keys()) if (Math.abs(index - middle) > mostKept / 2) all.delete(index)
      }
      set({ cards: all })
      this.#options.onCards(cards)
      if (version !== get().overview?.version) this.refreshSoon()
    } catch (error) {
      this.#pagesAsked.delete(key)
      if (own === this.#asked) showFault(this.#library, error)
    }
  }
}
