import type { JsonObject } from '../../json.ts'
import type { Step } from './rollout-decoded.ts'
import { type TokenCounts, tokenCounts, tokensSince } from './token-counts.ts'

type UsageStep = Extract<Step, { kind: 'usage' }>

/** The tokens of each turn, and of each request, from counts that go on over the whole thread. */
export class TurnUsage {
  /** As a record states it of the turn. */
  private turn: TokenCounts | undefined
  /** Of the thread so far, and when the turn began. */
  private total: TokenCounts | undefined
  private base: TokenCounts | undefined
  /** How many requests the records have told of. */
  requests = 0

  /** A turn begins. */
  start(): void {
    this.turn = undefined
    this.base = this.total ?? this.base
  }

  /**
   * All as the log has them. Gives what the request took that was answered last; null where the record only repeats one before it, as it
   * does when only a limit has changed.
   */
  note({ turn, total, last }: Pick<UsageStep, 'turn' | 'total' | 'last'>): TokenCounts | null {
    if (turn !== undefined) this.turn = tokenCounts(turn)
    if (total === undefined) return null
    const before = this.total
    this.total = tokenCounts(total)
    // The thread may have cost something in a file before this one.
    this.base ??= last === undefined ? undefined : tokensSince(this.total, tokenCounts(last))
    if (before !== undefined && sameCounts(before, this.total)) return null
    this.requests += 1
    return last === undefined ? tokensSince(this.total, before ?? {}) : tokenCounts(last)
  }

  /** What the turn has cost so far, as far as the log says so. */
  ofTurn(): JsonObject | undefined {
    const spent = this.turn ?? this.sinceStart()
    return Object.values(spent).some((count) => count !== 0) ? spent : undefined
  }

  private sinceStart(): TokenCounts {
    if (this.total === undefined || this.total === this.base) return {}
    return tokensSince(this.total, this.base ?? {})
  }
}

function sameCounts(a: TokenCounts, b: TokenCounts): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}
