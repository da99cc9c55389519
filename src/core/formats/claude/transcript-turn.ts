import type { TurnCompleted } from '../../events/agent-event.ts'
import type { LinePosition } from '../log-format.ts'
import type { TranscriptDecoded } from './decoded.ts'
import type { ClaudeFold } from './fold.ts'
import { TurnUsage } from './turn-usage.ts'

const endings = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal'])

/** The main agent's turn: docs/formats/claude-transcript.md#a-turn-ends-once-by-the-first-sign. */
export class TranscriptTurn {
  private readonly fold: ClaudeFold
  private readonly usage = new TurnUsage()
  private open = false
  /** No turn has begun or ended yet: the log may start within one. */
  private unknown = true
  /** The agent has done something since the last prompt. */
  private answered = false
  /** The last thing the agent said was an API error. */
  private failed = false
  /** A response with a final stop reason; more lines of the same message may follow it. */
  private ending: { messageId: string | undefined } | null = null
  private model: string | undefined
  private begunAt: number | undefined
  private lastActAt: number | undefined
  /** The last line that is part of the open turn. */
  private lastLine: LinePosition | null = null

  constructor(fold: ClaudeFold) {
    this.fold = fold
  }

  /** A line of the main agent begins: the response before it may be over, and this one may go on with it. */
  next(decoded: TranscriptDecoded): void {
    const { message, steps, drafts, meta } = decoded
    const ending = this.ending
    if (ending !== null && (message?.id === undefined || message.id !== ending.messageId)) {
      this.ending = null
      // A line which is itself the end of the turn says more about it.
      // After a word of the harness (a cut-off stream, a stop hook) the agent goes on with the same turn.
      if (!meta && !steps.some((step) => step.kind === 'turn-end' || step.kind === 'interrupt')) this.close()
    }
    if (message !== undefined) {
      this.failed = message.voice === 'error'
      if (message.model !== undefined) this.model = message.model
      if (message.usage !== undefined && message.voice === 'model') this.usage.add(message.id, message.usage)
    }
    if (drafts.length + steps.length === 0) return
    if (message !== undefined) {
      this.acts(decoded.time)
      this.ending = endings.has(message.stopReason ?? '') ? { messageId: message.id } : null
    } else if (steps.some((step) => step.kind === 'result')) {
      this.acts(decoded.time)
    }
  }

  /** A genuine user prompt: the turn before it is over, if the agent did anything in it. */
  prompt(time: number | undefined): void {
    if (this.answered) this.close()
    if (!this.open) this.begunAt = time
    this.open = true
    this.unknown = false
    this.lastLine = this.fold.here
  }

  /** Another session goes on in the same file. */
  sessionEnds(): void {
    if (this.answered) this.close()
  }

  cancelled(time: number | undefined): void {
    if (time !== undefined) this.lastActAt = time
    this.end('cancelled')
  }

  /** The turn ends with the draft at `body`, unless it already has. */
  endsAt(body: number, decoded: TranscriptDecoded): void {
    const draft = decoded.drafts[body]
    if (draft?.type === 'turn.completed') this.end(draft.finishReason, draft.durationMs)
  }

  private acts(time: number | undefined): void {
    if (!this.open) this.begunAt = time
    this.open = true
    this.unknown = false
    this.answered = true
    this.lastActAt = time
    this.lastLine = this.fold.here
  }

  /** The line being added is no part of the turn. */
  private close(): void {
    this.end(this.failed ? 'error' : 'done', undefined, this.lastLine)
  }

  private end(finishReason: TurnCompleted['finishReason'], stated?: number, lastLine?: LinePosition | null): void {
    const usage = this.usage.take()
    const durationMs = stated ?? this.measured()
    if (this.open || this.unknown) {
      const turn: TurnCompleted = { type: 'turn.completed', finishReason }
      if (this.model !== undefined) turn.model = this.model
      if (usage !== undefined) turn.usage = usage
      if (durationMs !== undefined) turn.durationMs = durationMs
      if (lastLine === undefined) this.fold.make(turn, undefined)
      else this.fold.makeOf(lastLine, turn, undefined)
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

  /** From the prompt to the last thing the agent did, as their lines say. */
  private measured(): number | undefined {
    if (this.begunAt === undefined || this.lastActAt === undefined) return undefined
    const duration = this.lastActAt - this.begunAt
    return duration >= 0 ? duration : undefined
  }
}
