import type { LineSink, ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LineMark, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { RunIndex } from '../index/run-index.ts'
import type { SessionCounts } from '../library/session-card.ts'
import { SessionCounter } from '../library/session-counter.ts'
import type { RunTimes } from '../replay/run-time.ts'
import type { TodoItem } from '../events/todo.ts'
import type { ComparedSession } from './compare-sessions.ts'
import { SessionSteps } from './session-steps.ts'

/** The figures of a session beside its steps. Unknown is null. */
export interface SessionTotals extends SessionCounts {
  readonly times: RunTimes | null
  /** Relative to the session's folder where they are inside it. */
  readonly changedFiles: ReadonlySet<string>
  /** Normalized, at most 2,000 characters. */
  readonly lastAnswer: string | null
  /** The main agent's final list. */
  readonly todos: readonly TodoItem[]
}

/** Collects what is compared of a session while its log is read. */
export class ComparedRun implements LineSink {
  private readonly format: LogFormat
  private readonly index: RunIndex
  private readonly counter: SessionCounter
  private readonly steps = new SessionSteps()
  private events = 0

  constructor(format: LogFormat) {
    this.format = format
    this.index = new RunIndex(format)
    this.counter = new SessionCounter(format)
  }

  line(line: ReadLine): void {
    this.index.line(line)
    this.counter.line(line)
    for (const folded of line.events) this.event(folded, line)
  }

  end(events: readonly FoldedEvent[], marks: readonly LineMark[]): void {
    this.index.end(events, marks)
    for (const folded of events) this.event(folded, null)
  }

  /** Without copies, retracted answers and abandoned branches, which are marked. */
  get session(): ComparedSession {
    const { rows } = this.index
    return this.steps.session((seq) => rows.markAt(rows.rowOf(seq)) !== 0)
  }

  get totals(): SessionTotals {
    const { counts, times, changedFiles, preview } = this.counter
    const { text } = this.steps
    return {
      ...counts,
      times,
      changedFiles: new Set(Array.from(changedFiles, (path) => text.path(path))),
      lastAnswer: preview.lastAnswer === null ? null : text.of(preview.lastAnswer),
      todos: preview.todos
    }
  }

  private event(folded: FoldedEvent, line: ReadLine | null): void {
    const event = stamp(folded, this.format)
    this.steps.add(event, this.events)
    this.counter.event(event, this.events, folded, line)
    this.events++
  }
}
