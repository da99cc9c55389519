import type { LogStatus } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'

/** Where a person was in a log. `line` and `ordinal`: the it was which row (from 0) of which line, of which file of the run. */
export interface PlaceInLog {
  readonly seq: number
  readonly file: string | undefined
  readonly line: number
  readonly ordinal: number
  readonly following: boolean
}

/** The place of `row`. */
export function placeOfRow(columns: LogColumns, status: LogStatus, row: number, following: boolean): PlaceInLog {
  let first = row
  while (first > 0 && isSameLine(columns, first - 1, row)) first--
  return {
    seq: columns.seqAtOrBefore(row),
    file: status.files[(columns.file[row] ?? 0) - 1]?.name,
    line: columns.line[row] ?? 0,
    ordinal: row - first,
    following
  }
}

/** Whether two rows stand on one line. */
function isSameLine(columns: LogColumns, a: number, b: number): boolean {
  return columns.line[a] === columns.line[b] && columns.file[a] === columns.file[b]
}

/**
 * The way back to where a person was, in a new generation of the log. Where nothing was lost the same line is looked for, whatever
 * its seq is now; in a file that became another one the same seq, if there is one. Who followed the end follows it again.
 */
export class Resume {
  readonly place: PlaceInLog
  #scanned = 0
  #ordinal = 0
  #over = false

  constructor(place: PlaceInLog) {
    this.place = place
  }

  /** Whether there is nothing more to go back to. */
  get isOver(): boolean {
    return this.#over
  }

  /** The row to go to, once, when it is known; -1 before, and if there is none. */
  rowIn(columns: LogColumns, status: LogStatus): number {
    const row = this.#over ? -1 : this.#find(columns, status)
    const isRead = status.phase !== 'reading' && columns.rows >= status.rows
    this.#over ||= row >= 0 || (isRead && !this.place.following)
    return row
  }

  #find(columns: LogColumns, status: LogStatus): number {
    const { seq, following } = this.place
    if (following) {
      const isRead = status.phase !== 'reading' && columns.rows >= status.rows
      return isRead ? columns.lastRow() : -1
    }
    if (status.generationNote === null) return this.#findLine(columns, status)
    return seq >= 0 && seq < columns.events ? (columns.rowOfSeq[seq] ?? -1) : -1
  }

  #findLine(columns: LogColumns, status: LogStatus): number {
    const { file, line, ordinal } = this.place
    const number = file === undefined ? 0 : status.files.findIndex(({ name }) => name === file) + 1
    if (file !== undefined && number === 0) return -1
    for (; this.#scanned < columns.rows; this.#scanned++) {
      if (columns.line[this.#scanned] !== line || columns.file[this.#scanned] !== number) continue
      if (this.#ordinal++ === ordinal) return this.#scanned
    }
    return -1
  }
}
