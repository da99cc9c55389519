import { isFiniteNumber, type JsonObject } from '../../json.ts'

/** A vendor counts tokens in a handful of ways. */
const maxCounts = 20

/** The counts of a usage object, under the vendor's names. */
function tokensOf(usage: JsonObject): JsonObject {
  const counts: Record<string, number> = {}
  let found = 0
  for (const key in usage) {
    const count = usage[key]
    if (!isFiniteNumber(count) || key === '__proto__') continue
    counts[key] = count
    found += 1
    if (found === maxCounts) break
  }
  return counts
}

/** The tokens of each turn, from counts that go on over the whole thread. */
export class TurnUsage {
  /** As a record states it of the turn. */
  private turn: JsonObject | undefined
  /** Of the thread so far, and when the turn began. */
  private total: JsonObject | undefined
  private base: JsonObject | undefined

  /** A turn begins. */
  start(): void {
    this.turn = undefined
    this.base = this.total ?? this.base
  }

  /** All as the log has them. `last`: what of `total` the latest answer of the model cost. */
  note({ turn, total, last }: { turn?: JsonObject; total?: JsonObject; last?: JsonObject }): void {
    if (turn !== undefined) this.turn = turn
    if (total === undefined) return
    // The thread may have cost something in a file before this one.
    this.base ??= last === undefined ? undefined : difference(tokensOf(total), tokensOf(last))
    this.total = total
  }

  /** What the turn has cost so far, as far as the log says so. */
  ofTurn(): JsonObject | undefined {
    const spent = this.turn === undefined ? this.sinceStart() : tokensOf(this.turn)
    return Object.values(spent).some((count) => count !== 0) ? spent : undefined
  }

  private sinceStart(): JsonObject {
    if (this.total === undefined || this.total === this.base) return {}
    return difference(tokensOf(this.total), tokensOf(this.base ?? {}))
  }
}

/** `total` less `base`; all of it where counting has begun anew. */
function difference(total: JsonObject, base: JsonObject): JsonObject {
  const rest: Record<string, number> = {}
  for (const [key, count] of Object.entries(total)) {
    const before = base[key]
    const value = (isFiniteNumber(count) ? count : 0) - (isFiniteNumber(before) ? before : 0)
    if (value < 0) return total
    rest[key] = value
  }
  return rest
}
