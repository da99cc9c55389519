import type { TurnCompleted } from '../../events/agent-event.ts'
import type { LinePosition } from '../log-format.ts'
import type { TranscriptDecoded } from './decoded.ts'
import type { ClaudeState } from './claude-state.ts'
import { TurnUsage } from './turn-usage.ts'

const endings = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal'])

/** The main agent's turn: docs/formats/claude-transcript.md#a-turn-ends-once-by-the-first-sign. */
export class TranscriptTurn {
  private readonly state: ClaudeState
  private readonly usage = new TurnUsage()
  private open = false
  /** Before the first turn boundary: the log may start within a turn. */
  private unknown = true
  /** The agent acted since the last prompt. */
  private answered = false
  /** The agent's last message was an API error. */
  private failed = false
  /** A response with a final stop reason; further lines of it may follow. */
  private ending: { messageId: string | undefined } | null = null
  private model: string | undefined
  private begunAt: number | undefined
  private lastActAt: number | undefined
  /** The last line of the open turn. */
  private lastLine: LinePosition | null = null

  constructor(state: ClaudeState) {
    this.state = state
  }

  /**
   * Starts a line of the main agent: either it continues the response before it, or that one is complete. `request`:
   * the number of the one that it answers, if it states tokens.
   */
  beginLine(decoded: TranscriptDecoded, request: number | undefined): void {
    const { message, steps, drafts, meta } = decoded
    const ending = this.ending
    if (ending !== null && (message?.id === undefined || message.id !== ending.messageId)) {
      this.ending = null
      // A line that ends the turn has better facts. After text of the harness (a cut-off stream, a stop hook) the same
      // turn continues.
      if (!meta && !steps.some((step) => step.kind === 'turn-end' || step.kind === 'interrupt')) this.close()
    }
    if (message !== undefined) {
      this.failed = message.voice === 'error'
      if (message.model !== undefined) this.model = message.model
      if (message.usage !== undefined && request !== undefined) this.usage.add(request, message.usage)
    }
    if (drafts.length + steps.length === 0) return
    if (message !== undefined) {
      this.noteActivity(decoded.time)
      this.ending = endings.has(message.stopReason ?? '') ? { messageId: message.id } : null
    } else if (steps.some((step) => step.kind === 'result')) {
      this.noteActivity(decoded.time)
    }
  }

  /** A prompt ends the previous turn if the agent acted in it. */
  prompt(time: number | undefined): void {
    if (this.answered) this.close()
    if (!this.open) this.begunAt = time
    this.open = true
    this.unknown = false
    this.lastLine = this.state.here
  }

  endSession(): void {
    if (this.answered) this.close()
  }

  cancel(time: number | undefined): void {
    if (time !== undefined) this.lastActAt = time
    this.end('cancelled')
  }

  /** Ends the turn with the draft at `body`, unless it has ended. */
  endWith(body: number, decoded: TranscriptDecoded): void {
    const draft = decoded.drafts[body]
    if (draft?.type === 'turn.completed') this.end(draft.finishReason, draft.durationMs)
  }

  private noteActivity(time: number | undefined): void {
    if (!this.open) this.begunAt = time
    this.open = true
    this.unknown = false
    this.answered = true
    this.lastActAt = time
    this.lastLine = this.state.here
  }

  /** Ends the turn before the current line. */
  private close(): void {
    this.end(this.failed ? 'error' : 'done', undefined, this.lastLine)
  }

  private end(finishReason: TurnCompleted['finishReason'], stated?: number, lastLine?: LinePosition | null): void {
    const usage = this.usage.drain()
    const durationMs = stated ?? this.measured()
    if (this.open || this.unknown) {
      const turn: TurnCompleted = { type: 'turn.completed', finishReason }
      if (this.model !== undefined) turn.model = this.model
      if (usage !== undefined) turn.usage = usage
      if (durationMs !== undefined) turn.durationMs = durationMs
      if (lastLine === undefined) this.state.emitOwn(turn, undefined)
      else this.state.emitAbout(lastLine, turn, undefined)
    }
    this.open = false
    this.unknown = false
    this.answered = false
    this.failed = false
    this.ending = null
    this.model = undefined
    this.begunAt = undefined
    this.lastActAt = undefined
  }

  /** Ms from the prompt to the agent's last act, by their records. */
  private measured(): number | undefined {
    if (this.begunAt === undefined || this.lastActAt === undefined) return undefined
    const duration = this.lastActAt - this.begunAt
    return duration >= 0 ? duration : undefined
  }
}
