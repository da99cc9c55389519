import { Column } from '../column.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'

/** What is read of a log's columns; only the first `rows` entries mean anything. The arrays may be replaced by longer ones. */
export interface TurnColumns {
  readonly rows: number
  /** Index in `rowKinds`. */
  readonly kind: Uint8Array
  /** 0 is the main agent. */
  readonly track: Uint16Array
}

/** What shows that the agent is at work: the next prompt is a new turn. */
const work: Record<RowKind, boolean> = {
  record: false,
  session: false,
  prompt: false,
  assistant: true,
  reasoning: true,
  status: false,
  'result-text': true,
  tool: true,
  'tool-result': true,
  'tool-error': true,
  turn: true,
  error: true,
  todo: true,
  unparsed: false
}
const isWork = rowKinds.map((kind) => work[kind])
const promptIndex = rowKinds.indexOf('prompt')
const sessionIndex = rowKinds.indexOf('session')
const turnIndex = rowKinds.indexOf('turn')

/**
 * Tells where turns begin, from the rows of the main agent in order. A turn begins with a prompt after the turn before it has ended, or
 * with the start of a session where the log does not hold its prompts. A prompt that is typed while the agent works is part of the turn
 * that goes on; so are several before the agent does anything.
 */
export class TurnStarts {
  /** The turn has only begun: no sign of work yet. */
  private isFresh = false
  /** The next prompt is a new turn. */
  private isOver = true

  /** Whether a row of this kind, an index in `rowKinds`, begins a turn. */
  next(kind: number): boolean {
    if (isWork[kind] === true) {
      this.isFresh = false
      if (kind === turnIndex) this.isOver = true
      return false
    }
    if (kind === promptIndex) {
      const begins = !this.isFresh && this.isOver
      this.isFresh ||= begins
      this.isOver = false
      return begins
    }
    if (kind !== sessionIndex || this.isFresh) return false
    this.isFresh = true
    this.isOver = true
    return true
  }
}

/**
 * The turns of a run: from what a person asked the main agent to the next thing they asked (`TurnStarts`). What stands before the first
 * belongs to none. Computed from the columns as they grow, a few bytes a turn.
 */
export class Turns {
  private readonly columns: TurnColumns
  private readonly starts = new Column('uint32', 6)
  /** Rows looked at so far. */
  private seen = 0
  private rule = new TurnStarts()

  constructor(columns: TurnColumns) {
    this.columns = columns
  }

  get count(): number {
    return this.starts.length
  }

  /** Takes in the rows that came since. */
  extend(): void {
    for (; this.seen < this.columns.rows; this.seen++) if (this.beginsAt(this.seen)) this.starts.push(this.seen)
  }

  /** Forgets the rows from `row` on: they were taken back, and others may come in their place. Those before it must be as they were. */
  truncate(row: number): void {
    if (row >= this.seen) return
    this.starts.truncate(this.turnAt(row - 1) + 1)
    const last = this.count - 1
    // What the rule knows after a turn has begun depends on nothing before it.
    this.rule = new TurnStarts()
    for (this.seen = last < 0 ? 0 : this.startOf(last); this.seen < row; this.seen++) this.beginsAt(this.seen)
  }

  private beginsAt(row: number): boolean {
    return this.columns.track[row] === 0 && this.rule.next(this.columns.kind[row] ?? 0)
  }

  /** The first row of a turn, counted from 0, that there is. */
  startOf(turn: number): number {
    return this.starts.at(turn)
  }

  /** The row after the last one of a turn, so far. */
  endOf(turn: number): number {
    return turn + 1 < this.count ? this.starts.at(turn + 1) : this.columns.rows
  }

  /** The turn that `row` belongs to; -1 before the first. */
  turnAt(row: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.starts.at(middle) <= row) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
