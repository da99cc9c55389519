import type { LogAccess } from './log-access.ts'

/** Collapses and expands turns and pairs of rows in the timeline. */
export class Collapsing {
  readonly #log: LogAccess

  constructor(log: LogAccess) {
    this.#log = log
  }

  /** Moves the second row of a pair to a line of its own, or back; `row` is either. */
  toggleResult(row: number): void {
    this.#changed(this.#log.layout.toggleResult(row))
  }

  /** Collapses or expands the turn of `row`. */
  toggleTurn(row: number): void {
    const { layout } = this.#log
    this.#changed(layout.setTurnOpen(row, layout.isInClosedTurn(row)))
  }

  /** Collapses all turns, or expands them all if one is collapsed. */
  toggleAllTurns(): void {
    const { layout } = this.#log
    layout.setAllTurnsOpen(layout.closedTurns.size > 0)
    this.#changed(true)
  }

  #changed(hasChanged: boolean): void {
    const { get, set } = this.#log
    if (hasChanged) set({ version: get().version + 1 })
  }
}
