import { isFiniteNumber, type JsonObject } from '../../json.ts'

/** Tokens by the vendor's names. */
export type TokenCounts = Readonly<Record<string, number>>

/** Limit of counts; the vendor has five. */
const maxCounts = 32

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

/** The tokens between two totals of the thread. A smaller total means that counting restarted. */
export function tokensSince(total: TokenCounts, before: TokenCounts): TokenCounts {
  const spent: Record<string, number> = {}
  for (const key in total) {
    const difference = (total[key] ?? 0) - (before[key] ?? 0)
    if (difference < 0) return total
    spent[key] = difference
  }
  return spent
}
