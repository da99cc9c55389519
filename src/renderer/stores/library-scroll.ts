import { lineHeights } from './library-lines.ts'
import type { LibraryAccess } from './library-state.ts'

/** Sessions and their distances from the top of the visible part, in px. */
export type Anchors = readonly { readonly id: string; readonly y: number }[]

/** The visible part of the list. */
export class LibraryScroll {
  readonly #library: LibraryAccess
  readonly #onSeen: () => void
  #offset = 0
  #height = 0

  /** Calls `onSeen` when the visible part changes. */
  constructor(library: LibraryAccess, onSeen: () => void) {
    this.#library = library
    this.#onSeen = onSeen
  }

  get offset(): number {
    return this.#offset
  }

  get height(): number {
    return this.#height
  }

  /** The person scrolled to `offset`, or the height changed. */
  see(offset: number, height: number): void {
    this.#offset = offset
    this.#height = height
    if (offset <= 0 && this.#library.get().newer > 0) this.#library.set({ newer: 0 })
    this.#onSeen()
  }

  /** Scrolls the list and loads the visible sessions. */
  to(offset: number): void {
    this.put(Math.max(0, offset))
    this.see(this.#offset, this.#height)
  }

  /** Scrolls the list without loading sessions. */
  put(offset: number): void {
    this.#offset = offset
    this.#library.set({ place: { offset } })
  }

  /** Scrolls a line into view, no further than needed, below the sticky heading. */
  reveal(line: number): void {
    const { lines } = this.#library.get()
    const top = lines.topOf(line)
    const height = lineHeights[lines.get(line)?.kind ?? 'card']
    const head = lines.headOf(line)
    const above = head >= 0 && head !== line ? lineHeights.group : 0
    // The first session of a group is shown with its heading.
    const from = head === line - 1 ? lines.topOf(head) : top - above
    if (from < this.#offset) this.to(from)
    else if (top + height > this.#offset + this.#height) this.to(top + height - this.#height)
  }

  /** The query index of the first visible session. */
  firstCard(): number {
    const { lines } = this.#library.get()
    for (let line = lines.lineAt(this.#offset); line < lines.count; line++) {
      const shown = lines.get(line)
      if (shown?.kind === 'card') return shown.index
    }
    return 0
  }

  /** Query indexes of visible sessions that are not loaded. */
  missingCards(): number[] {
    const { lines, cards, search } = this.#library.get()
    if (search !== null || this.#height <= 0) return []
    const missing: number[] = []
    const last = lines.lineAt(this.#offset + this.#height)
    for (let line = lines.lineAt(this.#offset); line <= last; line++) {
      const shown = lines.get(line)
      if (shown?.kind === 'card' && !cards.has(shown.index)) missing.push(shown.index)
    }
    return missing
  }

  /** Visible sessions that stay in place when new ones arrive, the selected one first. None at the top. */
  anchors(): Anchors {
    const { lines, cards, cursor } = this.#library.get()
    const isAtTop = this.#offset <= 0 && (cursor === null || cursor.line <= lines.headOf(0) + 1)
    if (isAtTop) return []
    const found: { id: string; y: number }[] = []
    for (let line = lines.lineAt(this.#offset); line < lines.count; line++) {
      const y = lines.topOf(line) - this.#offset
      if (y > this.#height) break
      const shown = lines.get(line)
      const card = shown?.kind === 'card' ? cards.get(shown.index) : undefined
      if (card !== undefined && y >= 0) found.push({ id: card.id, y })
    }
    const own = found.findIndex(({ id }) => id === cursor?.card?.id)
    return own > 0 ? [found[own]!, ...found.toSpliced(own, 1)] : found
  }

  /** Restores the position of the first anchor that is still listed. Returns whether the list was scrolled. */
  hold(anchors: Anchors): boolean {
    const { cards, lines } = this.#library.get()
    const places = new Map([...cards].map(([index, { id }]) => [id, index]))
    for (const { id, y } of anchors) {
      const index = places.get(id)
      const line = index === undefined ? -1 : lines.lineOfCard(index)
      if (line < 0) continue
      const offset = lines.topOf(line) - y
      if (offset === this.#offset) return false
      this.put(offset)
      return true
    }
    return false
  }
}
