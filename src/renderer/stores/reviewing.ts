import {
  type Bookmark,
  type Breakpoint,
  type BreakpointRule,
  maxBookmarks,
  maxBreakpoints,
  maxNote,
  maxTextBreakpoints,
  type PlaceInRun,
  type Review
} from '#core/replay/review.ts'
import { Breakpoints, searchesText } from './breakpoints.ts'
import type { LogAccess } from './log-access.ts'
import { type FoundPlace, PlaceRows } from './place-rows.ts'
import { lineOfRow } from './resume.ts'
import { ReviewSync } from './review-sync.ts'
import { TodoReaches } from './todo-reaches.ts'
import type { UnsentReview } from './unsent-review.ts'

/** The review of a log, and its state in the page. */
export interface ReviewState extends Review {
  /** `loading`: changes wait. `failed`: it could not be read; changes are refused, because they would overwrite it. */
  readonly phase: 'loading' | 'ready' | 'failed'
  /** The read or write error; null for none. */
  readonly error: string | null
  /** The bookmark whose note is edited; null for none. */
  readonly editedNote: string | null
  /** The last removal, which can be undone. */
  readonly removed: { readonly what: 'bookmark' | 'breakpoint'; readonly before: Partial<Review> } | null
}

export interface ReviewingState {
  readonly review: ReviewState
  /** Number of changes of the rows of bookmarks and breakpoints. */
  readonly reviewVersion: number
}

export const noReview: ReviewState = {
  ...{ bookmarks: [], breakpoints: [], phase: 'loading' as const },
  ...{ error: null, editedNote: null, removed: null }
}

/** Bookmarks and breakpoints of a log: their rows, and the person's actions. */
export class Reviewing {
  /** The rows of the breakpoints. */
  readonly breakpoints: Breakpoints
  readonly #log: LogAccess<ReviewingState>
  readonly #sync: ReviewSync
  readonly #places: PlaceRows
  readonly #todoReaches: TodoReaches
  /** Actions of the person before the review was loaded. */
  readonly #early: (() => void)[] = []
  /** The bookmarks' rows, ascending, and the bookmark of each; computed on demand. */
  #bookmarked: { readonly rows: Uint32Array; readonly at: ReadonlyMap<number, Bookmark> } | null = null

  constructor(log: LogAccess<ReviewingState>, unsent: UnsentReview) {
    this.#log = log
    const { host, id, columns, todos } = log
    this.#places = new PlaceRows(columns)
    const onChange = () => this.#onRowsChanged()
    this.#todoReaches = new TodoReaches(todos, onChange)
    this.breakpoints = new Breakpoints({
      host,
      id,
      columns,
      places: this.#places,
      todoReaches: this.#todoReaches,
      status: () => log.get().status,
      review: () => log.get().review,
      onChange
    })
    this.#sync = new ReviewSync(host, id, unsent, {
      onReview: (review) => {
        this.#set({ ...review, phase: 'ready', error: null })
        for (const action of this.#early.splice(0)) action()
      },
      onReadError: (error) => this.#set({ phase: 'failed', error }),
      onWriteError: (error) => this.#set({ error }),
      onWritten: () => {
        if (this.#review.error !== null) this.#set({ error: null })
      }
    })
  }

  /** Loads the review. */
  load(): void {
    void this.#sync.load()
  }

  /** Loads it again, because notices were missed while the connection was lost. */
  reload(): void {
    this.load()
    this.breakpoints.searchAgain()
  }

  /** Shows the previous generation's review until its own is loaded. */
  resumeFrom({ bookmarks, breakpoints, phase }: ReviewState): void {
    if (this.#review.phase === 'loading' && phase === 'ready') this.#set({ bookmarks, breakpoints })
  }

  bookmarkAt(row: number): Bookmark | null {
    return this.#bookmarkRows.at.get(row) ?? null
  }

  /** The rows with a bookmark, ascending; valid until `reviewVersion` changes. */
  get bookmarkedRows(): Uint32Array {
    return this.#bookmarkRows.rows
  }

  placeOf(place: PlaceInRun): FoundPlace {
    const { columns } = this.#log
    const { status } = this.#log.get()
    return this.#places.find(place, status.phase !== 'reading' && columns.rows >= status.rows)
  }

  /** The first bookmark, and the first enabled breakpoint, in rows `from` to `to` (exclusive). */
  flagsIn(from: number, to: number): { readonly bookmark: Bookmark | null; readonly breakpoint: Breakpoint | null } {
    const marked = this.#bookmarkRows.rows.find((row) => row >= from && row < to)
    const place = this.breakpoints.firstIn(from, to)
    return {
      bookmark: marked === undefined ? null : this.bookmarkAt(marked),
      breakpoint: this.#review.breakpoints.find(({ id }) => id === place?.id) ?? null
    }
  }

  nextBookmark(row: number, direction: 1 | -1, passes: (row: number) => boolean): number {
    const { rows } = this.#bookmarkRows
    const found =
      direction > 0 ? rows.find((at) => at > row && passes(at)) : rows.findLast((at) => at < row && passes(at))
    return found ?? -1
  }

  /** Adds a bookmark at `row` and opens its note, or removes the one that is there. */
  toggleBookmark(row: number): void {
    if (this.#isEarly(() => this.toggleBookmark(row))) return
    const known = this.bookmarkAt(row)
    if (known !== null) return this.removeBookmark(known.id)
    const place = this.#placeAt(row)
    if (place === null) return
    const { bookmarks } = this.#review
    if (bookmarks.length >= maxBookmarks)
      return this.#refuse(`A log has at most ${maxBookmarks} bookmarks. Remove one first.`)
    const id = newId()
    this.#change({ bookmarks: [...bookmarks, { id, place, note: '' }] })
    this.openNote(id)
    void this.#loadText(place, row)
  }

  openNote(id: string): void {
    this.#set({ editedNote: id })
  }

  closeNote(): void {
    this.#set({ editedNote: null })
  }

  setNote(id: string, note: string): void {
    const { bookmarks } = this.#review
    const text = note.trim().slice(0, maxNote)
    if (bookmarks.find((each) => each.id === id)?.note === text) return
    this.#change({ bookmarks: bookmarks.map((each) => (each.id === id ? { ...each, note: text } : each)) })
  }

  removeBookmark(id: string): void {
    const { bookmarks } = this.#review
    this.#change({ bookmarks: bookmarks.filter((each) => each.id !== id) }, { what: 'bookmark', before: { bookmarks } })
  }

  /** `stops` false: its rows are listed, and playback does not stop there. */
  addBreakpoint(rule: BreakpointRule, stops = true): void {
    if (this.#isEarly(() => this.addBreakpoint(rule, stops))) return
    const { breakpoints } = this.#review
    if (breakpoints.length >= maxBreakpoints) {
      return this.#refuse(`A log has at most ${maxBreakpoints} breakpoints. Remove one first.`)
    }
    this.#setBreakpoints([...breakpoints, { id: newId(), enabled: true, rule, ...(!stops && { stops }) }])
  }

  /** Adds a breakpoint at `row`, or removes the one that is there. */
  toggleBreakpointHere(row: number): void {
    if (this.#isEarly(() => this.toggleBreakpointHere(row))) return
    const isHere = ({ rule }: Breakpoint) => rule.type === 'place' && this.placeOf(rule.place).row === row
    const known = this.#review.breakpoints.find(isHere)
    const place = this.#placeAt(row)
    if (known !== undefined) this.removeBreakpoint(known.id)
    else if (place !== null) {
      this.addBreakpoint({ type: 'place', place })
      void this.#loadText(place, row)
    }
  }

  editBreakpoint(id: string, change: Partial<Omit<Breakpoint, 'id'>>): void {
    const { breakpoints } = this.#review
    this.#setBreakpoints(breakpoints.map((each) => (each.id === id ? { ...each, ...change } : each)))
  }

  removeBreakpoint(id: string): void {
    const { breakpoints } = this.#review
    const kept = breakpoints.filter((each) => each.id !== id)
    this.#change({ breakpoints: kept }, { what: 'breakpoint', before: { breakpoints } })
  }

  undoRemove(): void {
    const { removed } = this.#review
    if (removed !== null) this.#change(removed.before)
  }

  dismissError(): void {
    this.#set({ error: null })
  }

  onStatus(): void {
    this.#bookmarked = null
  }

  /** Rows from `row` on are new. `replaced`: some of them replace earlier ones. */
  onGrown(row: number, replaced: boolean): void {
    this.#places.onGrown(row)
    this.breakpoints.onGrown(row, replaced)
    this.#bookmarked = null
  }

  dispose(): void {
    this.#sync.dispose()
    this.breakpoints.dispose()
    this.#todoReaches.dispose()
  }

  get #review(): ReviewState {
    return this.#log.get().review
  }

  get #bookmarkRows(): { readonly rows: Uint32Array; readonly at: ReadonlyMap<number, Bookmark> } {
    if (this.#bookmarked !== null) return this.#bookmarked
    const at = new Map<number, Bookmark>()
    for (const bookmark of this.#review.bookmarks) {
      const { state, row } = this.placeOf(bookmark.place)
      if (state === 'there') at.set(row, bookmark)
    }
    this.#bookmarked = { rows: Uint32Array.from(at.keys()).toSorted(), at }
    return this.#bookmarked
  }

  /** While the review is loaded, `action` waits: it would overwrite it. A key right after opening counts. */
  #isEarly(action: () => void): boolean {
    const isEarly = this.#review.phase === 'loading'
    if (isEarly) this.#early.push(action)
    return isEarly
  }

  #placeAt(row: number): PlaceInRun | null {
    const { columns, summaries, get } = this.#log
    if (row < 0 || row >= columns.rows) return null
    const { file = null, line, ordinal } = lineOfRow(columns, get().status, row)
    const time = columns.time[row] ?? NaN
    const text = summaries.get(row)?.text.slice(0, 300) ?? ''
    return { file, line, ordinal, kind: columns.kindAt(row), time: Number.isNaN(time) ? null : time, text }
  }

  /** Enabled text breakpoints are limited, because each one is a search. */
  #setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    const searches = breakpoints.filter(({ enabled, rule }) => enabled && searchesText(rule))
    if (searches.length <= maxTextBreakpoints) return this.#change({ breakpoints: [...breakpoints] })
    this.#refuse(`At most ${maxTextBreakpoints} breakpoints can search for text at a time. Turn one off first.`)
  }

  /** A quick step may set a mark before the row's text is loaded. */
  async #loadText(place: PlaceInRun, row: number): Promise<void> {
    if (place.text !== '') return
    const { host, id } = this.#log
    const { rows } = await host.call('log.rows', { log: id, rows: [row] }).catch(() => ({ rows: [] }))
    const text = rows[0]?.text.slice(0, 300) ?? ''
    const named = { ...place, text }
    const { bookmarks, breakpoints } = this.#review
    if (text === '') return
    if (bookmarks.some((each) => each.place === place)) {
      this.#change({ bookmarks: bookmarks.map((each) => (each.place === place ? { ...each, place: named } : each)) })
    }
    if (breakpoints.some(({ rule }) => rule.type === 'place' && rule.place === place)) {
      const rule = { type: 'place' as const, place: named }
      const isIt = (each: Breakpoint) => each.rule.type === 'place' && each.rule.place === place
      this.#change({ breakpoints: breakpoints.map((each) => (isIt(each) ? { ...each, rule } : each)) })
    }
  }

  #refuse(error: string): void {
    this.#set({ error })
  }

  #change(change: Partial<Review>, removed: ReviewState['removed'] = null): void {
    // An unknown review would be overwritten.
    if (this.#review.phase !== 'ready') return
    this.#set({ ...change, removed, error: null })
    void this.#sync.send(change)
  }

  #set(change: Partial<ReviewState>): void {
    const { get, set } = this.#log
    const review = { ...this.#review, ...change }
    set({ review })
    if (change.bookmarks !== undefined || change.breakpoints !== undefined) {
      const places = review.breakpoints.flatMap(({ rule }) => (rule.type === 'place' ? [rule.place] : []))
      this.#places.setPlaces([...review.bookmarks.map(({ place }) => place), ...places], get().status)
    }
    if (change.breakpoints !== undefined) this.breakpoints.set(review.breakpoints)
    this.#onRowsChanged()
  }

  #onRowsChanged(): void {
    this.#bookmarked = null
    this.#log.set({ reviewVersion: this.#log.get().reviewVersion + 1 })
  }
}

function newId(): string {
  return crypto.randomUUID()
}
