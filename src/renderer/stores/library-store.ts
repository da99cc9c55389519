import { createStore, type StoreApi } from 'zustand'
import type { LibraryFacets, LibraryHit, LibraryStatus, SessionGroup } from '#contract/library.ts'
import { HostError, type Host, type Result } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import { filterOf, firstChoice, type LibraryChoice, queryOf, searchOf, type SessionSort } from './library-choice.ts'
import { LibraryFind, type LibrarySearch, linesOfSearch } from './library-find.ts'
import { parseSearch } from './search-terms.ts'
import {
  GroupedLines,
  keyOfLine,
  lineHeights,
  type LibraryLine,
  type LibraryLines,
  ListedLines
} from './library-lines.ts'

export interface LibraryOverview {
  readonly version: number
  readonly total: number
  readonly groups: readonly SessionGroup[]
  readonly facets: LibraryFacets
}

/** What the keys act on: a session, one of its hits, or what can be opened in the list. */
export interface LibraryCursor {
  readonly key: string
  /** Where it is, or was last seen; -1: it is not in the list. */
  readonly line: number
  /** The session it is of. */
  readonly card: SessionCard | null
  readonly hit: LibraryHit | null
}

export interface ShownPreview {
  readonly card: SessionCard
  /** Null: on its way. */
  readonly told: Result<'library.session'> | null
  readonly error: string | null
}

/** Where the list is scrolled to from here. Another object each time. */
export interface ListPlace {
  readonly offset: number
}

export interface LibraryState {
  /** Whether the host has a library; `unknown`: it has not answered. */
  presence: 'unknown' | 'there' | 'none'
  status: LibraryStatus | null
  choice: LibraryChoice
  /** Null: not known so far. */
  overview: LibraryOverview | null
  /** By their places in the query, those that are here. */
  cards: ReadonlyMap<number, SessionCard>
  /** Keys of groups of which only the head is shown. */
  closed: ReadonlySet<string>
  lines: LibraryLines
  search: LibrarySearch | null
  /** What is wrong with what is typed, sentences. */
  searchProblems: readonly string[]
  cursor: LibraryCursor | null
  /** Several sessions that were selected, by their ids; empty where it is the one at the cursor. */
  chosen: ReadonlyMap<string, SessionCard>
  preview: ShownPreview | null
  place: ListPlace
  /** Sessions that came in above what is in view. */
  newer: number
  /** What was asked last and failed, a sentence. */
  fault: string | null
  /** Titles of sessions, by the paths of their logs; null: it has none that is known. */
  titles: ReadonlyMap<string, string | null>

  /** Asks whether there is a library, and how far it is. */
  meet(): Promise<void>
  /** It is looked at, or no longer. */
  setShown(shown: boolean): void
  choose(change: Partial<LibraryChoice>): void
  /** A column's head was clicked: sorts by it, or the other way round. */
  sortBy(sort: SessionSort): void
  /** What is typed is forgotten, and the list is where it was. */
  endSearch(): void
  stopSearch(): void
  toggleGroup(key: string): void
  /** The list is scrolled to here, and so high. */
  see(offset: number, height: number): void
  /** To the line `by` lines on of those that can be selected; `extend`: what lies between is selected with it. */
  move(by: number, extend?: boolean): void
  moveByPage(pages: 1 | -1): void
  /** To the first or the last line. */
  moveToEnd(end: 'first' | 'last'): void
  moveByGroup(by: 1 | -1): void
  /** `add`: this one as well, or no longer. `range`: all from the cursor to here. */
  select(line: number, how?: { add?: boolean; range?: boolean }): void
  clearChosen(): void
  /** The group of the cursor; it goes to its head. */
  closeGroup(): void
  /** What stands at the cursor and can be opened in the list: a closed group, or more hits. False: it is a session or a hit. */
  openInList(): boolean
  showMore(line: LibraryLine): void
  /** Up to what came in above. */
  showNewer(): void
  pause(isPaused: boolean): Promise<void>
  lookAgain(): Promise<void>
  /** The logs that a person may mean by what they typed. Rejects where it means none, with what to do. */
  resolve(text: string): Promise<Result<'library.resolve'>['logs']>
  /** Gives why it cannot; null where it can. */
  addFolder(path: string): Promise<string | null>
  removeFolder(path: string): Promise<void>
  /** Gives why it cannot; null where it can. */
  reveal(session: string): Promise<string | null>
  dismissFault(): void
  /** Asks what the sessions of these logs are called. */
  wantTitles(paths: readonly string[]): void
}

export type LibraryStore = StoreApi<LibraryState>

const pageSize = 100
/** Sessions that are kept around what is looked at. */
const mostKept = 3000
/** Beyond what is in view, what is asked for when sessions change: so many may come in at once and nothing moves. */
const around = 80
/** Between two looks at what has changed, in ms. */
const pace = 250
const watchEvery = 30_000
const previewAfter = 90
const mostBars = 8
const mostInRange = 200
const titlesAfter = 50
const mostSearchedTitles = 100
/** Titles that were not known are asked for again, when sessions have changed, in ms. */
const titlesAgainAfter = 5000
/** The same choice, which may mean something else now. */
const nothingNew: Partial<LibraryChoice> = {}

export function createLibraryStore(host: Host): LibraryStore {
  return createStore<LibraryState>((set, get) => {
    const find = new LibraryFind(host, () => takeSearch())
    /** Counts what was asked for: answers to what nobody asks for any more are dropped. */
    let asked = 0
    let shown = false
    let view = { offset: 0, height: 0 }
    /** Where the list was before something was searched for. */
    let before: { offset: number; cursor: LibraryCursor | null } | null = null
    let watchTimer: ReturnType<typeof setInterval> | undefined
    let refreshTimer: ReturnType<typeof setTimeout> | undefined
    let previewTimer: ReturnType<typeof setTimeout> | undefined
    let titleTimer: ReturnType<typeof setTimeout> | undefined
    let refreshing = false
    /** A line that the cursor goes to when its session is here. */
    let awaited: number | null = null
    /** Where a range of selected sessions begins. */
    let rangeFrom: number | null = null
    let titlesAskedAt = 0
    const pagesAsked = new Set<string>()
    const titlesWanted = new Set<string>()
    host.on('library.changed', hear)

    function hear(status: LibraryStatus): void {
      const known = get().status
      set({ status, presence: 'there' })
      if (!shown) return
      if (known?.phase !== status.phase || known.done !== status.done) setLines()
      if (status.version !== get().overview?.version) refreshSoon()
    }

    function refreshSoon(): void {
      refreshTimer ??= setTimeout(() => {
        refreshTimer = undefined
        if (shown) void refresh()
      }, pace)
    }

    function filterNow(): { words: string; filter: SessionFilter; problems: string[] } {
      const { choice, overview } = get()
      const projects = overview?.facets.projects.map(({ project }) => project) ?? []
      const { words, meaning } = searchOf(choice, projects, Date.now())
      return { words, filter: filterOf(choice, meaning), problems: meaning.problems.map(({ message }) => message) }
    }

    /** Another choice: from the top, as soon as it is here. */
    async function load(keepPlace = false): Promise<void> {
      const own = ++asked
      const query = queryOf(get().choice, filterNow().filter)
      try {
        const [overview, { cards }] = await Promise.all([
          host.call('library.overview', { query }),
          host.call('library.cards', { query, from: 0, count: pageSize })
        ])
        if (own !== asked) return
        pagesAsked.clear()
        const needsProjects = get().overview === null && get().choice.text !== ''
        set({ overview, cards: numbered(cards, 0), newer: 0, fault: null })
        learnTitles(cards)
        setLines()
        if (!keepPlace) set({ place: { offset: 0 } })
        placeCursor()
        // What `project:` names could not be told before.
        if (needsProjects) get().choose(nothingNew)
      } catch (error) {
        if (own === asked) fail(error)
      }
    }

    /** What is there now, with what is in view where it is. */
    async function refresh(): Promise<void> {
      if (refreshing) return refreshSoon()
      const { overview: known, choice } = get()
      if (known === null) return await load()
      refreshing = true
      const own = asked
      const query = queryOf(choice, filterNow().filter)
      const first = firstCardInView()
      const from = Math.max(0, first - around)
      const count = Math.min(500, Math.ceil(view.height / lineHeights.card) + 2 * around)
      try {
        const [overview, { cards, version }] = await Promise.all([
          host.call('library.overview', { query }),
          host.call('library.cards', { query, from, count })
        ])
        if (own !== asked) return
        takeRefreshed(overview, from, cards)
        if (version !== overview.version) refreshSoon()
        find.refresh()
        askTitlesAgain()
      } catch (error) {
        if (own === asked) fail(error)
      } finally {
        refreshing = false
      }
    }

    function takeRefreshed(overview: LibraryOverview, from: number, cards: readonly SessionCard[]): void {
      const state = get()
      const isSearch = state.search !== null
      const anchors = isSearch || isAtTop() ? [] : anchorsInView()
      const grown = overview.total - (state.overview?.total ?? 0)
      pagesAsked.clear()
      set({ overview, cards: numbered(cards, from) })
      learnTitles(cards)
      setLines()
      if (isSearch) return
      const places = new Map(cards.map(({ id }, at) => [id, from + at]))
      for (const { id, y } of anchors) {
        const index = places.get(id)
        const line = index === undefined ? -1 : get().lines.lineOfCard(index)
        if (line < 0) continue
        const offset = get().lines.topOf(line) - y
        if (offset !== view.offset) {
          view = { ...view, offset }
          set({ place: { offset } })
          if (grown > 0) set({ newer: get().newer + grown })
        }
        break
      }
      placeCursor()
      refreshPreview(cards)
      get().see(view.offset, view.height)
    }

    /** Whoever looks at the very top, and has selected nothing there, sees what comes. */
    function isAtTop(): boolean {
      const { cursor } = get()
      return view.offset <= 0 && (cursor === null || cursor.line <= get().lines.headOf(0) + 1)
    }

    /** Sessions in view and how far below the top they are: the selected one first. */
    function anchorsInView(): { id: string; y: number }[] {
      const { lines, cards, cursor } = get()
      const found: { id: string; y: number }[] = []
      for (let line = lines.lineAt(view.offset); line < lines.count; line++) {
        const y = lines.topOf(line) - view.offset
        if (y > view.height) break
        const shownLine = lines.get(line)
        const card = shownLine?.kind === 'card' ? cards.get(shownLine.index) : undefined
        if (card !== undefined && y >= 0) found.push({ id: card.id, y })
      }
      const own = found.findIndex(({ id }) => id === cursor?.card?.id)
      return own > 0 ? [found[own]!, ...found.toSpliced(own, 1)] : found
    }

    function firstCardInView(): number {
      const { lines } = get()
      for (let line = lines.lineAt(view.offset); line < lines.count; line++) {
        const shownLine = lines.get(line)
        if (shownLine?.kind === 'card') return shownLine.index
      }
      return 0
    }

    function setLines(): void {
      const { overview, closed, choice, search, status } = get()
      if (search !== null) return set({ lines: new ListedLines(linesOfSearch(search)) })
      const options = { heads: choice.sort === 'last', bars: barsOf(status, overview) }
      set({ lines: new GroupedLines(overview?.groups ?? [], closed, options) })
    }

    function takeSearch(): void {
      const was = get().search
      set({ search: find.state })
      if (was === null && find.state !== null) {
        before = { offset: view.offset, cursor: get().cursor }
        view = { ...view, offset: 0 }
        set({ place: { offset: 0 } })
      } else if (was !== null && find.state === null && before !== null) {
        const { offset } = before
        view = { ...view, offset }
        before = null
        setLines()
        set({ place: { offset } })
      }
      setLines()
      placeCursor()
      learnTitles(find.state?.named?.cards ?? [])
    }

    /** The cursor stays on what it is on, wherever that is now. */
    function placeCursor(): void {
      const { cursor, lines, cards } = get()
      if (cursor === null) return
      const idOf = (index: number) => cards.get(index)?.id
      const isHere = (line: number) => keyOfLine(lines.get(line), idOf) === cursor.key
      if (isHere(cursor.line)) return
      let line = -1
      if (get().search !== null) {
        for (let at = 0; at < lines.count && line < 0; at++) if (isHere(at)) line = at
      } else {
        for (const [index, { id }] of cards) if (`card:${id}` === cursor.key) line = lines.lineOfCard(index)
      }
      set({ cursor: { ...cursor, line } })
    }

    async function fetchPage(page: number): Promise<void> {
      const own = asked
      const key = `${own} ${get().overview?.version ?? 0} ${page}`
      if (pagesAsked.has(key)) return
      pagesAsked.add(key)
      try {
        const query = queryOf(get().choice, filterNow().filter)
        const from = page * pageSize
        const { cards, version } = await host.call('library.cards', { query, from, count: pageSize })
        if (own !== asked) return
        const all = new Map(get().cards)
        cards.forEach((card, at) => all.set(from + at, card))
        if (all.size > mostKept) {
          const middle = firstCardInView()
          for (const index of all.keys()) if (Math.abs(index - middle) > mostKept / 2) all.delete(index)
        }
        set({ cards: all })
        learnTitles(cards)
        placeCursor()
        if (awaited !== null && cursorAt(awaited) !== null) goTo(awaited)
        if (version !== get().overview?.version) refreshSoon()
      } catch (error) {
        pagesAsked.delete(key)
        if (own === asked) fail(error)
      }
    }

    function learnTitles(cards: readonly SessionCard[]): void {
      const { titles } = get()
      const news = cards.filter(({ path, title }) => titles.has(path) && titles.get(path) !== title)
      if (news.length === 0) return
      set({ titles: new Map([...titles, ...news.map(({ path, title }): [string, string | null] => [path, title])]) })
    }

    function cursorAt(line: number): LibraryCursor | null {
      const { lines, cards } = get()
      const at = lines.get(line)
      const key = keyOfLine(at, (index) => cards.get(index)?.id)
      if (key === null) return null
      const card =
        at?.kind === 'card' ? (cards.get(at.index) ?? null) : at !== undefined && 'card' in at ? at.card : null
      return { key, line, card, hit: at?.kind === 'hit' ? at.hit : null }
    }

    /** Puts the cursor on a line, and shows it; where its session is not here so far, as soon as it is. */
    function goTo(line: number): void {
      const cursor = cursorAt(line)
      awaited = cursor === null ? line : null
      reveal(line)
      if (cursor === null) return
      set({ cursor })
      showPreview(cursor.card)
    }

    function isStop(line: number): boolean {
      const at = get().lines.get(line)
      return at !== undefined && at.kind !== 'heading' && at.kind !== 'bar' && !(at.kind === 'group' && at.open)
    }

    /** The nearest line from `line` on that can be selected, in this direction; -1: there is none. */
    function stopFrom(line: number, toward: 1 | -1): number {
      let at = line
      while (at >= 0 && at < get().lines.count && !isStop(at)) at += toward
      return at < get().lines.count ? at : -1
    }

    /** Where the keys go on from. */
    function here(): number {
      const { cursor } = get()
      return awaited ?? cursor?.line ?? -1
    }

    /** A line comes into view, no further than needed; below the head that stays above it. */
    function reveal(line: number): void {
      const { lines } = get()
      const top = lines.topOf(line)
      const height = lineHeights[lines.get(line)?.kind ?? 'card']
      const head = lines.headOf(line)
      const above = head >= 0 && head !== line ? lineHeights.group : 0
      // With the first session of a group its head is shown, too.
      const from = head === line - 1 ? lines.topOf(head) : top - above
      if (from < view.offset) scrollTo(from)
      else if (top + height > view.offset + view.height) scrollTo(top + height - view.height)
    }

    function scrollTo(offset: number): void {
      view = { ...view, offset: Math.max(0, offset) }
      set({ place: { offset: view.offset } })
      get().see(view.offset, view.height)
    }

    function showPreview(card: SessionCard | null): void {
      if (card === null) return
      if (get().preview?.card.id === card.id && get().preview?.told !== null) return
      clearTimeout(previewTimer)
      set({ preview: { card, told: null, error: null } })
      previewTimer = setTimeout(() => void loadPreview(card), previewAfter)
    }

    async function loadPreview(card: SessionCard): Promise<void> {
      let told: ShownPreview['told'] = null
      let error: string | null = null
      try {
        told = await host.call('library.session', { session: card.id })
      } catch (thrown) {
        error = messageOf(thrown)
      }
      const { preview } = get()
      if (preview?.card.id !== card.id) return
      set({ preview: { card: told?.card ?? card, told: told ?? preview.told, error } })
    }

    /** What is previewed may have gone on. */
    function refreshPreview(cards: readonly SessionCard[]): void {
      const { preview, cursor } = get()
      const now = cards.find(({ id }) => id === preview?.card.id)
      if (preview === null || now === undefined) return
      if (cursor?.card?.id === now.id) set({ cursor: { ...cursor, card: now } })
      if (now.bytes !== preview.card.bytes || now.state !== preview.card.state) void loadPreview(now)
    }

    function fail(error: unknown): void {
      // What is lost with the connection is asked for again when it is back.
      if (error instanceof HostError && error.code === 'closed') return
      set({ fault: messageOf(error) })
    }

    async function attempt(call: () => Promise<unknown>): Promise<string | null> {
      try {
        await call()
        return null
      } catch (error) {
        return messageOf(error)
      }
    }

    /** The cards between two lines, as far as they are sessions. */
    async function cardsBetween(one: number, other: number): Promise<SessionCard[]> {
      const { lines, cards } = get()
      const found: SessionCard[] = []
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const missing: number[] = []
      for (let at = from; at <= to && found.length + missing.length < mostInRange; at++) {
        const line = lines.get(at)
        if (line?.kind === 'found') found.push(line.card)
        if (line?.kind !== 'card') continue
        const card = cards.get(line.index)
        if (card === undefined) missing.push(line.index)
        else found.push(card)
      }
      if (missing.length === 0) return found
      const first = missing[0] ?? 0
      const query = queryOf(get().choice, filterNow().filter)
      const count = Math.min(500, (missing.at(-1) ?? first) - first + 1)
      const more = await host.call('library.cards', { query, from: first, count })
      const wanted = new Set(missing)
      return [...found, ...more.cards.filter((_, at) => wanted.has(first + at))]
    }

    async function askTitles(): Promise<void> {
      titleTimer = undefined
      const paths = [...titlesWanted].slice(0, mostSearchedTitles)
      titlesWanted.clear()
      if (get().presence !== 'there') return
      for (const path of paths) {
        // A name without its folder: shorter than any limit, and in few paths.
        const text = path.split(/[\\/]/).at(-1) ?? path
        const query = { text: text.slice(0, 1000), sort: 'last' as const, descending: true, group: 'none' as const }
        try {
          const { cards } = await host.call('library.cards', { query, from: 0, count: 20 })
          const title = cards.find((card) => card.path === path)?.title ?? null
          if (get().titles.get(path) !== title) set({ titles: new Map(get().titles).set(path, title) })
        } catch {
          return // the name of the file stays
        }
      }
    }

    function askTitlesAgain(): void {
      if (Date.now() - titlesAskedAt < titlesAgainAfter) return
      titlesAskedAt = Date.now()
      get().wantTitles([...get().titles].filter(([, title]) => title === null).map(([path]) => path))
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
      searchProblems: [],
      cursor: null,
      chosen: new Map(),
      preview: null,
      place: { offset: 0 },
      newer: 0,
      fault: null,
      titles: new Map(),

      async meet() {
        try {
          const status = await host.call('library.status', {})
          set({ presence: 'there' })
          hear(status)
          if (shown) void refresh()
          get().wantTitles([...get().titles.keys()])
        } catch (error) {
          if (error instanceof HostError && error.code === 'unavailable') set({ presence: 'none' })
          else if (!(error instanceof HostError && error.code === 'closed')) {
            set({ presence: 'there', fault: messageOf(error) })
          }
        }
      },
      setShown(now) {
        shown = now
        clearInterval(watchTimer)
        const watch = () => void host.call('library.watch', { isShown: now }).catch(() => {})
        watch()
        if (!now) return
        watchTimer = setInterval(watch, watchEvery)
        void (get().overview === null ? load() : refresh())
      },
      choose(change) {
        const was = get().choice
        const choice = { ...was, ...change }
        set({ choice, chosen: new Map() })
        const { words, filter, problems } = filterNow()
        set({ searchProblems: problems })
        const { regex, caseSensitive } = choice
        find.want(words === '' ? null : { words, filter, regex, caseSensitive })
        // Words alone are the search's matter: the list below them stays as it is.
        if (listedBy(choice) !== listedBy(was) || change === nothingNew) void load(change === nothingNew)
      },
      sortBy(sort) {
        const { choice } = get()
        get().choose(choice.sort === sort ? { descending: !choice.descending } : { sort, descending: sort !== 'title' })
      },
      endSearch() {
        get().choose({ text: '' })
      },
      stopSearch: () => find.stop(),
      toggleGroup(key) {
        const closed = new Set(get().closed)
        if (!closed.delete(key)) closed.add(key)
        set({ closed })
        setLines()
        placeCursor()
        get().see(Math.min(view.offset, Math.max(0, get().lines.height - view.height)), view.height)
      },
      see(offset, height) {
        view = { offset, height }
        if (offset <= 0 && get().newer > 0) set({ newer: 0 })
        const { lines, cards, search } = get()
        if (search !== null || height <= 0) return
        const pages = new Set<number>()
        const last = lines.lineAt(offset + height)
        for (let line = lines.lineAt(offset); line <= last; line++) {
          const at = lines.get(line)
          if (at?.kind === 'card' && !cards.has(at.index)) pages.add(Math.floor(at.index / pageSize))
        }
        for (const page of pages) void fetchPage(page)
      },
      move(by, extend = false) {
        const { lines } = get()
        const toward = by > 0 ? 1 : -1
        const from = here()
        let line = from
        if (from < 0) line = stopFrom(lines.lineAt(view.offset), 1)
        else {
          for (let steps = Math.abs(by); steps > 0; steps--) {
            const next = stopFrom(line + toward, toward)
            if (next < 0) break
            line = next
          }
        }
        if (line < 0) return
        if (extend && from >= 0) return get().select(line, { range: true })
        get().clearChosen()
        goTo(line)
      },
      moveByPage(pages) {
        const { lines } = get()
        const from = here()
        const step = Math.max(lineHeights.card, view.height - lineHeights.card)
        const target = lines.lineAt(Math.max(0, (from < 0 ? view.offset : lines.topOf(from)) + pages * step))
        const line = stopFrom(target, pages) < 0 ? stopFrom(target, pages > 0 ? -1 : 1) : stopFrom(target, pages)
        if (line < 0) return
        get().clearChosen()
        goTo(line)
      },
      moveToEnd(end) {
        const line = end === 'first' ? stopFrom(0, 1) : stopFrom(get().lines.count - 1, -1)
        if (line < 0) return
        get().clearChosen()
        goTo(line)
        if (end === 'first') scrollTo(0)
      },
      moveByGroup(by) {
        const { lines } = get()
        const from = here() < 0 ? lines.lineAt(view.offset) : here()
        const own = lines.headOf(from)
        let head = own
        if (by > 0) for (head = from + 1; head < lines.count && lines.headOf(head) !== head;) head++
        // Back to the first of this group before going to the one above.
        else if (from <= own + 1) head = lines.headOf(own - 1)
        const line = stopFrom(head, 1)
        if (head < 0 || line < 0) return
        get().clearChosen()
        goTo(line)
      },
      select(line, { add = false, range = false } = {}) {
        const { cursor, chosen } = get()
        const next = cursorAt(line)
        if (next === null) return
        if (range && cursor !== null && cursor.line >= 0) {
          const anchor = (rangeFrom ??= cursor.line)
          goTo(line)
          cardsBetween(anchor, line).then(
            (cards) => set({ chosen: new Map(cards.map((card) => [card.id, card])) }),
            fail
          )
          return
        }
        rangeFrom = null
        if (add && next.card !== null) {
          const all = new Map(chosen)
          // The one that was selected before is one of them.
          if (all.size === 0 && cursor?.card != null) all.set(cursor.card.id, cursor.card)
          if (!all.delete(next.card.id)) all.set(next.card.id, next.card)
          set({ chosen: all })
        } else set({ chosen: new Map() })
        goTo(line)
      },
      clearChosen() {
        rangeFrom = null
        if (get().chosen.size > 0) set({ chosen: new Map() })
      },
      closeGroup() {
        const { lines, cursor } = get()
        const head = lines.headOf(cursor?.line ?? -1)
        const group = lines.get(head)
        if (cursor === null || cursor.line < 0 || group?.kind !== 'group' || !group.open) return
        get().toggleGroup(group.group.key)
        goTo(head)
      },
      openInList() {
        const { cursor, lines } = get()
        const line = lines.get(cursor?.line ?? -1)
        if (cursor === null || line === undefined || (line.kind !== 'group' && line.kind !== 'more')) return false
        get().showMore(line)
        if (line.kind === 'group') goTo(cursor.line + 1)
        return true
      },
      showMore(line) {
        if (line.kind === 'group') get().toggleGroup(line.group.key)
        else if (line.kind !== 'more') return
        else if (line.card === null) find.showMoreNamed()
        else void find.showMoreHits(line.card.id)
      },
      showNewer() {
        set({ newer: 0 })
        scrollTo(0)
      },
      async pause(isPaused) {
        const fault = await attempt(() => host.call('library.pause', { isPaused }))
        const { status } = get()
        if (fault !== null) set({ fault })
        else if (status !== null) set({ status: { ...status, isPaused } })
      },
      async lookAgain() {
        const fault = await attempt(() => host.call('library.lookAgain', {}))
        if (fault !== null) set({ fault })
        else if (get().overview === null) await load()
      },
      resolve: async (text) => (await host.call('library.resolve', { text })).logs,
      addFolder: async (path) => await attempt(() => host.call('library.addFolder', { path })),
      async removeFolder(path) {
        const fault = await attempt(() => host.call('library.removeFolder', { path }))
        if (fault !== null) set({ fault })
      },
      reveal: async (session) => await attempt(() => host.call('library.reveal', { session })),
      dismissFault: () => set({ fault: null }),
      wantTitles(paths) {
        const { titles, presence } = get()
        if (presence === 'none') return
        const unknown = paths.filter((path) => titles.get(path) == null)
        if (unknown.length === 0) return
        const missing = unknown.filter((path) => !titles.has(path))
        if (missing.length > 0) {
          set({ titles: new Map([...titles, ...missing.map((path): [string, null] => [path, null])]) })
        }
        for (const path of unknown) titlesWanted.add(path)
        titleTimer ??= setTimeout(() => void askTitles(), titlesAfter)
      }
    }
  })
}

/** What the list is made from, of a choice: words are looked for in another way. */
function listedBy(choice: LibraryChoice): string {
  const { view, agent, project, sort, descending, group, text } = choice
  const terms = parseSearch(text).terms.map(({ key, value }) => [key, value])
  return JSON.stringify([view, agent, project, sort, descending, group, terms])
}

/** How many sessions are shown as bars: those that are known and not read. */
function barsOf(status: LibraryStatus | null, overview: LibraryOverview | null): number {
  if (status === null || overview === null) return mostBars
  if (status.phase === 'looking') return status.lookedAt === null ? mostBars : 0
  return status.phase === 'cards' ? Math.max(0, Math.min(mostBars, status.all - status.done)) : 0
}

function numbered(cards: readonly SessionCard[], from: number): Map<number, SessionCard> {
  return new Map(cards.map((card, at) => [from + at, card]))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
