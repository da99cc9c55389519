import type { LogStatus } from '#contract/methods.ts'
import type { PlaceInRun } from '#core/replay/review.ts'
import type { LogColumns } from './log-columns.ts'
import { fileNumber } from './resume.ts'

/** `there`; `changed`: another event is on its line; `gone`: the line does not exist; `unread`: unknown so far. */
export interface FoundPlace {
  readonly state: 'there' | 'changed' | 'gone' | 'unread'
  /** For `changed`, the first row of its line; -1 for none. */
  readonly row: number
}

interface Wanted {
  readonly place: PlaceInRun
  readonly file: number
  /** Number of rows of its line so far. */
  met: number
  first: number
  row: number
}

const unread: FoundPlace = { state: 'unread', row: -1 }
const lineMask = 0xffff

/** Finds the rows of places while a log is loaded. Each row is read once, for any number of places. */
export class PlaceRows {
  readonly #columns: LogColumns
  #wanted = new Map<PlaceInRun, Wanted>()
  /** By file and line. */
  #byLine = new Map<string, Wanted[]>()
  /** Whether a line with these last bits is wanted: rules out most rows quickly. */
  readonly #lines = new Uint8Array(lineMask + 1)
  #seen = 0

  constructor(columns: LogColumns) {
    this.#columns = columns
  }

  /** Sets the places. Known ones are not searched again. */
  setPlaces(places: readonly PlaceInRun[], status: LogStatus): void {
    const before = this.#wanted
    this.#wanted = new Map()
    this.#byLine.clear()
    this.#lines.fill(0)
    let isNew = false
    for (const place of places) {
      const file = fileNumber(status, place.file ?? undefined)
      const known = before.get(place)
      if (known?.file !== file) isNew = true
      const wanted = known?.file === file ? known : { place, file, met: 0, first: -1, row: -1 }
      this.#wanted.set(place, wanted)
      const key = `${file} ${place.line}`
      this.#byLine.set(key, [...(this.#byLine.get(key) ?? []), wanted])
      this.#lines[place.line & lineMask] = 1
    }
    if (isNew) this.#lookAgain()
    else this.#extend()
  }

  /** Rows from `row` on are new or replaced. */
  onGrown(row: number): void {
    const isTouched = [...this.#wanted.values()].some(({ first, met }) => first >= 0 && first + met > row)
    if (row < this.#seen && isTouched) return this.#lookAgain()
    this.#seen = Math.min(this.#seen, row)
    this.#extend()
  }

  /** Where a place is now. `isRead`: all rows are loaded. */
  find(place: PlaceInRun, isRead: boolean): FoundPlace {
    const wanted = this.#wanted.get(place)
    if (wanted === undefined) return unread
    if (wanted.row >= 0) return { state: 'there', row: wanted.row }
    if (!isRead) return unread
    return wanted.first >= 0 ? { state: 'changed', row: wanted.first } : { state: 'gone', row: -1 }
  }

  #lookAgain(): void {
    for (const wanted of this.#wanted.values()) Object.assign(wanted, { met: 0, first: -1, row: -1 })
    this.#seen = 0
    this.#extend()
  }

  #extend(): void {
    const { rows, line, file } = this.#columns
    if (this.#wanted.size === 0) this.#seen = rows
    for (; this.#seen < rows; this.#seen++) {
      const at = line[this.#seen] ?? 0
      if (this.#lines[at & lineMask] === 0) continue
      for (const wanted of this.#byLine.get(`${file[this.#seen]} ${at}`) ?? []) this.#meet(wanted, this.#seen)
    }
  }

  #meet(wanted: Wanted, row: number): void {
    if (wanted.first < 0) wanted.first = row
    if (wanted.met++ === wanted.place.ordinal && this.#isSame(wanted.place, row)) wanted.row = row
  }

  #isSame({ kind, time }: PlaceInRun, row: number): boolean {
    const now = this.#columns.time[row] ?? NaN
    return this.#columns.kindAt(row) === kind && (time === null ? Number.isNaN(now) : now === time)
  }
}
