import { showFault } from './library-faults.ts'
import type { LibraryFind } from './library-find.ts'
import { keyOfLine, type LibraryLine, lineHeights } from './library-lines.ts'
import { linesOf } from './library-listing.ts'
import type { LibraryPages } from './library-pages.ts'
import type { LibraryPreview } from './library-preview.ts'
import type { LibraryScroll } from './library-scroll.ts'
import type { LibraryAccess, LibraryCursor } from './library-state.ts'
import type { SessionCard } from '#core/library/session-card.ts'

const maxInRange = 200

/** The selection in the list: the line at the cursor, and further selected sessions. */
export class LibrarySelection {
  readonly #library: LibraryAccess
  readonly #scroll: LibraryScroll
  readonly #pages: LibraryPages
  readonly #preview: LibraryPreview
  readonly #find: LibraryFind
  /** The line that the cursor moves to when its session is loaded. */
  #awaited: number | null = null
  /** The first line of a selected range. */
  #rangeFrom: number | null = null

  constructor(
    library: LibraryAccess,
    {
      scroll,
      pages,
      preview,
      find
    }: { scroll: LibraryScroll; pages: LibraryPages; preview: LibraryPreview; find: LibraryFind }
  ) {
    this.#library = library
    this.#scroll = scroll
    this.#pages = pages
    this.#preview = preview
    this.#find = find
  }

  /** Moves by `by` selectable lines. `extend`: selects the sessions between. */
  move(by: number, extend = false): void {
    const toward = by > 0 ? 1 : -1
    const from = this.#here
    let line = from
    if (from < 0) line = this.#stopFrom(this.#lines.lineAt(this.#scroll.offset), 1)
    else {
      for (let steps = Math.abs(by); steps > 0; steps--) {
        const next = this.#stopFrom(line + toward, toward)
        if (next < 0) break
        line = next
      }
    }
    if (extend && from >= 0 && line >= 0) this.select(line, { range: true })
    else this.#moveTo(line)
  }

  moveByPage(pages: 1 | -1): void {
    const { height, offset } = this.#scroll
    const from = this.#here
    const step = Math.max(lineHeights.card, height - lineHeights.card)
    const target = this.#lines.lineAt(Math.max(0, (from < 0 ? offset : this.#lines.topOf(from)) + pages * step))
    const line = this.#stopFrom(target, pages)
    this.#moveTo(line >= 0 ? line : this.#stopFrom(target, pages > 0 ? -1 : 1))
  }

  moveToEnd(end: 'first' | 'last'): void {
    const line = end === 'first' ? this.#stopFrom(0, 1) : this.#stopFrom(this.#lines.count - 1, -1)
    if (!this.#moveTo(line)) return
    if (end === 'first') this.#scroll.to(0)
  }

  moveByGroup(by: 1 | -1): void {
    const lines = this.#lines
    const from = this.#here < 0 ? lines.lineAt(this.#scroll.offset) : this.#here
    const own = lines.headOf(from)
    let head = own
    if (by > 0) for (head = from + 1; head < lines.count && lines.headOf(head) !== head;) head++
    // First to the start of this group, then to the group above.
    else if (from <= own + 1) head = lines.headOf(own - 1)
    this.#moveTo(head < 0 ? -1 : this.#stopFrom(head, 1))
  }

  /** `add`: toggles this session. `range`: selects all from the cursor to here. */
  select(line: number, { add = false, range = false }: { add?: boolean; range?: boolean } = {}): void {
    const { cursor, chosen } = this.#library.get()
    const next = this.#cursorAt(line)
    if (next === null) return
    if (range && cursor !== null && cursor.line >= 0) {
      this.#rangeFrom ??= cursor.line
      this.#goTo(line)
      void this.#selectRange(this.#rangeFrom, line)
      return
    }
    this.#rangeFrom = null
    const all = new Map(chosen)
    if (add && next.card !== null) {
      // The session at the cursor is part of the selection.
      if (all.size === 0 && cursor?.card != null) all.set(cursor.card.id, cursor.card)
      if (!all.delete(next.card.id)) all.set(next.card.id, next.card)
    } else all.clear()
    this.#library.set({ chosen: all })
    this.#goTo(line)
  }

  clear(): void {
    this.#rangeFrom = null
    if (this.#library.get().chosen.size > 0) this.#library.set({ chosen: new Map() })
  }

  /** Collapses the group of the cursor and selects its head. */
  closeGroup(): void {
    const { cursor } = this.#library.get()
    const head = this.#lines.headOf(cursor?.line ?? -1)
    const group = this.#lines.get(head)
    if (cursor === null || cursor.line < 0 || group?.kind !== 'group' || !group.open) return
    this.#toggleGroup(group.group.key)
    this.#goTo(head)
  }

  /** Expands the line at the cursor. False if it is a session or a match. */
  openInList(): boolean {
    const { cursor } = this.#library.get()
    const line = this.#lines.get(cursor?.line ?? -1)
    if (cursor === null || line === undefined || (line.kind !== 'group' && line.kind !== 'more')) return false
    this.showMore(line)
    if (line.kind === 'group') this.#goTo(cursor.line + 1)
    return true
  }

  /** Collapses or expands a group, or loads more results. */
  showMore(line: LibraryLine): void {
    if (line.kind === 'group') this.#toggleGroup(line.group.key)
    else if (line.kind !== 'more') return
    else if (line.card === null) this.#find.showMoreNamed()
    else void this.#find.showMoreHits(line.card.id)
  }

  /** Finds the cursor's line again after the lines have changed. */
  place(): void {
    const { cursor, lines, cards, search } = this.#library.get()
    if (cursor === null) return
    const idOf = (index: number) => cards.get(index)?.id
    const isHere = (line: number) => keyOfLine(lines.get(line), idOf) === cursor.key
    if (isHere(cursor.line)) return
    let line = -1
    if (search !== null) {
      for (let at = 0; at < lines.count && line < 0; at++) if (isHere(at)) line = at
    } else {
      for (const [index, { id }] of cards) if (`card:${id}` === cursor.key) line = lines.lineOfCard(index)
    }
    this.#library.set({ cursor: { ...cursor, line } })
  }

  /** Sessions were loaded; the cursor may wait for one. */
  arrive(): void {
    if (this.#awaited !== null && this.#cursorAt(this.#awaited) !== null) this.#goTo(this.#awaited)
  }

  #toggleGroup(key: string): void {
    const { get, set } = this.#library
    const closed = new Set(get().closed)
    if (!closed.delete(key)) closed.add(key)
    set({ closed })
    set({ lines: linesOf(get()) })
    this.place()
    const { offset, height } = this.#scroll
    this.#scroll.see(Math.min(offset, Math.max(0, get().lines.height - height)), height)
  }

  get #lines() {
    return this.#library.get().lines
  }

  /** Where keys continue from. */
  get #here(): number {
    return this.#awaited ?? this.#library.get().cursor?.line ?? -1
  }

  /** Selects only this line; false for none. */
  #moveTo(line: number): boolean {
    if (line < 0) return false
    this.clear()
    this.#goTo(line)
    return true
  }

  /** Moves the cursor and scrolls to it; if its session is not loaded, as soon as it is. */
  #goTo(line: number): void {
    const cursor = this.#cursorAt(line)
    this.#awaited = cursor === null ? line : null
    this.#scroll.reveal(line)
    if (cursor === null) return
    this.#library.set({ cursor })
    this.#preview.show(cursor.card)
  }

  #cursorAt(line: number): LibraryCursor | null {
    const { lines, cards } = this.#library.get()
    const at = lines.get(line)
    const key = keyOfLine(at, (index) => cards.get(index)?.id)
    if (key === null) return null
    const card = at?.kind === 'card' ? (cards.get(at.index) ?? null) : at !== undefined && 'card' in at ? at.card : null
    return { key, line, card, hit: at?.kind === 'hit' ? at.hit : null }
  }

  /** The nearest selectable line from `line` on; -1 for none. */
  #stopFrom(line: number, toward: 1 | -1): number {
    let at = line
    while (at >= 0 && at < this.#lines.count && !this.#isStop(at)) at += toward
    return at < this.#lines.count ? at : -1
  }

  #isStop(line: number): boolean {
    const at = this.#lines.get(line)
    return at !== undefined && at.kind !== 'heading' && at.kind !== 'bar' && !(at.kind === 'group' && at.open)
  }

  async #selectRange(one: number, other: number): Promise<void> {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    const found: SessionCard[] = []
    const indexes: number[] = []
    for (let at = from; at <= to && found.length + indexes.length < maxInRange; at++) {
      const line = this.#lines.get(at)
      if (line?.kind === 'found') found.push(line.card)
      if (line?.kind === 'card') indexes.push(line.index)
    }
    try {
      const cards = [...found, ...(await this.#pages.cardsAt(indexes))]
      this.#library.set({ chosen: new Map(cards.map((card) => [card.id, card])) })
    } catch (error) {
      showFault(this.#library, error)
    }
  }
}
