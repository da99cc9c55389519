import type { RunAnalysis } from '../analysis/run-analysis.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import type { JsonSink } from './normalized-jsonl.ts'

/** Writes a session for another tool, while its events are read a second time, in order and redacted. */
export interface SessionWriter {
  /** `seq`: the event's number in the log. */
  event(event: AgentEvent, seq: number): void
  end(): void
}

/** What a `SessionWriter` begins with. */
export interface WrittenSession {
  /** Of the whole log. */
  readonly analysis: RunAnalysis
  /** Id of the log's format. */
  readonly format: string | null
  /** The file name of the log. */
  readonly name: string
  /** Redacts a text of the log that is in no event. */
  readonly clean: (text: string) => string
  /** Of Playhead. */
  readonly version: string
  readonly out: JsonSink
}
