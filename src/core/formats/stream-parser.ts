import type { AgentEvent } from '../events/agent-event.ts'
import type { TeamContext } from '../events/team.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { codexExecJson } from './codex/exec-json.ts'
import { geminiStreamJson } from './gemini/stream-json.ts'
import type { FoldedEvent, LogFormat } from './log-format.ts'
import { LogReader } from './log-reader.ts'
import { stamp } from './stamp.ts'

/**
 * The chunk-fed face of a reader (design.md 5): bytes in, events out, in any chunking. Events come as soon as their line is
 * whole, pieces of a text one by one. After `flush` or `reset` the parser is as new: the next bytes begin another log.
 *
 * What differs from the seeds, and why, is in docs/seeds.md.
 */
class StreamParser {
  readonly #format: LogFormat
  readonly #agentId: string
  readonly #teamContext: TeamContext
  readonly #categories: Readonly<Record<string, string | null>>
  #reader: LogReader
  #events: AgentEvent[] = []

  /** `categories`: names of categories of texts that differ from those of the reader (docs/seeds.md); null: none. */
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
    return this.#take()
  }

  /** The source has ended: the events of a last line without line end, and those only the end reveals. */
  flush(): AgentEvent[] {
    this.#reader.end()
    this.#reader = this.#newReader()
    return this.#take()
  }

  /** Forgets everything, a line begun included. */
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

  #take(): AgentEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}

/** Reads what `claude --output-format stream-json` prints. */
export class ClaudeCodeParser extends StreamParser {
  constructor(agentId: string, teamContext: TeamContext) {
    super(claudeStreamJson, agentId, teamContext, { unparsed: 'result' })
  }
}

/** Reads what `codex exec --json` prints, in the form of today and in the one before 0.44. */
export class CodexParser extends StreamParser {
  constructor(agentId: string, teamContext: TeamContext) {
    super(codexExecJson, agentId, teamContext)
  }
}

/** Reads what `gemini --output-format stream-json` prints. */
export class GeminiParser extends StreamParser {
  constructor(agentId: string, teamContext: TeamContext) {
    super(geminiStreamJson, agentId, teamContext, { 'assistant-message': 'message', unparsed: null, status: null })
  }
}
