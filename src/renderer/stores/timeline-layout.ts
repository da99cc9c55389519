import { grown } from './grown.ts'
import type { LogColumns } from './log-columns.ts'

/**
 * What one 24 px line of the timeline shows. `row`: a row. `issue`: the issues of the row above. `fold`: a run of
 * neighbouring records without issues, closed or (`open-fold`) with its rows under it. `gap`: idle time, or a new day.
 */
export type ViewKind = 'row' | 'issue' | 'fold' | 'open-fold' | 'gap'

const row = 0
const issue = 1
const fold = 2
const openFold = 3
const gap = 4
const viewKinds: readonly ViewKind[] = ['row', 'issue', 'fold', 'open-fold', 'gap']

/** From this idle time on a gap is said. */
export const idleFrom = 60_000

/** When the day of `time` ends; both in ms since the epoch. The caller knows the time zone. */
export type EndOfDay = (time: number) => number

/**
 * The lines of the timeline, computed from the columns as they grow: O(new rows) for growth, whatever the steps. Row
 * numbers ascend along the lines, so a row's line is found by binary search.
 */
export class TimelineLayout {
  /** Lines. */
  count = 0
  readonly #endOfDay: EndOfDay
  readonly #folds: boolean
  readonly #open = new Set<number>()
  #kind = new Uint8Array(1024)
  #row = new Int32Array(1024)
  /** A fold's records; a gap's milliseconds. */
  #amount = new Float64Array(1024)
  /** Rows laid out so far. */
  #laid = 0
  /** The latest time met: a record that goes back in time opens no gap. */
  #latest = NaN
  #dayEnd = NaN
  /** First row of the run of records that the rows end with, and its line; -1: they do not end with one. */
  #runRow = -1
  #runView = -1

  /** `folds` false: every record keeps its own line, as in a log whose format nothing knows. */
  constructor(endOfDay: EndOfDay, folds = true) {
    this.#endOfDay = endOfDay
    this.#folds = folds
  }

  kindAt(view: number): ViewKind {
    return viewKinds[this.#kind[view] ?? row] ?? 'row'
  }

  /** The row of the line; a fold's first row; the row after a gap. */
  rowAt(view: number): number {
    return this.#row[view] ?? -1
  }

  /** How many records a fold holds, or how many ms a gap lasts. */
  amountAt(view: number): number {
    return this.#amount[view] ?? 0
  }

  /** The line that shows `target`: its own, or the closed fold that holds it. -1 when it is not laid out yet. */
  viewOf(target: number): number {
    if (target < 0 || target >= this.#laid) return -1
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#row[middle] ?? 0) <= target) low = middle + 1
      else high = middle
    }
    let view = low - 1
    if (this.#kind[view] === issue) view--
    return view
  }

  /** First row of the closed fold that hides `target`, -1 when it has a line of its own. */
  foldHiding(target: number): number {
    const view = this.viewOf(target)
    return view >= 0 && this.#kind[view] === fold ? this.rowAt(view) : -1
  }

  /** First row of the fold, open or closed, that `target` belongs to; -1 for a row of no fold. */
  foldOf(target: number): number {
    let view = this.viewOf(target)
    while (view >= 0 && this.#kind[view] === row) view--
    const kind = this.#kind[view]
    const first = this.rowAt(view)
    const holds = kind === fold || (kind === openFold && target < first + this.amountAt(view))
    return holds ? first : -1
  }

  /** Lays out the rows that came since. True when there were any. */
  extend(columns: LogColumns): boolean {
    if (this.#laid === columns.rows) return false
    for (let next = this.#laid; next < columns.rows; next++) this.#add(columns, next)
    this.#laid = columns.rows
    return true
  }

  /** Opens or closes the fold that begins with row `first`. False when no fold does. */
  setOpen(first: number, open: boolean): boolean {
    const view = this.#foldView(first)
    if (view < 0 || open === this.#open.has(first)) return false
    const rows = this.#amount[view] ?? 0
    if (open) {
      this.#open.add(first)
      this.#kind[view] = openFold
      this.#splice(view + 1, 0, rows)
      for (let offset = 0; offset < rows; offset++) this.#put(view + 1 + offset, row, first + offset, 0)
    } else {
      this.#open.delete(first)
      this.#kind[view] = fold
      this.#splice(view + 1, rows, 0)
    }
    return true
  }

  #add(columns: LogColumns, next: number): void {
    const apart = this.#addGap(columns.time[next] ?? NaN, next)
    const plain = columns.kind[next] === 0 && columns.severity[next] === 0 && this.#folds
    if (!plain) this.#runRow = -1
    else if (this.#runRow < 0 || apart) {
      this.#runRow = next
      this.#runView = this.count
    } else return this.#addToRun(next)
    this.#push(row, next, 0)
    if ((columns.issues[next] ?? 0) > 0) this.#push(issue, next, 0)
  }

  /** The second record of a run makes its first line a fold; every further one counts there. */
  #addToRun(next: number): void {
    const records = next - this.#runRow + 1
    if (records === 2) this.#kind[this.#runView] = fold
    this.#amount[this.#runView] = records
    if (this.#kind[this.#runView] === openFold) this.#push(row, next, 0)
  }

  /** A gap's line before row `next` if its time calls for one. */
  #addGap(time: number, next: number): boolean {
    if (Number.isNaN(time)) return false
    const before = this.#latest
    if (time <= before) return false
    this.#latest = time
    const sameDay = time < this.#dayEnd
    if (!sameDay) this.#dayEnd = this.#endOfDay(time)
    if (Number.isNaN(before) || (sameDay && time - before < idleFrom)) return false
    this.#push(gap, next, time - before)
    return true
  }

  #foldView(first: number): number {
    if (first < 0 || first >= this.#laid) return -1
    let view = this.viewOf(first)
    if (this.#open.has(first)) view--
    const kind = this.#kind[view]
    return this.#row[view] === first && (kind === fold || kind === openFold) ? view : -1
  }

  #push(kind: number, at: number, amount: number): void {
    this.#reserve(this.count + 1)
    this.#put(this.count++, kind, at, amount)
  }

  #put(view: number, kind: number, at: number, amount: number): void {
    this.#kind[view] = kind
    this.#row[view] = at
    this.#amount[view] = amount
  }

  /** Makes room for `added` lines in place of `removed` ones; what stands behind moves along. */
  #splice(view: number, removed: number, added: number): void {
    const count = this.count + added - removed
    this.#reserve(count)
    this.#kind.copyWithin(view + added, view + removed, this.count)
    this.#row.copyWithin(view + added, view + removed, this.count)
    this.#amount.copyWithin(view + added, view + removed, this.count)
    this.count = count
    if (this.#runView >= view) this.#runView += added - removed
  }

  #reserve(count: number): void {
    if (count <= this.#kind.length) return
    const capacity = Math.max(count, this.#kind.length * 2)
    this.#kind = grown(this.#kind, new Uint8Array(capacity))
    this.#row = grown(this.#row, new Int32Array(capacity))
    this.#amount = grown(this.#amount, new Float64Array(capacity))
  }
}

/** The person's own days. */
export function localEndOfDay(time: number): number {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}
