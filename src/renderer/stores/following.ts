import type { LogAccess } from './log-access.ts'
import { isLive, type Placing, type Playhead, type PlayheadState } from './playhead.ts'
import { lastShownEvent } from './shown-events.ts'

/** Keeps the playhead at the end of a growing log. */
export class Following {
  readonly #log: LogAccess<PlayheadState>
  readonly #playhead: Playhead
  /** The last row before the log grew. */
  #endBefore = -1
  /** The person turned following off while the playhead was at the end. */
  #isOff = false

  constructor(log: LogAccess<PlayheadState>, playhead: Playhead) {
    this.#log = log
    this.#playhead = playhead
    playhead.onPersonMoves(() => (this.#isOff = false))
  }

  /** Rows from `from` on are new. Moves the playhead if it was at the end; false if not. */
  stayAtEnd(from: number): boolean {
    const { columns, layout, get, set } = this.#log
    const { following, moved, row, status } = get()
    const isAtEnd = moved && row === this.#endBefore && !this.#isOff && isLive(status)
    if (!following && !isAtEnd) return false
    const isThere = row >= 0 && row < from
    if (!layout.isFiltered || !isThere) this.toEnd({ byPerson: false })
    else {
      set({ following: true })
      // Only rows after the playhead are searched.
      this.#playhead.place(lastShownEvent(layout, columns, row + 1), { follow: true, byPerson: false })
    }
    return true
  }

  /** Moves to the last visible event, or the last row without one, and follows the end. */
  toEnd(placing: Placing = {}): void {
    const { columns, layout } = this.#log
    const shown = layout.isFiltered ? lastShownEvent(layout, columns, 0) : -1
    const to = shown < 0 ? columns.lastRow() : shown
    // A hidden record before the first event stays hidden: else it would be shown or not by when it came.
    const moved = layout.isFiltered || layout.viewOf(to) >= 0
    this.#playhead.place(to, { follow: true, moved, ...placing })
  }

  follow(on: boolean): void {
    this.#isOff = !on
    this.#log.set({ following: on })
    if (on) this.toEnd()
  }

  /** All new rows are loaded: updates the end. */
  onGrown(): void {
    this.#endBefore = this.#log.columns.lastRow()
  }
}
