import { isFiniteNumber, type JsonObject } from '../../json.ts'

/** Tokens by the vendor's own names. */
export type TokenCounts = Readonly<Record<string, number>>

/** The vendor has five; what is more than this is no count of tokens. */
const maxCounts = 32

/** The numbers of a usage record. */
export function tokenCounts(usage: JsonObject): TokenCounts {
  const counts: Record<string, number> = {}
  let count = 0
  for (const key in usage) {
    const value = usage[key]
    if (!isFiniteNumber(value)) continue
    counts[key] = value
    count += 1
    if (count === maxCounts) break
  }
  return counts
}

/**
 * What was spent between two totals: the log states totals of the whole thread. Where a total is less than before, counting has
 * begun anew, and the total is what was spent.
 */
export function tokensSince(total: TokenCounts, before: TokenCounts): TokenCounts {
  const spent: Record<string, number> = {}
  for (const key in total) {
    const difference = (total[key] ?? 0) - (before[key] ?? 0)
    if (difference < 0) return total
    spent[key] = difference
  }
  return spent
}
