import type { LineSink, ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LineMark, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { EventIndex } from '../index/event-index.ts'
import { SessionCounter } from '../library/session-counter.ts'
import type { TodoItem } from '../events/todo.ts'
import { rowMarks } from '../index/row-mark.ts'
import type { TouchedFiles } from './common-folder.ts'
import type { ComparedSession } from './compare-sessions.ts'
import type { ComparedTotals } from './compared-figures.ts'
import { type Answer, SessionSteps } from './session-steps.ts'
import { maxTarget } from './step.ts'

/** What came of a session. */
export interface SessionOutcome {
  /** By path, relative to the session's folder where it is inside: the events that changed the file, at most 100. */
  readonly changedFiles: ReadonlyMap<string, readonly number[]>
  readonly lastAnswer: Answer | null
  /** The main agent's final list. */
  readonly todos: readonly TodoItem[]
}

/** A session that was read, to be compared. */
export interface ReadSteps {
  readonly touched: TouchedFiles
  readonly session: ComparedSession
  readonly totals: ComparedTotals
  readonly outcome: SessionOutcome
}

/** Collects what is compared of a session while its log is read. */
export class ComparedRun implements LineSink {
  private readonly format: LogFormat
  private readonly rows = new EventIndex()
  private readonly counter: SessionCounter
  private readonly collected: SessionSteps
  private events = 0

  /** `folder`: where the session worked; null: as its log states. */
  constructor(format: LogFormat, folder: string | null = null) {
    this.collected = new SessionSteps(folder)
    this.format = format
    this.counter = new SessionCounter(format)
  }

  line(line: ReadLine): void {
    this.rows.addLine(line)
    this.counter.line(line)
    for (const folded of line.events) this.event(folded, line)
  }

  end(events: readonly FoldedEvent[], marks: readonly LineMark[]): void {
    for (const folded of events) {
      this.rows.addEvent(folded)
      this.event(folded, null)
    }
    this.rows.addMarks(marks)
  }

  get steps(): ReadSteps {
    const { counts, times, preview } = this.counter
    const { rows } = this
    const session = this.collected.session((seq) => rowMarks[rows.markAt(rows.rowOf(seq))] ?? null)
    const changedFiles = this.changedFiles(session)
    const { model, turns, calls, failedCalls, inputTokens, outputTokens, outputAtLeast } = counts
    const { costUsd, spent, todosDone, todosTotal } = counts
    return {
      session,
      touched: this.collected.touched,
      totals: {
        ...{ model, turns, calls, failedCalls, inputTokens, outputTokens, outputAtLeast },
        ...{ costUsd, spent, todosDone, todosTotal },
        wallMs: times?.wallMs ?? null,
        activeMs: times?.activeMs ?? null,
        filesChanged: changedFiles.size
      },
      outcome: {
        changedFiles,
        lastAnswer: this.collected.lastAnswer(session),
        todos: preview.todos
      }
    }
  }

  private changedFiles(session: ComparedSession): ReadonlyMap<string, readonly number[]> {
    const { text } = this.collected
    const changes = this.collected.changes(session)
    const paths = Array.from(this.counter.changedFiles, (path) => text.path(path))
    return new Map(paths.map((path) => [path, changes.get(path.slice(0, maxTarget)) ?? []]))
  }

  private event(folded: FoldedEvent, line: ReadLine | null): void {
    const event = stamp(folded, this.format)
    this.collected.add(event, this.events)
    this.counter.event(event, this.events, folded, line)
    this.events++
  }
}
