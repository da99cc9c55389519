import type { LogAccess } from './log-access.ts'
import { isLive, type Placing, type Playhead } from './playhead.ts'
import { lastShownEvent } from './shown-events.ts'

/** Keeps the playhead at the end of a log that grows, if that is where it is wanted. */
export class Following {
  readonly #log: LogAccess
  readonly #playhead: Playhead
  /** The row of the end before the log grew. */
  #endBefore = -1
  /** The person does not want to follow, although the playhead is at the end. */
  #heldBack = false

  constructor(log: LogAccess, playhead: Playhead) {
    this.#log = log
    this.#playhead = playhead
    playhead.onPersonMoves(() => (this.#heldBack = false))
  }

  /** Follows the log, which is another one from row `from` on, if the playhead was at its end. False: it stays where it is. */
  stayAtEnd(from: number): boolean {
    const { columns, layout, get, set } = this.#log
    const { following, moved, row, status } = get()
    const isAtEnd = moved && row === this.#endBefore && !this.#heldBack && isLive(status)
    if (!following && !isAtEnd) return false
    const isThere = row >= 0 && row < from
    if (!layout.isFiltered || !isThere) this.toEnd({ byPerson: false })
    else {
      set({ following: true })
      // No more is looked at than what is newer than the row of the playhead.
      this.#playhead.place(lastShownEvent(layout, columns, row + 1), { follow: true, byPerson: false })
    }
    return true
  }

  /** To the last event that is shown, or where none is to the last one, and on with it. */
  toEnd(placing: Placing = {}): void {
    const { columns, layout } = this.#log
    const shown = layout.isFiltered ? lastShownEvent(layout, columns, 0) : -1
    this.#playhead.place(shown < 0 ? columns.lastRow() : shown, { follow: true, ...placing })
  }

  follow(on: boolean): void {
    this.#heldBack = !on
    this.#log.set({ following: on })
    if (on) this.toEnd()
  }

  /** What came is taken in: this is the end now. */
  grown(): void {
    this.#endBefore = this.#log.columns.lastRow()
  }
}
