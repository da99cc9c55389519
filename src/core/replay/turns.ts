import { Column } from '../column.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'

/** The log's columns. Only the first `rows` entries are valid. The arrays may be replaced by longer ones. */
export interface TurnColumns {
  readonly rows: number
  /** Index in `rowKinds`. */
  readonly kind: Uint8Array
  /** 0 is the main agent. */
  readonly track: Uint16Array
}

/** Whether a row of this kind is work of the agent, so the next prompt may begin a new turn. */
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
 * Detects turn starts from the main agent's rows in order. A turn begins with a prompt after the previous turn has
 * ended, or with the start of a session if the log has no prompts. A prompt typed while the agent works belongs to the
 * current turn; so do several prompts before any work.
 */
export class TurnStarts {
  /** The turn has begun without work so far. */
  private isFresh = false
  /** The next prompt begins a new turn. */
  private isOver = true
  private endedWait = false

  /**
   * Whether the last row ended a wait for the person: it began a turn, or is the first prompt of a session that had begun
   * without one.
   */
  get endsWait(): boolean {
    return this.endedWait
  }

  /** Whether a row of this kind, an index in `rowKinds`, begins a turn. */
  next(kind: number): boolean {
    const wasOver = this.isOver
    const begins = this.read(kind)
    this.endedWait = begins || (kind === promptIndex && wasOver)
    return begins
  }

  private read(kind: number): boolean {
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
 * The turns of a run: from one prompt to the main agent to the next (`TurnStarts`). Rows before the first prompt belong
 * to none. Extended as the columns grow; a few bytes a turn.
 */
export class Turns {
  private readonly columns: TurnColumns
  private readonly starts = new Column('uint32', 6)
  /** Rows read so far. */
  private seen = 0
  private rule = new TurnStarts()

  constructor(columns: TurnColumns) {
    this.columns = columns
  }

  get count(): number {
    return this.starts.length
  }

  /** Adds the rows since the last call. */
  extend(): void {
    for (; this.seen < this.columns.rows; this.seen++) if (this.beginsAt(this.seen)) this.starts.push(this.seen)
  }

  /** Drops the rows from `row` on: they were retracted and may be replaced. Earlier rows must be unchanged. */
  truncate(row: number): void {
    if (row >= this.seen) return
    this.starts.truncate(this.turnAt(row - 1) + 1)
    const last = this.count - 1
    // At a turn start, the state does not depend on earlier rows.
    this.rule = new TurnStarts()
    for (this.seen = last < 0 ? 0 : this.startOf(last); this.seen < row; this.seen++) this.beginsAt(this.seen)
  }

  private beginsAt(row: number): boolean {
    return this.columns.track[row] === 0 && this.rule.next(this.columns.kind[row] ?? 0)
  }

  /** The first row of a turn. `turn`: 0-based, must exist. */
  startOf(turn: number): number {
    return this.starts.at(turn)
  }

  /** The row after the current last one of a turn. */
  endOf(turn: number): number {
    return turn + 1 < this.count ? this.starts.at(turn + 1) : this.columns.rows
  }

  /** The turn that `row` belongs to; -1 before the first. */
  turnAt(row: number): number {
    return this.starts.firstFrom(row + 1) - 1
  }
}
