import type { LogStatus } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'

/** The rows of a log, and its status with the names of its files. */
interface LogRows {
  readonly columns: LogColumns
  readonly status: LogStatus
}

/** A line of a file of a session, and a row of it, from 0. */
interface LineOfRun {
  readonly file: string | undefined
  readonly line: number
  readonly ordinal: number
}

/** The place of a person in a log. */
export interface PlaceInLog {
  /** The event at the playhead; -1 before the first. */
  readonly seq: number
  /** The selected row if it is a record after that event; else null. */
  readonly row: number | null
  /** Null: only the numbers of event and row are known. */
  readonly line: LineOfRun | null
  readonly following: boolean
}

/** The line of `row`. */
export function lineOfRow(columns: LogColumns, status: LogStatus, row: number): LineOfRun {
  let first = row
  while (first > 0 && isSameLine(columns, first - 1, row)) first--
  const file = status.files[(columns.file[row] ?? 0) - 1]?.name
  return { file, line: columns.line[row] ?? 0, ordinal: row - first }
}

/** The place of `row`. */
export function placeOfRow(columns: LogColumns, status: LogStatus, row: number, following: boolean): PlaceInLog {
  const seq = columns.seqAtOrBefore(row)
  const isEvent = columns.rowOfSeq[seq] === row
  return { seq, row: isEvent ? null : row, line: lineOfRow(columns, status, row), following }
}

/** The same row in the next generation, if no rows were lost; -1 if it is not loaded. */
export function sameRow(before: LogRows, row: number, now: LogRows): number {
  if (isSameRow(before, row, now)) return row
  return new Resume(placeOfRow(before.columns, before.status, row, false)).findLine(now.columns, now.status)
}

/** Whether `row` is the same row in the next generation. */
export function isSameRow(before: LogRows, row: number, now: LogRows): boolean {
  const name = before.status.files[(before.columns.file[row] ?? 0) - 1]?.name
  const { line, file, rows } = now.columns
  return row < rows && line[row] === before.columns.line[row] && file[row] === fileNumber(now.status, name)
}

/** The number of a file in the `file` column; -1 for none. */
export function fileNumber({ files }: Pick<LogStatus, 'files'>, name: string | undefined): number {
  if (name === undefined) return 0
  const index = files.findIndex((file) => file.name === name)
  return index < 0 ? -1 : index + 1
}

/** Whether two rows are on one line. */
function isSameLine(columns: LogColumns, a: number, b: number): boolean {
  return columns.line[a] === columns.line[b] && columns.file[a] === columns.file[b]
}

/** Finds a place in a new generation: the same line, or the same seq if rows were lost, or the followed end. */
export class Resume {
  readonly place: PlaceInLog
  #scanned = 0
  #ordinal = 0
  #over = false

  constructor(place: PlaceInLog) {
    this.place = place
  }

  /** Whether the place is restored. */
  get isOver(): boolean {
    return this.#over
  }

  /** The row of the place once it is known, only once; else -1. */
  rowIn(columns: LogColumns, status: LogStatus): number {
    const row = this.#over ? -1 : this.#find(columns, status)
    const isRead = status.phase !== 'reading' && columns.rows >= status.rows
    this.#over ||= row >= 0 || (isRead && !this.place.following)
    return row
  }

  #find(columns: LogColumns, status: LogStatus): number {
    const { seq, row, line, following } = this.place
    const isRead = status.phase !== 'reading' && columns.rows >= status.rows
    if (following) return isRead ? columns.lastRow() : -1
    if (status.generationNote === null && line !== null) return this.findLine(columns, status)
    if (row !== null && line === null) {
      if (row >= columns.rows && !isRead) return -1
      if (row < columns.rows && columns.seqAtOrBefore(row) === seq) return row
    }
    return seq >= 0 && seq < columns.events ? (columns.rowOfSeq[seq] ?? -1) : -1
  }

  /** The row of the same line, if loaded; else -1. */
  findLine(columns: LogColumns, status: LogStatus): number {
    if (this.place.line === null) return -1
    const { file, line, ordinal } = this.place.line
    const number = fileNumber(status, file)
    for (; this.#scanned < columns.rows; this.#scanned++) {
      if (columns.line[this.#scanned] !== line || columns.file[this.#scanned] !== number) continue
      if (this.#ordinal++ === ordinal) return this.#scanned
    }
    return -1
  }
}
