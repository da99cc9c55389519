import type { JsonObject } from '../../json.ts'
import type { Step } from './rollout-decoded.ts'
import { type TokenCounts, tokenCounts, tokensSince } from './token-counts.ts'

type UsageStep = Extract<Step, { kind: 'usage' }>

/** Tokens by turn and request, from totals of the whole thread. */
export class TurnUsage {
  /** Stated for the turn. */
  private turn: TokenCounts | undefined
  /** Total of the thread, and at the turn's start. */
  private total: TokenCounts | undefined
  private base: TokenCounts | undefined
  /** Number of requests so far. */
  requests = 0

  start(): void {
    this.turn = undefined
    this.base = this.total ?? this.base
  }

  /** Adds the stated counts. Returns those of the last request; null for a repetition, which states another limit. */
  note({ turn, total, last }: Pick<UsageStep, 'turn' | 'total' | 'last'>): TokenCounts | null {
    if (turn !== undefined) this.turn = tokenCounts(turn)
    if (total === undefined) return null
    const before = this.total
    this.total = tokenCounts(total)
    // The thread may continue from another file.
    this.base ??= last === undefined ? undefined : tokensSince(this.total, tokenCounts(last))
    if (before !== undefined && sameCounts(before, this.total)) return null
    this.requests += 1
    return last === undefined ? tokensSince(this.total, before ?? {}) : tokenCounts(last)
  }

  /** The turn's tokens so far, if known. */
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
