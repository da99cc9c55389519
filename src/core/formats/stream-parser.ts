import type { AgentEvent } from '../events/agent-event.ts'
import type { TeamContext } from '../events/team.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { codexExecJson } from './codex/exec-json.ts'
import { geminiStreamJson } from './gemini/stream-json.ts'
import type { FoldedEvent, LogFormat } from './log-format.ts'
import { LogReader } from './log-reader.ts'
import { stamp } from './stamp.ts'

/**
 * A chunk-fed parser: bytes in, events out, in any chunking. Events are returned with their line, texts piece by piece.
 * `flush` and `reset` start a new log. docs/seeds.md lists the differences from the seeds.
 */
class StreamParser {
  readonly #format: LogFormat
  readonly #agentId: string
  readonly #teamContext: TeamContext
  readonly #categories: Readonly<Record<string, string | null>>
  #reader: LogReader
  #events: AgentEvent[] = []

  /** `categories`: renamed text categories (docs/seeds.md); null removes one. */
  constructor(
    format: LogFormat,
    agentId: string,
    teamContext: TeamContext,
    categories: Readonly<Record<string, string | null>> = {}
  ) {
    this.#format = format
    this.#agentId = agentId
    this.#teamContext = teamContext
    this.#categories = categories
    this.#reader = this.#newReader()
  }

  /** The events of the lines that end in `chunk`. The caller may reuse the bytes afterwards. */
  parseChunk(chunk: Uint8Array): AgentEvent[] {
    this.#reader.push(chunk)
    return this.#drain()
  }

  /** Ends the source. Returns events of an unterminated line and those that the end reveals. */
  flush(): AgentEvent[] {
    this.#reader.end()
    this.#reader = this.#newReader()
    return this.#drain()
  }

  /** Drops all state, including an incomplete line. */
  reset(): void {
    this.#reader = this.#newReader()
    this.#events = []
  }

  #newReader(): LogReader {
    const identity = { agentId: this.#agentId, teamMetadata: this.#teamContext }
    const keep = (events: readonly FoldedEvent[]): void => {
      for (const event of events) this.#events.push(this.#named(stamp(event, this.#format, identity)))
    }
    return new LogReader(this.#format, { line: ({ events }) => keep(events), end: keep }, { inPieces: true })
  }

  #named(event: AgentEvent): AgentEvent {
    if (event.type !== 'text') return event
    const category = this.#categories[event.category ?? '']
    if (category === undefined) return event
    const { category: _, ...rest } = event
    return category === null ? rest : { ...rest, category }
  }

  #drain(): AgentEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}

/** Parses `claude --output-format stream-json`. */
export class ClaudeCodeParser extends StreamParser {
  constructor(agentId: string, teamContext: TeamContext) {
    super(claudeStreamJson, agentId, teamContext, { unparsed: 'result' })
  }
}

/** Parses `codex exec --json`, including the form before 0.44. */
export class CodexParser extends StreamParser {
  constructor(agentId: string, teamContext: TeamContext) {
    super(codexExecJson, agentId, teamContext)
  }
}

/** Parses `gemini --output-format stream-json`. */
export class GeminiParser extends StreamParser {
  constructor(agentId: string, teamContext: TeamContext) {
    super(geminiStreamJson, agentId, teamContext, { 'assistant-message': 'message', unparsed: null, status: null })
  }
}
