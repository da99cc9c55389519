import { isFiniteNumber, type JsonObject } from '../../json.ts'
import type { TurnCompleted } from '../../events/agent-event.ts'
import type { ChatMessage } from './chat-decoded.ts'

const counts = ['input', 'output', 'cached', 'thoughts', 'tool', 'total'] as const

/**
 * The main agent's turn: docs/formats/gemini-chat.md#the-next-prompt-ends-a-turn.
 */
export class ChatTurn {
  private prompted = false
  private answered = false
  /** The last thing said: an answer without an open tool call, or why there will be none. */
  private ending: TurnCompleted['finishReason'] | null = null
  private model: string | undefined
  private usage: Record<string, number> | undefined

  /** The model or the program said something. Tool calls of the same message may still follow. */
  said({ kind, text, calls, model }: ChatMessage): void {
    if (kind === 'gemini') {
      this.answered = true
      this.model = model ?? this.model
      const stopped = calls.some((call) => call.state === 'cancelled')
      const goesOn = calls.some((call) => call.state === 'open')
      // A message without a word called a tool: while that runs, nothing is written of it.
      const ended = !goesOn && (text >= 0 || calls.length > 0)
      this.ending = stopped ? 'cancelled' : ended ? 'done' : null
    } else if (kind === 'error' || kind === 'cancel') {
      this.answered = true
      this.ending = kind === 'error' ? 'error' : 'cancelled'
    }
  }

  /** What a message cost, told once for each. */
  count(tokens: JsonObject): void {
    const usage = (this.usage ??= {})
    for (const name of counts) {
      const count = tokens[name]
      if (isFiniteNumber(count)) usage[name] = (usage[name] ?? 0) + count
    }
  }

  /** A prompt: the end of the turn before it, if that has been answered; a skill may be activated before the first prompt. */
  prompt(): TurnCompleted | null {
    const ended = this.prompted && this.answered ? this.take(this.ending ?? 'done') : null
    this.prompted = true
    this.answered = false
    this.ending = null
    return ended
  }

  /** The chat ends, or its program starts again. A turn that waits for an answer then has no end. */
  end(): TurnCompleted | null {
    const finishReason = this.prompted && this.answered ? this.ending : null
    const turn = this.take(finishReason ?? 'done')
    this.prompted = false
    return finishReason === null ? null : turn
  }

  private take(finishReason: TurnCompleted['finishReason']): TurnCompleted {
    const model = this.model
    const usage = this.usage
    this.answered = false
    this.ending = null
    this.model = undefined
    this.usage = undefined
    return {
      type: 'turn.completed',
      finishReason,
      ...(model === undefined ? undefined : { model }),
      ...(usage === undefined ? undefined : { usage })
    }
  }
}
