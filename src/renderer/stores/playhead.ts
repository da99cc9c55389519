import type { LogStatus } from '#contract/methods.ts'
import type { Collapsing } from './collapsing.ts'
import type { LogAccess } from './log-access.ts'

export interface PlayheadState {
  /** The selected row, an event or a record; -1 for none. */
  readonly row: number
  /** The event at `row` or the last one before it; -1 before the first event. */
  readonly seq: number
  /** Whether the person has moved the playhead: before, no rows are dimmed. */
  readonly moved: boolean
  /** Number of requests to scroll to the selected row. */
  readonly reveals: number
  /** Whether the playhead stays at the end of the growing log. */
  readonly following: boolean
}

export const noPlayhead: PlayheadState = { row: -1, seq: -1, moved: false, reveals: 0, following: false }

/** Options of a move. */
export interface Placing {
  /** False for the initial place: later rows are not dimmed. */
  readonly moved?: boolean
  /** A collapsed turn that begins with the row stays collapsed. */
  readonly onTurn?: boolean
  readonly byPerson?: boolean
  readonly reveal?: boolean
  readonly follow?: boolean
}

/** The place of the person in one generation of a log. */
export class Playhead {
  readonly #log: LogAccess<PlayheadState>
  readonly #collapsing: Collapsing
  readonly #beforeMoves: (() => void)[] = []
  readonly #afterMoves: (() => void)[] = []
  /** The line of the selected row. */
  #selected = { file: -1, line: -1 }

  constructor(log: LogAccess<PlayheadState>, collapsing: Collapsing) {
    this.#log = log
    this.#collapsing = collapsing
  }

  /** Calls `listener` before each move by the person. */
  onPersonMoves(listener: () => void): void {
    this.#beforeMoves.push(listener)
  }

  /** Calls `listener` after each move. */
  onMoved(listener: () => void): void {
    this.#afterMoves.push(listener)
  }

  /**
   * Selects and shows a row. By default the end is followed if it was before, or if the row is the end of a live log.
   */
  place(row: number, placing: Placing = {}): void {
    const { columns, layout, get, set } = this.#log
    const { moved = true, onTurn = false, byPerson = true, reveal = true, follow } = placing
    if (row < 0 || row >= columns.rows) return
    const isTurnLine = layout.rowAt(layout.viewOf(row)) === row
    if (moved && layout.isInClosedTurn(row) && !(onTurn && isTurnLine)) this.#collapsing.toggleTurn(row)
    if (moved && layout.viewOf(row) < 0 && layout.singleOut([row])) set({ version: get().version + 1 })
    const { status, following, ...before } = get()
    const follows = moved && row === columns.lastRow() && (following || isLive(status))
    this.#selected = { file: columns.file[row] ?? 0, line: columns.line[row] ?? 0 }
    if (byPerson) for (const listener of this.#beforeMoves) listener()
    set({
      row,
      seq: columns.seqAtOrBefore(row),
      moved: moved || before.moved,
      reveals: before.reveals + (reveal ? 1 : 0),
      following: follow ?? follows
    })
    for (const listener of this.#afterMoves) listener()
  }

  /** Selects a row. The head of a collapsed turn stays collapsed. */
  select(row: number): void {
    this.place(row, { onTurn: true })
  }

  /** Moves to event `seq` or the nearest one; in a log without events to its first or last row. */
  placeEvent(seq: number): void {
    const { columns } = this.#log
    const last = columns.events - 1
    if (last >= 0) this.place(columns.rowOfSeq[Math.max(0, Math.min(last, seq))] ?? -1)
    else if (columns.rows > 0) this.place(seq <= 0 ? 0 : columns.rows - 1)
  }

  /** Rows from `from` on were loaded again: selects the same line, else the event before it. */
  placeAgain(from: number): void {
    const { columns, get, set } = this.#log
    const { row, moved } = get()
    const { file, line } = this.#selected
    const isSelected = (at: number) => columns.line[at] === line && columns.file[at] === file
    let to = row < columns.rows && isSelected(row) ? row : from
    while (to < columns.rows && !isSelected(to)) to++
    if (to >= columns.rows) to = columns.rowOfSeq[columns.seqAtOrBefore(from - 1)] ?? Math.max(0, from - 1)
    if (columns.rows === 0) set({ row: -1, seq: -1, moved: false })
    else this.place(to, { moved, onTurn: true, follow: false, byPerson: false, reveal: false })
  }
}

/** Whether the log is read completely and has grown since it was opened. */
export function isLive({ phase, grownAt }: LogStatus): boolean {
  return phase === 'done' && grownAt !== null
}
