import { createStore, type StoreApi } from 'zustand'
import type { LibraryStatus, TypedLog } from '#contract/library.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { Query } from '#core/query/query.ts'
import { firstChoice, type LibraryChoice, queryNow, searchOf, type SessionSort } from './library-choice.ts'
import { attempt } from './library-faults.ts'
import { LibraryFind } from './library-find.ts'
import { GroupedLines } from './library-lines.ts'
import { linesOf } from './library-listing.ts'
import { LibraryPages } from './library-pages.ts'
import { LibraryPreview } from './library-preview.ts'
import { LibraryScroll } from './library-scroll.ts'
import { LibrarySelection } from './library-selection.ts'
import type { LibraryAccess, LibraryValues } from './library-state.ts'
import { LibraryTitles } from './library-titles.ts'

const watchEveryMs = 30_000
/** After this time a word that may become a key is taken for a text. */
const begunPauseMs = 700

export interface LibraryState extends LibraryValues {
  readonly selection: LibrarySelection
  readonly scroll: LibraryScroll
  readonly find: LibraryFind

  /** Asks the host for the state of the library. Hosts without one have none. */
  connect(): Promise<void>
  /** Whether the library is visible. */
  setShown(shown: boolean): void
  /** `isBegun`: a word was begun that may become a key, so what is listed stays for a moment. */
  choose(change: Partial<LibraryChoice>, isBegun?: boolean): void
  /** Replaces the query. */
  ask(query: Query | null): void
  /** Sorts by a column; again: reverses the order. */
  sortBy(sort: SessionSort): void
  /** Clears the search field and restores the list's scroll position. */
  endSearch(): void
  pause(isPaused: boolean): Promise<void>
  lookAgain(): Promise<void>
  /** The logs that a typed text may mean. Rejects with advice if there are none. */
  resolve(text: string): Promise<readonly TypedLog[]>
  /** Resolves to the error; null for none. */
  addFolder(path: string): Promise<string | null>
  removeFolder(path: string): Promise<void>
  /** Resolves to the error; null for none. */
  reveal(session: string): Promise<string | null>
  dismissFault(): void
  /** Loads the titles of these logs' sessions. */
  loadTitles(paths: readonly string[]): void
}

export type LibraryStore = StoreApi<LibraryState>

/** All sessions on this machine. */
export function createLibraryStore(host: Host): LibraryStore {
  return createStore<LibraryState>((set, get) => {
    const library: LibraryAccess = { host, get, set }
    const find = new LibraryFind(host, onSearch)
    const titles = new LibraryTitles(library)
    const preview = new LibraryPreview(library)
    const scroll = new LibraryScroll(library, () => pages.fetchMissing())
    const pages = new LibraryPages(library, scroll, {
      onCards(cards) {
        titles.update(cards)
        selection.place()
        selection.arrive()
      },
      onRefreshed(cards) {
        preview.refresh(cards)
        find.refresh()
        titles.reload()
      }
    })
    const selection = new LibrarySelection(library, { scroll, pages, preview, find })
    let isShown = false
    /** The list's scroll position before the search. */
    let offsetBefore = 0
    let watchTimer: ReturnType<typeof setInterval> | undefined
    let begunTimer: ReturnType<typeof setTimeout> | undefined
    /** The query of the list, as text. */
    let listed = JSON.stringify(queryNow({ choice: firstChoice, query: null }))
    host.on('library.changed', onStatus)

    function onStatus(status: LibraryStatus): void {
      const known = get().status
      set({ status, presence: 'there' })
      if (!isShown) return
      if (known?.phase !== status.phase || known.done !== status.done) setLines()
      if (status.version !== get().overview?.version) pages.refreshSoon()
    }

    function setLines(): void {
      set({ lines: linesOf(get()) })
    }

    /** Lists and searches for what is chosen; of a text that is no query, for what was chosen before. */
    function apply(): void {
      clearTimeout(begunTimer)
      const { query, error } = parseQuery(get().choice.text, 'sessions')
      set({ queryError: error, ...(error === null && { query }) })
      if (get().presence !== 'there') return
      find.search(searchOf(get().query))
      const wanted = JSON.stringify(queryNow(get()))
      if (wanted !== listed) void pages.load()
      listed = wanted
    }

    /** The results replace the list, which later returns to its scroll position. */
    function onSearch(): void {
      const was = get().search
      const isBegun = was === null && find.state !== null
      const isEnded = was !== null && find.state === null
      if (isBegun) offsetBefore = scroll.offset
      set({ search: find.state })
      setLines()
      if (isBegun) scroll.put(0)
      if (isEnded) scroll.put(offsetBefore)
      selection.place()
      titles.update(find.state?.named?.cards ?? [])
    }

    /** Shows an error; false if there was one. */
    async function tried(call: () => Promise<unknown>): Promise<boolean> {
      const fault = await attempt(call)
      if (fault !== null) set({ fault })
      return fault === null
    }

    return {
      presence: 'unknown',
      status: null,
      choice: firstChoice,
      overview: null,
      cards: new Map(),
      closed: new Set(),
      lines: new GroupedLines([], new Set(), { heads: true, bars: 0 }),
      search: null,
      query: null,
      queryError: null,
      cursor: null,
      chosen: new Map(),
      preview: null,
      place: { offset: 0 },
      newer: 0,
      fault: null,
      titles: new Map(),
      ...{ selection, scroll, find },

      async connect() {
        try {
          const status = await host.call('library.status', {})
          set({ presence: 'there' })
          onStatus(status)
          apply()
          void pages.refresh()
          find.searchAgain()
          titles.reloadAll()
        } catch (error) {
          if (error instanceof HostError && error.code === 'unavailable') set({ presence: 'none' })
          else if (!(error instanceof HostError && error.code === 'closed')) {
            set({ presence: 'there', fault: messageOf(error) })
          }
        }
      },
      setShown(now) {
        isShown = now
        clearInterval(watchTimer)
        const watch = () => void host.call('library.watch', { isShown: now }).catch(() => {})
        watch()
        if (now) watchTimer = setInterval(watch, watchEveryMs)
        pages.setShown(now)
      },
      choose(change, isBegun = false) {
        set({ choice: { ...get().choice, ...change }, chosen: new Map() })
        if (!isBegun) return apply()
        set({ queryError: null })
        clearTimeout(begunTimer)
        begunTimer = setTimeout(apply, begunPauseMs)
      },
      ask: (query) => get().choose({ text: printQuery(query) }),
      sortBy(sort) {
        const { choice } = get()
        get().choose(choice.sort === sort ? { descending: !choice.descending } : { sort, descending: sort !== 'title' })
      },
      endSearch: () => get().choose({ text: '' }),
      async pause(isPaused) {
        const done = await tried(() => host.call('library.pause', { isPaused }))
        const { status } = get()
        if (done && status !== null) set({ status: { ...status, isPaused } })
      },
      async lookAgain() {
        const done = await tried(() => host.call('library.lookAgain', {}))
        if (done && get().overview === null) await pages.load()
      },
      resolve: async (text) => (await host.call('library.resolve', { text })).logs,
      addFolder: async (path) => await attempt(() => host.call('library.addFolder', { path })),
      async removeFolder(path) {
        await tried(() => host.call('library.removeFolder', { path }))
      },
      reveal: async (session) => await attempt(() => host.call('library.reveal', { session })),
      dismissFault: () => set({ fault: null }),
      loadTitles: (paths) => titles.load(paths)
    }
  })
}
