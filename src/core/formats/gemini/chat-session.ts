import type { LinePosition } from '../log-format.ts'
import { WrittenList } from '../written-list.ts'

/** A message as far as it has been said. */
export interface SaidMessage {
  /** Lines of its own; those that hold many messages belong to none of them. */
  lines: LinePosition[]
  /** Its place in the conversation, -1 while it is not part of it. */
  index: number
  /** The last checkpoint that it was part of. */
  checkpoint: number
  thoughts: number
  text: boolean
  tokens: boolean
}

/**
 * The conversation of one session: which messages it consists of, by id, in order. What has been said once is remembered even
 * when it is no part of the conversation any more. Every step costs what it adds and drops.
 */
export class ChatSession {
  /** Undefined as long as no record has said it: a document may do so after its messages. */
  id: string | undefined
  /** What `write_todos` wrote. */
  readonly todos = new WrittenList()
  /** No message since the session's program started: what a checkpoint brings now is how it starts. */
  starting = true
  private readonly messages = new Map<string, SaidMessage>()
  private order: SaidMessage[] = []
  private checkpoints = 0

  constructor(id: string | undefined) {
    this.id = id
  }

  knows(key: string): boolean {
    return this.messages.has(key)
  }

  /** The message of this key: it is part of the conversation from now on, where it was or at the end. */
  message(key: string): SaidMessage {
    let message = this.messages.get(key)
    if (message === undefined) {
      message = { lines: [], index: -1, checkpoint: 0, thoughts: 0, text: false, tokens: false }
      this.messages.set(key, message)
    }
    if (message.index < 0) message.index = this.order.push(message) - 1
    return message
  }

  /** Drops the message of this key and all after it; all there are where nobody knows it. */
  rewind(key: string): readonly SaidMessage[] {
    const from = Math.max(0, this.messages.get(key)?.index ?? 0)
    const dropped = this.order.splice(from)
    for (const message of dropped) {
      message.index = -1
      // Should it come back, it is part of the conversation again, and its rows that said so are not.
      message.text = false
      message.thoughts = 0
    }
    return dropped
  }

  /** The conversation consists of these messages now; gives those that are dropped. */
  replace(keys: readonly string[]): readonly SaidMessage[] {
    const before = this.order
    this.order = []
    this.checkpoints += 1
    for (const message of before) message.index = -1
    for (const key of keys) this.message(key).checkpoint = this.checkpoints
    return before.filter((message) => message.checkpoint !== this.checkpoints)
  }
}
