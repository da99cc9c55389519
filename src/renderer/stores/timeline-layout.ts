import { firstWhere } from '#core/first-where.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { Turns } from '#core/replay/turns.ts'
import { grown } from './grown.ts'
import type { LogColumns } from './log-columns.ts'

/** The content of a 24 px line. `pair`: a call and its result. `gap`: idle time. `turn`, `closed-turn`: its head. */
export type ViewKind = 'row' | 'pair' | 'issue' | 'gap' | 'day' | 'turn' | 'closed-turn'

const row = 0
const issue = 1
const gap = 2
const day = 3
const turn = 4
const closedTurn = 5
const pair = 6
const viewKinds: readonly ViewKind[] = ['row', 'issue', 'gap', 'day', 'turn', 'closed-turn', 'pair']

const resultKind = rowKinds.indexOf('tool-result')
const failedKind = rowKinds.indexOf('tool-error')

/** Shorter idle time is not shown as a gap. */
export const idleFromMs = 60_000

/** Rows between checkpoints. */
const block = 4096

/** The end of the day of `time`; both in ms since the epoch. The caller knows the time zone. */
export type EndOfDay = (time: number) => number

/** The rows of a filtered timeline. */
export interface ShownRows {
  /** Each matching row has its own line, records too. */
  readonly showsEach: boolean
  /** Rows from here on are not decided yet. */
  readonly decided: number
  /** Writes 1 for each matching row in `from` to `to` (exclusive), else 0; `into[0]` is row `from`. */
  mark(columns: LogColumns, from: number, to: number, into: Uint8Array): void
}

/** The state of the layout before a row, which can be restored. */
interface LayoutCheckpoint {
  readonly shown: number
  readonly latest: number
  readonly idle: number
  readonly newDay: boolean
  readonly records: number
  readonly headed: number
}

/**
 * The lines of the timeline, updated in O(changed rows). Row numbers ascend along the lines, so a row's line is found
 * by binary search. A filter does not change idle times and days, which are those of the whole session. Records without
 * an event have no line unless a person asks for them. A result right after its call, among the shown rows, is on the
 * call's line.
 */
export class TimelineLayout {
  /** Lines. */
  count = 0
  /** Rows that pass the filter. */
  shown = 0
  /** Plain records among them: no event, no issue. */
  records = 0
  /** Number of times that the lines of existing rows changed, by a filter or a turn. */
  refiltered = 0
  readonly turns: Turns
  readonly #columns: LogColumns
  readonly #endOfDay: EndOfDay
  readonly #hides: boolean
  #recordsShown = false
  /** Records that are shown although others are hidden, and results on a line of their own. */
  readonly #singled = new Set<number>()
  #filter: ShownRows | null = null
  readonly #passes = new Uint8Array(block)
  #kind = new Uint8Array(1024)
  #row = new Int32Array(1024)
  /** Idle time in ms of a gap or new day; the result of a pair. */
  #amount = new Float64Array(1024)
  /** Rows laid out so far. */
  #laid = 0
  /** By block: the state before its first row. */
  readonly #checkpoints: LayoutCheckpoint[] = []
  /** The latest time so far: a record that goes back in time opens no gap. */
  #latest = NaN
  #dayEnd = NaN
  /** Idle time and a new day without a line so far, because the rows after them are hidden. */
  #idle = 0
  #newDay = false
  /** First rows of the collapsed turns. */
  readonly #closed = new Set<number>()
  /** The turn of the last row, and the last turn that has a head; -1 for none. */
  #turn = -1
  #headed = -1

  /** `hides` false: every record has a line, as in a log of unknown format. */
  constructor(columns: LogColumns, endOfDay: EndOfDay, hides = true) {
    this.#columns = columns
    this.turns = new Turns(columns)
    this.#endOfDay = endOfDay
    this.#hides = hides
  }

  /** Rows laid out so far, shown or hidden. */
  get laid(): number {
    return this.#laid
  }

  /** Makes space for `lines` lines, an array per step, to not block the page. */
  *growTo(lines: number): Generator<void> {
    // The last array that grows.
    if (lines <= this.#amount.length) return
    const capacity = Math.max(lines, this.#amount.length * 2)
    yield void (this.#kind = grown(this.#kind, new Uint8Array(capacity)))
    yield void (this.#row = grown(this.#row, new Int32Array(capacity)))
    yield void (this.#amount = grown(this.#amount, new Float64Array(capacity)))
  }

  get isFiltered(): boolean {
    return this.#filter !== null
  }

  kindAt(view: number): ViewKind {
    return viewKinds[this.#kind[view] ?? row] ?? 'row'
  }

  /** The row of a line; of a gap, the row after it; of a turn, its first row or first shown row. */
  rowAt(view: number): number {
    return this.#row[view] ?? -1
  }

  /** Idle time before a `gap` or `day` line in ms; 0 for none. */
  amountAt(view: number): number {
    return this.#amount[view] ?? 0
  }

  /** The result on the line of its call; -1 on other lines. */
  resultAt(view: number): number {
    return this.#kind[view] === pair ? this.amountAt(view) : -1
  }

  /** The line that shows `target`: its own, its call's or its collapsed turn's. -1 if it is hidden or not laid out. */
  viewOf(target: number): number {
    if (target < 0 || target >= this.#laid) return -1
    const view = this.placeOf(target)
    const first = this.rowAt(view)
    // There is no line above the first one.
    if (target < first) return -1
    return first === target || this.#kind[view] === closedTurn || this.resultAt(view) === target ? view : -1
  }

  /** The line that shows `target`, else the last one before it, else the first one; -1 without lines. */
  placeOf(target: number): number {
    const view = this.#viewFrom(target + 1) - 1
    if (view < 0) return this.count > 0 ? 0 : -1
    return this.#kind[view] === issue ? view - 1 : view
  }

  /** Whether a collapsed turn hides `target`. */
  isInClosedTurn(target: number): boolean {
    const view = this.viewOf(target)
    return view >= 0 && this.#kind[view] === closedTurn
  }

  /** Lays out new rows. False if there were none. */
  extend(): boolean {
    const before = this.#laid
    this.turns.extend()
    this.#layTo(Math.min(this.#columns.rows, this.#filter?.decided ?? Infinity))
    return this.#laid > before
  }

  /** Removes the rows from `target` on, and requests about them. Earlier rows must be unchanged. */
  truncate(target: number): void {
    for (const asked of [this.#singled, this.#closed]) for (const at of asked) if (at >= target) asked.delete(at)
    this.turns.truncate(target)
    this.#goBackTo(target)
  }

  /** Shows only matching rows; null shows all. */
  setFilter(filter: ShownRows | null): void {
    this.#filter = filter
    this.refilter(0)
  }

  /** Applies the filter again from row `target` on, and to undecided rows. False if there were none. */
  refilter(target: number): boolean {
    const asked = target < this.#laid
    if (asked) this.refiltered++
    this.#goBackTo(target)
    return this.extend() || asked
  }

  /** Expands or collapses the turn of `target`. False if there is none, or if a filter keeps all expanded. */
  setTurnOpen(target: number, open: boolean): boolean {
    const number = this.turns.turnAt(target)
    if (number < 0 || this.#filter !== null) return false
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
    return this.#recordsShown
  }

  /** Rows with a line of their own, unlike others of their kind. */
  get singled(): ReadonlySet<number> {
    return this.#singled
  }

  /** Shows or hides plain records, also those that were shown singly. */
  showRecords(shown: boolean): void {
    this.#recordsShown = shown
    for (const at of this.#singled) if (this.#isPlain(at)) this.#singled.delete(at)
    this.#layAnewFrom(0)
  }

  /** Gives lines of their own to hidden `rows`, or to results on their call's line. False if there were none. */
  singleOut(rows: Iterable<number>): boolean {
    let first = Infinity
    for (const at of rows) {
      if (at < 0 || at >= this.#laid) continue
      const isJoined = this.resultAt(this.viewOf(at)) === at
      if (!isJoined && !(this.#isHidden(at) && this.#isPassing(at))) continue
      this.#singled.add(at)
      first = Math.min(first, at)
    }
    if (first < this.#laid) this.#layAnewFrom(first)
    return first < Infinity
  }

  /** Moves the result of a call to a line of its own, or back; `target` is either. False if that is impossible. */
  toggleResult(target: number): boolean {
    const joined = this.resultAt(this.viewOf(target))
    if (joined >= 0) return this.singleOut([joined])
    const result = [target, this.#columns.pairOf[target] ?? -1].find(
      (at) => this.#singled.has(at) && !this.#isPlain(at)
    )
    if (result === undefined) return false
    this.#singled.delete(result)
    this.#layAnewFrom(result)
    return true
  }

  #layAnewFrom(target: number): void {
    this.refiltered++
    this.#goBackTo(target)
    this.extend()
  }

  #goBackTo(target: number): void {
    if (target >= this.#laid) return
    const start = Math.max(0, target - (target % block))
    const checkpoint = this.#checkpoints[start / block]
    this.#checkpoints.length = start / block
    this.count = this.#viewFrom(start)
    const last = this.#lastRowView()
    if (this.resultAt(last) >= start) this.#put(last, row, this.rowAt(last), 0)
    this.#laid = start
    this.shown = checkpoint?.shown ?? 0
    this.records = checkpoint?.records ?? 0
    this.#latest = checkpoint?.latest ?? NaN
    this.#dayEnd = this.#endOfDay(this.#latest)
    this.#idle = checkpoint?.idle ?? 0
    this.#newDay = checkpoint?.newDay ?? false
    this.#headed = checkpoint?.headed ?? -1
    this.#turn = this.turns.turnAt(start - 1)
    this.#layTo(target)
  }

  #layTo(end: number): void {
    while (this.#laid < end) {
      const from = this.#laid
      const to = Math.min(end, from - (from % block) + block)
      if (from % block === 0) this.#checkpoints[from / block] = this.#checkpoint()
      if (this.#filter === null) for (let next = from; next < to; next++) this.#add(next)
      else this.#addPassing(this.#filter, from, to)
      this.#laid = to
    }
  }

  #checkpoint(): LayoutCheckpoint {
    return {
      shown: this.shown,
      latest: this.#latest,
      idle: this.#idle,
      newDay: this.#newDay,
      records: this.records,
      headed: this.#headed
    }
  }

  #addPassing(filter: ShownRows, from: number, to: number): void {
    const passes = this.#passes
    const { time } = this.#columns
    filter.mark(this.#columns, from, to, passes)
    for (let next = from; next < to; next++) {
      if (passes[next - from] === 1) this.#add(next)
      else this.#follow(time[next] ?? NaN)
    }
  }

  #add(next: number): void {
    const columns = this.#columns
    const time = columns.time[next] ?? NaN
    this.#follow(time)
    while (this.#turn + 1 < this.turns.count && this.turns.startOf(this.#turn + 1) <= next) this.#turn++
    const head = this.#turn > this.#headed
    const isClosed = this.#turn >= 0 && this.#filter === null && this.#closed.has(this.turns.startOf(this.#turn))
    const showsGap = (this.#idle > 0 || this.#newDay) && time === this.#latest
    this.shown++
    const plain = this.#isPlain(next)
    if (plain) this.records++
    if (isClosed && !head) return this.#addHidden(showsGap)
    if (plain && this.#isHidden(next)) return
    const call = this.#callLine(next)
    if (call >= 0) {
      this.#put(call, pair, this.rowAt(call), next)
      // The call's line shows its duration.
      return this.#addHidden(showsGap)
    }
    if (showsGap) this.#addGap(next)
    if (head) this.#push(isClosed ? closedTurn : turn, next, 0)
    this.#headed = this.#turn
    if (isClosed) return
    this.#push(row, next, 0)
    if ((columns.issues[next] ?? 0) > 0) this.#push(issue, next, 0)
  }

  /** A hidden row also hides the idle time before it. */
  #addHidden(showsGap: boolean): void {
    if (!showsGap) return
    this.#idle = 0
    this.#newDay = false
  }

  /** The line of the call whose result row `next` is, if that is the last line and can show it; else -1. */
  #callLine(next: number): number {
    const { kind, severity, pairOf } = this.#columns
    if ((kind[next] !== resultKind && kind[next] !== failedKind) || severity[next] !== 0) return -1
    const view = this.#lastRowView()
    const isOfCall = this.#kind[view] === row && this.#row[view] === pairOf[next]
    return isOfCall && !this.#newDay && this.#filter?.showsEach !== true && !this.#singled.has(next) ? view : -1
  }

  /** The last line that is not an issue. */
  #lastRowView(): number {
    return this.#kind[this.count - 1] === issue ? this.count - 2 : this.count - 1
  }

  /** A record without event and issue. */
  #isPlain(at: number): boolean {
    const { kind, severity } = this.#columns
    return kind[at] === 0 && severity[at] === 0 && this.#hides
  }

  #isPassing(at: number): boolean {
    this.#filter?.mark(this.#columns, at, at + 1, this.#passes)
    return this.#filter === null || this.#passes[0] === 1
  }

  #isHidden(at: number): boolean {
    if (this.#recordsShown || this.#filter?.showsEach === true) return false
    return this.#isPlain(at) && !this.#singled.has(at)
  }

  /** Updates the time with a row, shown or hidden. */
  #follow(time: number): void {
    const before = this.#latest
    if (time <= before || Number.isNaN(time)) return
    this.#latest = time
    if (time < this.#dayEnd && time - before < idleFromMs) return
    if (time - before >= idleFromMs) this.#idle += time - before
    if (time < this.#dayEnd) return
    this.#dayEnd = this.#endOfDay(time)
    // No day precedes the first time.
    if (!Number.isNaN(before)) this.#newDay = true
  }

  /** Adds a line for idle time or a new day before row `next`; none above the first line. */
  #addGap(next: number): void {
    if (this.count > 0) this.#push(this.#newDay ? day : gap, next, this.#idle)
    this.#idle = 0
    this.#newDay = false
  }

  /** The first line of row `target` or a later row. */
  #viewFrom(target: number): number {
    return firstWhere(this.count, (view) => (this.#row[view] ?? 0) >= target)
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

  #reserve(count: number): void {
    if (count <= this.#amount.length) return
    for (const _ of this.growTo(count));
  }
}

/** In the person's time zone. */
export function localEndOfDay(time: number): number {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}
