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

/**
 * The turns of a run: from what a person asked the main agent to the next thing they asked. A turn begins with a prompt, or with the
 * start of a session where the log does not hold its prompts; several of them before the agent does anything are one turn. What stands
 * before the first belongs to none. Computed from the columns as they grow, a few bytes a turn.
 */
export class Turns {
  private readonly columns: TurnColumns
  private readonly starts = new Column('uint32', 6)
  /** Rows looked at so far. */
  private seen = 0
  /** The last turn has only begun: no sign of work yet. */
  private isFresh = false

  constructor(columns: TurnColumns) {
    this.columns = columns
  }

  get count(): number {
    return this.starts.length
  }

  /** Takes in the rows that came since. */
  extend(): void {
    const { kind, track, rows } = this.columns
    for (; this.seen < rows; this.seen++) {
      if (track[this.seen] !== 0) continue
      const index = kind[this.seen] ?? 0
      if (isWork[index] === true) {
        this.isFresh = false
      } else if ((index === promptIndex || index === sessionIndex) && !this.isFresh) {
        this.starts.push(this.seen)
        this.isFresh = true
      }
    }
  }

  /** Forgets the rows from `row` on: they were taken back, and others may come in their place. Those before it must be as they were. */
  truncate(row: number): void {
    if (row >= this.seen) return
    this.starts.truncate(this.turnAt(row - 1) + 1)
    const last = this.count - 1
    this.seen = last < 0 ? 0 : this.startOf(last)
    // What followed the start of the last turn is looked at once more, but for the start itself.
    this.isFresh = last >= 0
    if (last >= 0) this.seen++
    const { columns } = this
    for (; this.seen < row; this.seen++) {
      if (columns.track[this.seen] === 0 && isWork[columns.kind[this.seen] ?? 0] === true) this.isFresh = false
    }
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
