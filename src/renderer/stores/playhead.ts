import type { LogStatus } from '#contract/methods.ts'
import { hitAt } from './find-hits.ts'
import type { LogAccess } from './log-access.ts'

/** How the playhead is placed. */
export interface Placing {
  /** The person is somewhere now, and what comes after is dimmed. */
  readonly moved?: boolean
  /** A closed turn that begins with the row stays closed. */
  readonly onTurn?: boolean
  readonly byPerson?: boolean
  readonly reveal?: boolean
  readonly follow?: boolean
}

/** Where the person is in one generation of a log. */
export class Playhead {
  readonly #log: LogAccess
  readonly #movedByPerson: (() => void)[] = []
  /** Which line the selected row is of. */
  #selected = { file: -1, line: -1 }

  constructor(log: LogAccess) {
    this.#log = log
  }

  /** `listener` is called just before a person's own move. */
  onPersonMoves(listener: () => void): void {
    this.#movedByPerson.push(listener)
  }

  /**
   * Selects a row and shows it where it is hidden: in a closed turn, or as a record that says nothing. Unless it is said, the
   * end is followed where the row is the end of a log that grows, or was followed before.
   */
  place(row: number, placing: Placing = {}): void {
    const { columns, layout, get, set } = this.#log
    const { moved = true, onTurn = false, byPerson = true, reveal = true, follow } = placing
    if (row < 0 || row >= columns.rows) return
    const isTurnLine = layout.rowAt(layout.viewOf(row)) === row
    if (moved && layout.isInClosedTurn(row) && !(onTurn && isTurnLine)) get().toggleTurn(row)
    if (moved && layout.viewOf(row) < 0 && layout.singleOut([row])) set({ version: get().version + 1 })
    const hit = hitAt(get().find.hits, row)
    const playhead = columns.seqAtOrBefore(row)
    const player = { ...get().player, seq: Math.max(0, playhead), waitedMs: 0, stop: null, held: false }
    const followed = moved && row === columns.lastRow() && (get().following || isLive(get().status))
    this.#selected = { file: columns.file[row] ?? 0, line: columns.line[row] ?? 0 }
    if (byPerson) for (const listener of this.#movedByPerson) listener()
    if (byPerson && get().inspectorTab === 'summary') set({ inspectorTab: 'event' })
    const reveals = get().reveals + (reveal ? 1 : 0)
    set({ stepNote: null, row, playhead, player, moved: moved || get().moved, reveals, following: follow ?? followed })
    if (hit >= 0 && hit !== get().find.active) set({ find: { ...get().find, active: hit } })
  }

  /** To event `seq`, or the nearest there is; in a log without events to its first or last row. */
  placeEvent(seq: number): void {
    const { columns } = this.#log
    const last = columns.events - 1
    if (last >= 0) this.place(columns.rowOfSeq[Math.max(0, Math.min(last, seq))] ?? -1)
    else if (columns.rows > 0) this.place(seq <= 0 ? 0 : columns.rows - 1)
  }

  /** The selected row was loaded anew, with all from `from` on: where its line has gone, the event before takes its place. */
  placeAgain(from: number): void {
    const { columns, get, set } = this.#log
    const { row } = get()
    const { file, line } = this.#selected
    const isSelected = (at: number) => columns.line[at] === line && columns.file[at] === file
    let to = row < columns.rows && isSelected(row) ? row : from
    while (to < columns.rows && !isSelected(to)) to++
    if (to >= columns.rows) to = columns.rowOfSeq[columns.seqAtOrBefore(from - 1)] ?? Math.max(0, from - 1)
    if (columns.rows === 0) set({ row: -1, playhead: -1, moved: false })
    else this.place(to, { moved: get().moved, onTurn: true, follow: false, byPerson: false, reveal: false })
  }
}

/** Read to its end, and it has grown since it was opened. */
export function isLive({ phase, grownAt }: LogStatus): boolean {
  return phase === 'done' && grownAt !== null
}
