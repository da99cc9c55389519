import { firstWhere } from '#core/first-where.ts'
import type { Turns } from '#core/replay/turns.ts'
import { grown } from './grown.ts'
import type { LogColumns } from './log-columns.ts'

/** The content of a 24 px line. `pair`: a call and its result, or the error about a line and its text. `gap`: idle time. `turn`, `closed-turn`: its head. */
export type ViewKind = 'row' | 'pair' | 'issue' | 'gap' | 'day' | 'turn' | 'closed-turn'

const row = 0
const issue = 1
const gap = 2
const day = 3
const turn = 4
const closedTurn = 5
const pair = 6
const viewKinds: readonly ViewKind[] = ['row', 'issue', 'gap', 'day', 'turn', 'closed-turn', 'pair']

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

/** What a person asked for beside the filter. */
export interface LineChoices {
  /** Plain records have lines. */
  recordsShown: boolean
  /** Records that are shown although others are hidden, and results on a line of their own. */
  readonly singled: ReadonlySet<number>
  /** First rows of the collapsed turns. */
  readonly closed: ReadonlySet<number>
}

/** What the lines of a log are made of, whatever the filter. */
export interface LineSource {
  readonly columns: LogColumns
  readonly turns: Turns
  readonly endOfDay: EndOfDay
  /** False: every record has a line, as in a log of unknown format. */
  readonly hides: boolean
  readonly choices: LineChoices
}

/** The lines of the rows that pass one filter, laid out block by block. Row numbers ascend along the lines. */
export class LaidLines {
  /** Lines. */
  count = 0
  /** Rows that pass the filter. */
  shown = 0
  /** Plain records among them: no event, no issue. */
  records = 0
  /** Null: all rows. */
  filter: ShownRows | null = null
  readonly #source: LineSource
  readonly #passes = new Uint8Array(block)
  #kind = new Uint8Array(1024)
  #row = new Int32Array(1024)
  /** Idle time in ms of a gap or new day; the second row of a pair. */
  #amount = new Float64Array(1024)
  /** Rows laid out so far. */
  #laid = 0
  /** By block: the state before its first row. */
  #checkpoints: LayoutCheckpoint[] = []
  /** The latest time so far: a record that goes back in time opens no gap. */
  #latest = NaN
  #dayEnd = NaN
  /** Idle time and a new day without a line so far, because the rows after them are hidden. */
  #idle = 0
  #newDay = false
  /** The turn of the last row, and the last turn that has a head; -1 for none. */
  #turn = -1
  #headed = -1

  constructor(source: LineSource) {
    this.#source = source
  }

  /** Rows laid out so far, shown or hidden. */
  get laid(): number {
    return this.#laid
  }

  /** Whether there are rows to lay out. */
  get isBehind(): boolean {
    return this.#laid < this.#end
  }

  get #end(): number {
    return Math.min(this.#source.columns.rows, this.filter?.decided ?? Infinity)
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

  kindAt(view: number): ViewKind {
    return viewKinds[this.#kind[view] ?? row] ?? 'row'
  }

  rowAt(view: number): number {
    return this.#row[view] ?? -1
  }

  amountAt(view: number): number {
    return this.#amount[view] ?? 0
  }

  resultAt(view: number): number {
    return this.#kind[view] === pair ? this.amountAt(view) : -1
  }

  isClosedTurn(view: number): boolean {
    return this.#kind[view] === closedTurn
  }

  viewOf(target: number): number {
    if (target < 0 || target >= this.#laid) return -1
    const view = this.placeOf(target)
    const first = this.rowAt(view)
    // There is no line above the first one.
    if (target < first) return -1
    return first === target || this.isClosedTurn(view) || this.resultAt(view) === target ? view : -1
  }

  placeOf(target: number): number {
    const view = this.#viewFrom(target + 1) - 1
    if (view < 0) return this.count > 0 ? 0 : -1
    return this.#kind[view] === issue ? view - 1 : view
  }

  /** Becomes the lines of `filter`, of which those of the rows below `target` are as in `from`. */
  begin(filter: ShownRows | null, from: LaidLines, target: number): void {
    const start = target - (target % block)
    this.filter = filter
    this.#checkpoints = from.#checkpoints.slice(0, start / block + 1)
    this.count = start === 0 ? 0 : from.#viewFrom(start)
    this.#reserve(this.count)
    this.#kind.set(from.#kind.subarray(0, this.count))
    this.#row.set(from.#row.subarray(0, this.count))
    this.#amount.set(from.#amount.subarray(0, this.count))
    this.#goBackToBlock(target)
    while (this.#laid < target) this.#layBlock(target)
  }

  /** Lays out the next rows, at most a block. False: there are none. */
  layOn(): boolean {
    const before = this.#laid
    this.layTo(Math.min(this.#end, before - (before % block) + block))
    return this.#laid > before
  }

  /** Lays out all rows below `end` that are decided. */
  layTo(end: number): void {
    const to = Math.min(end, this.#end)
    while (this.#laid < to) this.#layBlock(to)
  }

  /** Removes the lines of the rows from `target` on. */
  goBackTo(target: number): void {
    if (target >= this.#laid) return
    this.#goBackToBlock(target)
    while (this.#laid < target) this.#layBlock(target)
  }

  /** A record without event and issue. */
  isPlain(at: number): boolean {
    const { columns, hides } = this.#source
    return columns.kind[at] === 0 && columns.severity[at] === 0 && hides
  }

  isPassing(at: number): boolean {
    this.filter?.mark(this.#source.columns, at, at + 1, this.#passes)
    return this.filter === null || this.#passes[0] === 1
  }

  isHidden(at: number): boolean {
    const { recordsShown, singled } = this.#source.choices
    if (recordsShown || this.filter?.showsEach === true) return false
    return this.isPlain(at) && !singled.has(at)
  }

  #goBackToBlock(target: number): void {
    const start = Math.max(0, target - (target % block))
    const checkpoint = this.#checkpoints[start / block]
    this.#checkpoints.length = Math.min(this.#checkpoints.length, start / block)
    this.count = start === 0 ? 0 : this.#viewFrom(start)
    const last = this.#lastRowView()
    if (this.resultAt(last) >= start) this.#put(last, row, this.rowAt(last), 0)
    this.#laid = start
    this.shown = checkpoint?.shown ?? 0
    this.records = checkpoint?.records ?? 0
    this.#latest = checkpoint?.latest ?? NaN
    this.#dayEnd = this.#source.endOfDay(this.#latest)
    this.#idle = checkpoint?.idle ?? 0
    this.#newDay = checkpoint?.newDay ?? false
    this.#headed = checkpoint?.headed ?? -1
    this.#turn = this.#source.turns.turnAt(start - 1)
  }

  #layBlock(end: number): void {
    const from = this.#laid
    const to = Math.min(end, from - (from % block) + block)
    if (from % block === 0) this.#checkpoints[from / block] = this.#checkpoint()
    if (this.filter === null) for (let next = from; next < to; next++) this.#add(next)
    else this.#addPassing(this.filter, from, to)
    this.#laid = to
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
    const { columns } = this.#source
    const { time } = columns
    filter.mark(columns, from, to, passes)
    for (let next = from; next < to; next++) {
      if (passes[next - from] === 1) this.#add(next)
      else this.#follow(time[next] ?? NaN)
    }
  }

  #add(next: number): void {
    const { columns, turns, choices } = this.#source
    const time = columns.time[next] ?? NaN
    this.#follow(time)
    while (this.#turn + 1 < turns.count && turns.startOf(this.#turn + 1) <= next) this.#turn++
    const head = this.#turn > this.#headed
    const isClosed = this.#turn >= 0 && this.filter === null && choices.closed.has(turns.startOf(this.#turn))
    const showsGap = (this.#idle > 0 || this.#newDay) && time === this.#latest
    this.shown++
    const plain = this.isPlain(next)
    if (plain) this.records++
    if (isClosed && !head) return this.#addHidden(showsGap)
    if (plain && this.isHidden(next)) return
    const partner = this.#partnerLine(next)
    if (partner >= 0) {
      this.#put(partner, pair, this.rowAt(partner), next)
      // A call's line shows its duration.
      return this.#addHidden(showsGap)
    }
    if (showsGap) this.#addGap(next)
    if (head) this.#push(isClosed ? closedTurn : turn, next, 0)
    this.#headed = this.#turn
    if (isClosed) return
    this.#push(row, next, 0)
    if ((columns.issues[next] ?? 0) > 0 && !columns.tellsIssue(next)) this.#push(issue, next, 0)
  }

  /** A hidden row also hides the idle time before it. */
  #addHidden(showsGap: boolean): void {
    if (!showsGap) return
    this.#idle = 0
    this.#newDay = false
  }

  /** The line of the row whose partner row `next` is, if that is the last line and can show it; else -1. */
  #partnerLine(next: number): number {
    const { columns, choices } = this.#source
    const partner = columns.partnerOf(next)
    if (partner < 0 || columns.severity[next] !== 0) return -1
    const view = this.#lastRowView()
    const isLast = this.#kind[view] === row && this.#row[view] === partner
    return isLast && !this.#newDay && this.filter?.showsEach !== true && !choices.singled.has(next) ? view : -1
  }

  /** The last line that is not an issue. */
  #lastRowView(): number {
    return this.#kind[this.count - 1] === issue ? this.count - 2 : this.count - 1
  }

  /** Updates the time with a row, shown or hidden. */
  #follow(time: number): void {
    const before = this.#latest
    if (time <= before || Number.isNaN(time)) return
    this.#latest = time
    if (time < this.#dayEnd && time - before < idleFromMs) return
    if (time - before >= idleFromMs) this.#idle += time - before
    if (time < this.#dayEnd) return
    this.#dayEnd = this.#source.endOfDay(time)
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
