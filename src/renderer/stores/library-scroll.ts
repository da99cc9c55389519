import { lineHeights } from './library-lines.ts'
import type { LibraryAccess } from './library-state.ts'

/** Sessions, and how far below the top of what is in view they are, in px. */
export type Anchors = readonly { readonly id: string; readonly y: number }[]

/** What of the list is in view. */
export class LibraryScroll {
  readonly #library: LibraryAccess
  readonly #onSeen: () => void
  #offset = 0
  #height = 0

  /** Calls `onSeen` when other lines are in view. */
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

  /** The list was scrolled to here by a person, and is so high. */
  see(offset: number, height: number): void {
    this.#offset = offset
    this.#height = height
    if (offset <= 0 && this.#library.get().newer > 0) this.#library.set({ newer: 0 })
    this.#onSeen()
  }

  /** Scrolls the list and loads what comes into view. */
  to(offset: number): void {
    this.put(Math.max(0, offset))
    this.see(this.#offset, this.#height)
  }

  /** Scrolls the list, whose lines there are not loaded yet. */
  put(offset: number): void {
    this.#offset = offset
    this.#library.set({ place: { offset } })
  }

  /** A line comes into view, no further than needed; below the head that stays above it. */
  reveal(line: number): void {
    const { lines } = this.#library.get()
    const top = lines.topOf(line)
    const height = lineHeights[lines.get(line)?.kind ?? 'card']
    const head = lines.headOf(line)
    const above = head >= 0 && head !== line ? lineHeights.group : 0
    // With the first session of a group its head is shown, too.
    const from = head === line - 1 ? lines.topOf(head) : top - above
    if (from < this.#offset) this.to(from)
    else if (top + height > this.#offset + this.#height) this.to(top + height - this.#height)
  }

  /** The place in the query of the first session in view. */
  firstCard(): number {
    const { lines } = this.#library.get()
    for (let line = lines.lineAt(this.#offset); line < lines.count; line++) {
      const shown = lines.get(line)
      if (shown?.kind === 'card') return shown.index
    }
    return 0
  }

  /** Places in the query of sessions in view that are not here. */
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

  /**
   * Sessions in view that must not move when others come in above, the selected one first. None at the very top, where nothing is selected: who looks
   * there sees what comes.
   */
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

  /** The first of the anchors that is still listed goes back to where it was. True: the list was scrolled for that. */
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
