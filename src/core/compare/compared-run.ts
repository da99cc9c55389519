import type { LineSink, ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LineMark, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { RunIndex } from '../index/run-index.ts'
import { SessionCounter } from '../library/session-counter.ts'
import type { TodoItem } from '../events/todo.ts'
import type { ComparedSession } from './compare-sessions.ts'
import type { ComparedTotals } from './compared-figures.ts'
import { SessionSteps } from './session-steps.ts'

/** What came of a session. */
export interface SessionOutcome {
  /** Relative to the session's folder where they are inside it. */
  readonly changedFiles: ReadonlySet<string>
  /** Normalized, at most 2,000 characters. */
  readonly lastAnswer: string | null
  /** The main agent's final list. */
  readonly todos: readonly TodoItem[]
}

/** A session that was read, to be compared. */
export interface ReadSteps {
  readonly session: ComparedSession
  readonly totals: ComparedTotals
  readonly outcome: SessionOutcome
}

/** Collects what is compared of a session while its log is read. */
export class ComparedRun implements LineSink {
  private readonly format: LogFormat
  private readonly index: RunIndex
  private readonly counter: SessionCounter
  private readonly collected = new SessionSteps()
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
  private get session(): ComparedSession {
    const { rows } = this.index
    return this.collected.session((seq) => rows.markAt(rows.rowOf(seq)) !== 0)
  }

  get steps(): ReadSteps {
    const { counts, times, changedFiles, preview } = this.counter
    const { text } = this.collected
    const paths = new Set(Array.from(changedFiles, (path) => text.path(path)))
    const { model, turns, calls, failedCalls, inputTokens, outputTokens, outputAtLeast } = counts
    const { costUsd, todosDone, todosTotal } = counts
    return {
      session: this.session,
      totals: {
        ...{ model, turns, calls, failedCalls, inputTokens, outputTokens, outputAtLeast },
        ...{ costUsd, todosDone, todosTotal },
        wallMs: times?.wallMs ?? null,
        activeMs: times?.activeMs ?? null,
        filesChanged: paths.size
      },
      outcome: {
        changedFiles: paths,
        lastAnswer: preview.lastAnswer === null ? null : text.of(preview.lastAnswer),
        todos: preview.todos
      }
    }
  }

  private event(folded: FoldedEvent, line: ReadLine | null): void {
    const event = stamp(folded, this.format)
    this.collected.add(event, this.events)
    this.counter.event(event, this.events, folded, line)
    this.events++
  }
}
