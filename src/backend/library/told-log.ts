import type { AgentType } from '#core/events/agent-event.ts'
import type { Framing } from '#core/formats/log-format.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import type { LogFacts } from './log-facts.ts'

/** What was read of a log for its card, and of which state of it. Kept in the database as JSON. */
export interface ToldLog {
  readonly facts: LogFacts
  readonly agent: AgentType | null
  /** The id of its format; null: none claims it, or it cannot be read. */
  readonly format: string | null
  readonly framing: Framing
  readonly isPacked: boolean
  /** Nothing stands in it. */
  readonly isEmpty: boolean
  /** Why it is not read, a sentence; null: it is. */
  readonly problem: string | null
  /** It was read, and is no log of an agent. */
  readonly isForeign: boolean
  /** Null: it is empty, foreign or cannot be read. */
  readonly card: ReadCard | null
  /** How much of its head was read: its facts are in there. */
  readonly headBytes: number
  /** Of its last bytes: tells a log that was added to from one that was written anew. */
  readonly tailPrint: string
}
