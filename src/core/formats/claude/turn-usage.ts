import { isFiniteNumber, type JsonObject, type JsonValue } from '../../json.ts'

/** The counters of `message.usage` that can be added up. */
const counters = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const

/** The counters that a usage states, and nothing else of it. */
export function countersOf(usage: JsonObject): JsonObject {
  return withCounts(counters.map((name) => usage[name]))
}

function withCounts(counts: readonly (JsonValue | undefined)[]): JsonObject {
  const stated: Record<string, number> = {}
  for (const [index, name] of counters.entries()) {
    const count = counts[index]
    if (isFiniteNumber(count)) stated[name] = count
  }
  return stated
}

/**
 * The tokens of one turn, added up from the lines of its messages: docs/formats/claude-stream-json.md#usage-is-repeated-on-each-line.
 * Lines of one message follow each other, but for those of its results.
 */
export class TurnUsage {
  private total: (number | undefined)[] = []
  private message: (number | undefined)[] = []
  private messageId: string | undefined

  /** A line of a message states `usage`. */
  add(messageId: string | undefined, usage: JsonObject): void {
    if (messageId === undefined || messageId !== this.messageId) this.closeMessage()
    this.messageId = messageId
    for (const [index, name] of counters.entries()) {
      const count = usage[name]
      if (isFiniteNumber(count)) this.message[index] = count
    }
  }

  /** What was stated since the last call; undefined where nothing was. */
  take(): JsonObject | undefined {
    this.closeMessage()
    const total = this.total
    this.total = []
    this.messageId = undefined
    return total.length === 0 ? undefined : withCounts(total)
  }

  private closeMessage(): void {
    for (const [index, count] of this.message.entries()) {
      if (count !== undefined) this.total[index] = (this.total[index] ?? 0) + count
    }
    this.message = []
  }
}
