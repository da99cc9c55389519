import type { LineSink, ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LineMark, LinePosition, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { type FindingList, RunFindings } from '../findings/run-findings.ts'
import { snapshotOf } from '../replay/snapshot-of.ts'
import { RequestList } from '../requests/request-list.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { TodoHistory } from '../replay/todo-history.ts'
import { EventIndex } from './event-index.ts'
import { rowMarks } from './row-mark.ts'

const noFindings: FindingList = { list: [], further: new Map() }
const duplicate = rowMarks.indexOf('duplicate')

/** The index of a run: a row for each event and record, all todo lists, all requests to a model, their cost, and the findings. */
export class RunIndex implements LineSink {
  readonly rows = new EventIndex()
  readonly todos = new TodoHistory()
  readonly requests = new RequestList()
  /** By row of a turn end: what it adds to the cost, in US dollars, if stated. */
  readonly turnCosts = new SparseNumbers('float64')
  private readonly found: RunFindings | null
  /** Of the format. */
  readonly agentType: LogFormat['agentType']
  /** By file: offset of its unterminated last line. */
  private readonly cut = new Map<string | undefined, number>()

  /** `findings` false: without them, for who needs only the rest. */
  constructor({ agentType }: Pick<LogFormat, 'agentType'>, { findings = true } = {}) {
    this.agentType = agentType
    this.found = findings ? new RunFindings() : null
  }

  line(line: ReadLine): void {
    if (!line.at.terminated) this.cut.set(line.at.file, line.at.offset)
    const seq = this.rows.events
    const { rows } = this.rows
    this.rows.addLine(line)
    for (const note of line.tokens ?? []) {
      const { first, last } = note.events ?? { first: 0, last: Math.max(0, this.rows.rows - 1 - rows) }
      this.requests.add(note, rows + first, rows + last)
    }
    // The rows of a line's events come first, one after the other.
    for (let i = 0; i < line.events.length; i++) this.addFacts(line.events[i], seq + i, rows + i)
    if (
      line.tokens !== undefined &&
      line.events.length > 0 &&
      line.tokens.some(({ about }) => about === 'compaction')
    ) {
      this.compacted(seq, rows)
    }
  }

  end(events: readonly FoldedEvent[], marks: readonly LineMark[]): void {
    for (const event of events) {
      const { events: seq, rows: row } = this.rows
      this.rows.addEvent(event)
      this.addFacts(event, seq, row, true)
    }
    this.rows.addMarks(marks)
  }

  /** The findings so far. */
  get findings(): FindingList {
    return this.found?.all(this.requests, this.rows) ?? noFindings
  }

  /** Whether the file ends without a line end after this line. */
  isCut({ file, offset }: LinePosition): boolean {
    return this.cut.get(file) === offset
  }

  private compacted(seq: number, row: number): void {
    const { trackId } = this.rows.tracks[this.rows.trackAt(row)] ?? {}
    if (this.rows.markAt(row) !== duplicate) this.found?.compacted(trackId ?? '', seq)
  }

  /** `seq`, `row`: of the event. `atEnd`: no record shows it, the log just ends. */
  private addFacts(folded: FoldedEvent | undefined, seq: number, row: number, atEnd = false): void {
    if (folded === undefined) return
    if (this.rows.markAt(row) !== duplicate) this.found?.add(folded, seq, this.rows.kindAt(row), atEnd)
    const added = folded.draft.type === 'turn.completed' ? this.requests.addRunCost(folded.draft.costUsd) : undefined
    // A difference of decimal numbers: 0.3 - 0.2 is 0.09999999999999998.
    if (added !== undefined) this.turnCosts.set(row, Number(added.toPrecision(12)))
    // Only todo lists are stored whole; stamping every event would be wasted work.
    if (folded.draft.type !== 'todo_list') return
    const snapshot = snapshotOf(stamp(folded, this), seq, folded.at)
    if (snapshot) this.todos.add(snapshot)
  }
}
