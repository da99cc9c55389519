import { type JsonObject, numberAt, stated } from '../../json.ts'

/** The additive counters of `message.usage`. */
const counters = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const

/** Only the counters of a usage. */
export function countersOf(usage: JsonObject): JsonObject {
  return withCounts(counters.map((name) => numberAt(usage, name)))
}

function withCounts(counts: readonly (number | undefined)[]): JsonObject {
  return stated(Object.fromEntries(counters.map((name, index) => [name, counts[index]])))
}

/** The tokens of a turn: docs/formats/claude-stream-json.md#usage-is-repeated-on-each-line. */
export class TurnUsage {
  private total: (number | undefined)[] = []
  private message: (number | undefined)[] = []
  /** The number of the last request, and of the last one of an earlier turn. */
  private request = -1
  private ended = -1

  /** `request`: its number. Requests are numbered in order, so a lower one is of an earlier line that was copied. */
  add(request: number, usage: JsonObject): void {
    if (request < this.request || request <= this.ended) return
    if (request !== this.request) this.closeMessage()
    this.request = request
    for (const [index, name] of counters.entries()) {
      const count = numberAt(usage, name)
      if (count !== undefined) this.message[index] = count
    }
  }

  /** Drains the sum; undefined if nothing was stated. */
  drain(): JsonObject | undefined {
    this.closeMessage()
    const total = this.total
    this.total = []
    this.ended = this.request
    return total.length === 0 ? undefined : withCounts(total)
  }

  private closeMessage(): void {
    for (const [index, count] of this.message.entries()) {
      if (count !== undefined) this.total[index] = (this.total[index] ?? 0) + count
    }
    this.message = []
  }
}
