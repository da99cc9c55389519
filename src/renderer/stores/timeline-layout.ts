import { Turns } from '#core/replay/turns.ts'
import {
  type EndOfDay,
  LaidLines,
  type LineChoices,
  type LineSource,
  type ShownRows,
  type ViewKind
} from './laid-lines.ts'
import type { LogColumns } from './log-columns.ts'

/** Fewer rows are laid out again at once: a few ms. */
const rowsAtOnce = 1 << 16

/**
 * The lines of the timeline, updated in O(changed rows). Row numbers ascend along the lines, so a row's line is found
 * by binary search. A filter does not change idle times and days, which are those of the whole session. Records without
 * an event have no line unless a person asks for them. A result right after its call, among the shown rows, is on the
 * call's line, and the text of a line that is not JSON on the line of the error about it.
 *
 * A filter of many rows is laid out step by step (`layOn`), to not block the page; the lines stay until all others are there.
 */
export class TimelineLayout {
  /** Number of times that the lines of existing rows changed, by a filter or a turn. */
  refiltered = 0
  readonly turns: Turns
  readonly #columns: LogColumns
  readonly #source: LineSource
  readonly #singled = new Set<number>()
  readonly #closed = new Set<number>()
  readonly #choices: LineChoices = { recordsShown: false, singled: this.#singled, closed: this.#closed }
  #lines: LaidLines
  /** Lines that are laid out step by step; null: none. */
  #next: LaidLines | null = null
  /** Former lines, whose space is used again. */
  #spare: LaidLines | null = null

  /** `hides` false: every record has a line, as in a log of unknown format. */
  constructor(columns: LogColumns, endOfDay: EndOfDay, hides = true) {
    this.#columns = columns
    this.turns = new Turns(columns)
    this.#source = { columns, turns: this.turns, endOfDay, hides, choices: this.#choices }
    this.#lines = new LaidLines(this.#source)
  }

  /** Lines. */
  get count(): number {
    return this.#lines.count
  }

  /** Rows that pass the filter. */
  get shown(): number {
    return this.#lines.shown
  }

  /** Plain records among them: no event, no issue. */
  get records(): number {
    return this.#lines.records
  }

  /** Rows laid out so far, shown or hidden. */
  get laid(): number {
    return this.#lines.laid
  }

  /** Whether there is more to lay out. */
  get isBehind(): boolean {
    return this.#next !== null || this.#lines.isBehind
  }

  /** Makes space for `lines` lines, an array per step, to not block the page. */
  growTo(lines: number): Generator<void> {
    return this.#lines.growTo(lines)
  }

  get isFiltered(): boolean {
    return this.#lines.filter !== null
  }

  kindAt(view: number): ViewKind {
    return this.#lines.kindAt(view)
  }

  /** The row of a line; of a gap, the row after it; of a turn, its first row or first shown row. */
  rowAt(view: number): number {
    return this.#lines.rowAt(view)
  }

  /** Idle time before a `gap` or `day` line in ms; 0 for none. */
  amountAt(view: number): number {
    return this.#lines.amountAt(view)
  }

  /** The second row of a pair: a result on the line of its call, or a text beside its error. -1 on other lines. */
  resultAt(view: number): number {
    return this.#lines.resultAt(view)
  }

  /** The line that shows `target`: its own, its partner's or its collapsed turn's. -1 if it is hidden or not laid out. */
  viewOf(target: number): number {
    return this.#lines.viewOf(target)
  }

  /** The line that shows `target`, else the last one before it, else the first one; -1 without lines. */
  placeOf(target: number): number {
    return this.#lines.placeOf(target)
  }

  /** Whether a collapsed turn hides `target`. */
  isInClosedTurn(target: number): boolean {
    const view = this.viewOf(target)
    return view >= 0 && this.#lines.isClosedTurn(view)
  }

  /** Lays out new rows at once. */
  extend(): void {
    this.turns.extend()
    this.#lines.layTo(Infinity)
  }

  /** Removes the rows from `target` on, and requests about them. Earlier rows must be unchanged. */
  truncate(target: number): void {
    for (const asked of [this.#singled, this.#closed]) for (const at of asked) if (at >= target) asked.delete(at)
    this.turns.truncate(target)
    this.#lines.goBackTo(target)
    this.#next?.goBackTo(target)
  }

  /** Shows only matching rows; null shows all. They are there when `layOn` has laid them all. */
  setFilter(filter: ShownRows | null): void {
    this.turns.extend()
    this.#begin(filter, 0)
  }

  /** Applies the filter again from row `target` on. Undecided rows are there when `layOn` has laid them. */
  refilter(target: number): void {
    const lines = this.#lines
    const { laid } = lines
    if (this.#next !== null) return this.#next.goBackTo(target)
    if (target >= laid) return
    if (laid - target > rowsAtOnce) return this.#begin(lines.filter, target)
    this.refiltered++
    lines.goBackTo(target)
    lines.layTo(laid)
  }

  /** Lays out some more rows. False: there are none. */
  layOn(): boolean {
    if (this.#next === null) return this.#lines.layOn()
    if (this.#next.layOn()) return true
    this.#spare = this.#lines
    this.#lines = this.#next
    this.#next = null
    this.refiltered++
    return false
  }

  #begin(filter: ShownRows | null, target: number): void {
    this.#next ??= this.#spare ?? new LaidLines(this.#source)
    this.#spare = null
    this.#next.begin(filter, this.#lines, target)
  }

  /** Expands or collapses the turn of `target`. False if there is none, or if a filter keeps all expanded. */
  setTurnOpen(target: number, open: boolean): boolean {
    const number = this.turns.turnAt(target)
    if (number < 0 || this.isFiltered) return false
    const start = this.turns.startOf(number)
    if (this.#closed.has(start) !== open) return false
    if (open) this.#closed.delete(start)
    else this.#closed.add(start)
    this.#layAnewFrom(start)
    return true
  }

  /** Expands or collapses all turns. */
  setAllTurnsOpen(open: boolean): void {
    this.#closed.clear()
    if (!open) for (let number = 0; number < this.turns.count; number++) this.#closed.add(this.turns.startOf(number))
    this.#layAnewFrom(0)
  }

  /** Collapses the turns that begin with `rows`. */
  closeTurns(rows: Iterable<number>): void {
    for (const row of rows) if (row >= 0 && this.turns.startOf(this.turns.turnAt(row)) === row) this.#closed.add(row)
    this.#layAnewFrom(0)
  }

  /** First rows of the collapsed turns. */
  get closedTurns(): ReadonlySet<number> {
    return this.#closed
  }

  /** Whether plain records are shown. */
  get recordsShown(): boolean {
    return this.#choices.recordsShown
  }

  /** Rows with a line of their own, unlike others of their kind. */
  get singled(): ReadonlySet<number> {
    return this.#singled
  }

  /** Shows or hides plain records, also those that were shown singly. */
  showRecords(shown: boolean): void {
    this.#choices.recordsShown = shown
    for (const at of this.#singled) if (this.#lines.isPlain(at)) this.#singled.delete(at)
    this.#layAnewFrom(0)
  }

  /** Gives lines of their own to hidden `rows`, or to the second rows of pairs. False if there were none. */
  singleOut(rows: Iterable<number>): boolean {
    let first = Infinity
    for (const at of rows) {
      if (at < 0 || at >= this.laid) continue
      const isJoined = this.resultAt(this.viewOf(at)) === at
      if (!isJoined && !(this.#lines.isHidden(at) && this.#lines.isPassing(at))) continue
      this.#singled.add(at)
      first = Math.min(first, at)
    }
    if (first < this.laid) this.#layAnewFrom(first)
    return first < Infinity
  }

  /** Moves the second row of a pair to a line of its own, or back; `target` is either. False if that is impossible. */
  toggleResult(target: number): boolean {
    const joined = this.resultAt(this.viewOf(target))
    if (joined >= 0) return this.singleOut([joined])
    const second = [target, target + 1, this.#columns.pairOf[target] ?? -1].find(
      (at) => this.#singled.has(at) && (at === target || this.#columns.partnerOf(at) === target)
    )
    if (second === undefined || this.#lines.isPlain(second)) return false
    this.#singled.delete(second)
    this.#layAnewFrom(second)
    return true
  }

  #layAnewFrom(target: number): void {
    this.refiltered++
    this.#lines.goBackTo(target)
    this.#next?.goBackTo(target)
    this.extend()
  }
}

/** In the person's time zone. */
export function localEndOfDay(time: number): number {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}
