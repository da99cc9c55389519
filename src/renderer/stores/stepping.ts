import type { LogStatus } from '#contract/methods.ts'
import type { Filtering } from './filtering.ts'
import type { LogAccess } from './log-access.ts'
import type { LogColumns } from './log-columns.ts'
import type { Placing, Playhead } from './playhead.ts'
import type { Playing } from './playing.ts'
import { shownEventFrom } from './shown-events.ts'

/** Moves the playhead to a place that is told by where it is. What is played is paused. */
export class Stepping {
  readonly #log: LogAccess
  readonly #playhead: Playhead
  readonly #filtering: Filtering
  readonly #playing: Playing

  constructor(log: LogAccess, playhead: Playhead, filtering: Filtering, playing: Playing) {
    this.#log = log
    this.#playhead = playhead
    this.#filtering = filtering
    this.#playing = playing
  }

  step(delta: number): void {
    this.#playing.pause()
    const { columns, layout, get } = this.#log
    const { row, playhead } = get()
    if (layout.isFiltered) return this.#placeShown(row, delta)
    // From a record back to the event it follows is a step already.
    const onEvent = row >= 0 && columns.seq[row] === playhead
    this.#playhead.placeEvent(playhead + (delta < 0 && !onEvent ? delta + 1 : delta))
  }

  home(): void {
    this.#playing.pause()
    if (this.#log.layout.isFiltered) this.#placeShown(-1, 1)
    else this.#playhead.placeEvent(0)
  }

  end(): void {
    this.#playing.pause()
    const { columns, layout, get } = this.#log
    const placing = get().status.phase === 'done' ? { follow: true } : {}
    if (layout.isFiltered) this.#placeShown(columns.rows, -1, placing)
    else this.#playhead.place(columns.lastRow(), placing)
  }

  nextTodo(direction: 1 | -1): void {
    this.#playing.pause()
    const { todos, get } = this.#log
    const { playhead } = get()
    let index = todos.indexAt(direction > 0 ? playhead : playhead - 1)
    if (direction > 0) index++
    if (index >= 0 && index < todos.count) this.#playhead.placeEvent(todos.seqAt(index))
  }

  nextIssue(direction: 1 | -1): void {
    this.#playing.pause()
    const { columns, get } = this.#log
    for (let row = get().row + direction; row >= 0 && row < columns.rows; row += direction) {
      if ((columns.severity[row] ?? 0) > 0 && this.#filtering.isShown(row)) return this.#playhead.place(row)
    }
  }

  stepOver(): void {
    this.#playing.pause()
    const { columns, get } = this.#log
    this.#playhead.place(rowAfterCall(columns, get().status, get().row))
  }

  /** To the `delta`-th shown event from row `from`. */
  #placeShown(from: number, delta: number, placing?: Placing): void {
    const { columns, layout } = this.#log
    this.#playhead.place(shownEventFrom(layout, columns, from, delta), placing)
  }
}

/** Where stepping over `row` leads: a call's result; else the next event that is not deeper; the last row at the end. */
function rowAfterCall(columns: LogColumns, status: LogStatus, row: number): number {
  const result = columns.kindAt(row) === 'tool' ? (columns.pairOf[row] ?? -1) : -1
  if (result > row) return result
  const depthOf = (at: number) => status.tracks[columns.track[at] ?? 0]?.depth ?? 0
  // Inside a subagent one steps out of it, unless this is a call that is still to be stepped over.
  const limit = columns.kindAt(row) === 'tool' ? depthOf(row) : Math.max(0, depthOf(row) - 1)
  for (let next = row + 1; next < columns.rows; next++) {
    if ((columns.seq[next] ?? -1) >= 0 && depthOf(next) <= limit) return next
  }
  return columns.rows - 1
}
