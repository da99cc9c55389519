import type { LineSink, ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LineMark, LinePosition, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { snapshotOf } from '../replay/snapshot-of.ts'
import { RequestList } from '../requests/request-list.ts'
import { RunCost } from '../requests/run-cost.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { TodoHistory } from '../replay/todo-history.ts'
import { EventIndex } from './event-index.ts'

/** The index of a run: a row for each event and record, all todo lists, all requests to a model, and the cost. */
export class RunIndex implements LineSink {
  readonly rows = new EventIndex()
  readonly todos = new TodoHistory()
  readonly requests = new RequestList()
  readonly cost = new RunCost()
  /** By row of a turn end: what it adds to the cost, in US dollars, if stated. */
  readonly turnCosts = new SparseNumbers('float64')
  /** Of the format. */
  readonly agentType: LogFormat['agentType']
  /** By file: offset of its unterminated last line. */
  private readonly cut = new Map<string | undefined, number>()

  constructor({ agentType }: Pick<LogFormat, 'agentType'>) {
    this.agentType = agentType
  }

  line(line: ReadLine): void {
    if (!line.at.terminated) this.cut.set(line.at.file, line.at.offset)
    const seq = this.rows.events
    const { rows } = this.rows
    this.rows.addLine(line)
    for (const note of line.tokens ?? []) this.requests.add(note, rows, Math.max(rows, this.rows.rows - 1))
    for (const [i, event] of line.events.entries()) this.addFacts(event, seq + i, rows + i)
  }

  end(events: readonly FoldedEvent[], marks: readonly LineMark[]): void {
    for (const event of events) {
      this.addFacts(event, this.rows.events, this.rows.rows)
      this.rows.addEvent(event)
    }
    this.rows.addMarks(marks)
  }

  /** Whether the file ends without a line end after this line. */
  isCut({ file, offset }: LinePosition): boolean {
    return this.cut.get(file) === offset
  }

  /** `seq`, `row`: of the event. */
  private addFacts(folded: FoldedEvent, seq: number, row: number): void {
    const added = folded.draft.type === 'turn.completed' ? this.cost.add(folded.draft.costUsd) : undefined
    // A difference of decimal numbers: 0.3 - 0.2 is 0.09999999999999998.
    if (added !== undefined) this.turnCosts.set(row, Number(added.toPrecision(12)))
    // Only todo lists are stored whole; stamping every event would be wasted work.
    if (folded.draft.type !== 'todo_list') return
    const snapshot = snapshotOf(stamp(folded, this), seq, folded.at)
    if (snapshot) this.todos.add(snapshot)
  }
}
