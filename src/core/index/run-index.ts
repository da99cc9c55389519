import type { LineSink, ReadLine } from '../formats/line-folder.ts'
import type { FoldedEvent, LineMark, LinePosition, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { snapshotOf } from '../replay/snapshot-of.ts'
import { RequestList } from '../requests/request-list.ts'
import { RunCost } from '../requests/run-cost.ts'
import { TodoHistory } from '../replay/todo-history.ts'
import { EventIndex } from './event-index.ts'

/** What is kept of a run while it is read: a row in columns for each event and each record, every todo list whole, every request to a model, and what it cost. */
export class RunIndex implements LineSink {
  readonly rows = new EventIndex()
  readonly todos = new TodoHistory()
  readonly requests = new RequestList()
  readonly cost = new RunCost()
  /** As the format says. */
  readonly agentType: LogFormat['agentType']
  /** By file: where the line begins inside which it ends. */
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
    for (const [i, event] of line.events.entries()) this.addFacts(event, seq + i)
  }

  end(events: readonly FoldedEvent[], marks: readonly LineMark[]): void {
    for (const event of events) {
      this.addFacts(event, this.rows.events)
      this.rows.addEvent(event)
    }
    this.rows.addMarks(marks)
  }

  /** Whether the file ends inside the line. */
  isCut({ file, offset }: LinePosition): boolean {
    return this.cut.get(file) === offset
  }

  private addFacts(folded: FoldedEvent, seq: number): void {
    if (folded.draft.type === 'turn.completed') this.cost.add(folded.draft.costUsd)
    // Only todo lists are kept whole; stamping every event would be work for nothing.
    if (folded.draft.type !== 'todo_list') return
    const snapshot = snapshotOf(stamp(folded, this), seq, folded.at)
    if (snapshot) this.todos.add(snapshot)
  }
}
