import { type JsonObject, numberAt, stated } from '../../json.ts'
import type { TurnCompleted } from '../../events/agent-event.ts'
import type { ChatMessage } from './chat-decoded.ts'

const counts = ['input', 'output', 'cached', 'thoughts', 'tool', 'total'] as const

/** The main agent's turn: docs/formats/gemini-chat.md#the-next-prompt-ends-a-turn. */
export class ChatTurn {
  private prompted = false
  private answered = false
  /** How the turn would end now: with an answer without open calls, an error or a cancellation. */
  private ending: TurnCompleted['finishReason'] | null = null
  private model: string | undefined
  private usage: Record<string, number> | undefined

  /** Adds a message; its calls may still be open. */
  add({ kind, text, calls, model }: ChatMessage): void {
    if (kind === 'gemini') {
      this.answered = true
      this.model = model ?? this.model
      const stopped = calls.some((call) => call.state === 'cancelled')
      const isOpen = calls.some((call) => call.state === 'open')
      // Without text and calls, the message waits for a call that is not written yet.
      const ended = !isOpen && (text >= 0 || calls.length > 0)
      this.ending = stopped ? 'cancelled' : ended ? 'done' : null
    } else if (kind === 'error' || kind === 'cancel') {
      this.answered = true
      this.ending = kind === 'error' ? 'error' : 'cancelled'
    }
  }

  /** Adds the tokens of a message, once. */
  addTokens(tokens: JsonObject): void {
    const usage = (this.usage ??= {})
    for (const name of counts) {
      const count = numberAt(tokens, name)
      if (count !== undefined) usage[name] = (usage[name] ?? 0) + count
    }
  }

  /** A prompt ends the turn before it, if that was answered; a skill may be activated before the first prompt. */
  prompt(): TurnCompleted | null {
    const ended = this.prompted && this.answered ? this.complete(this.ending ?? 'done') : null
    this.prompted = true
    this.answered = false
    this.ending = null
    return ended
  }

  /** The end of the chat, or a restart. A turn that waits for an answer has no end. */
  end(): TurnCompleted | null {
    const finishReason = this.prompted && this.answered ? this.ending : null
    const turn = this.complete(finishReason ?? 'done')
    this.prompted = false
    return finishReason === null ? null : turn
  }

  private complete(finishReason: TurnCompleted['finishReason']): TurnCompleted {
    const facts = stated({ model: this.model, usage: this.usage })
    this.answered = false
    this.ending = null
    this.model = undefined
    this.usage = undefined
    return { type: 'turn.completed', finishReason, ...facts }
  }
}
