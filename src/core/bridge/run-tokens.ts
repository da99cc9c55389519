import { tokenUsage } from '../index/token-usage.ts'
import type { JsonObject } from '../json.ts'

/** Tokens, those read from and written to a cache among the ones sent. */
export interface Tokens {
  readonly sent: number
  readonly received: number
}

const none: Tokens = { sent: 0, received: 0 }

/**
 * The tokens of a run as its agent states them: of turns that are over what their end says, of the one under way what its messages say. A
 * message states its usage anew on each of its records, so only the last one counts.
 */
export class RunTokens {
  #stated = false
  /** Of turns that are over. */
  #turns = none
  /** Of whole messages of the turn under way. */
  #messages = none
  #message = none
  #messageId: string | undefined

  /** Null: the agent has stated none. */
  get total(): Tokens | null {
    return this.#stated ? sum(this.#turns, sum(this.#messages, this.#message)) : null
  }

  /** A record of a message states `usage`. `messageId` undefined: of the message before. */
  message(messageId: string | undefined, usage: JsonObject): void {
    if (messageId !== undefined && messageId !== this.#messageId) {
      this.#messages = sum(this.#messages, this.#message)
      this.#message = none
      this.#messageId = messageId
    }
    const stated = tokensOf(usage)
    if (stated === null) return
    this.#stated = true
    // A later record may state less: some versions put 1 for what was received until they know.
    this.#message = {
      sent: Math.max(this.#message.sent, stated.sent),
      received: Math.max(this.#message.received, stated.received)
    }
  }

  /** A turn is over. Where its end states no usage, what its messages stated stays. */
  turnEnd(usage: JsonObject | undefined): void {
    const stated = usage === undefined ? null : tokensOf(usage)
    if (stated !== null) this.#stated = true
    this.#turns = sum(this.#turns, stated ?? sum(this.#messages, this.#message))
    this.#messages = none
    this.#message = none
    this.#messageId = undefined
  }
}

function sum(a: Tokens, b: Tokens): Tokens {
  return { sent: a.sent + b.sent, received: a.received + b.received }
}

function tokensOf(usage: JsonObject): Tokens | null {
  const { sent, received } = tokenUsage(usage)
  return sent === null && received === null ? null : { sent: sent ?? 0, received: received ?? 0 }
}
