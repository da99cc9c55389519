import { isFiniteNumber, type JsonObject } from '../json.ts'
import { usageNames } from '../requests/tokens.ts'

/** A token count under a name common to all vendors. */
export interface TokenCount {
  readonly name: string
  readonly count: number
  /** Included in the count above. */
  readonly part: boolean
}

export interface TokenUsage {
  readonly counts: readonly TokenCount[]
  /** The vendor's other members. */
  readonly rest: JsonObject
}

interface Meaning {
  readonly name: string
  readonly keys: readonly string[]
  readonly part?: true
}

const meanings: readonly Meaning[] = [
  { name: 'Input', keys: usageNames('input') },
  { name: 'from cache', keys: usageNames('cacheReadOfInput'), part: true },
  // If the input has another key.
  { name: 'not from cache', keys: usageNames('input'), part: true },
  { name: 'to cache', keys: usageNames('cacheWriteOfInput'), part: true },
  { name: 'Read from cache', keys: usageNames('cacheRead') },
  { name: 'Written to cache', keys: usageNames('cacheWrite') },
  { name: 'Output', keys: usageNames('output') },
  { name: 'reasoning', keys: usageNames('reasoning'), part: true },
  { name: 'Thinking', keys: usageNames('thoughts') },
  { name: 'Tool use', keys: usageNames('toolInput') },
  { name: 'Total', keys: ['total_tokens', 'total'] }
]

/** Reads the token counts of any vendor. Unknown keys stay in `rest`. */
export function tokenUsage(usage: JsonObject): TokenUsage {
  const left = new Map(Object.entries(usage))
  const counts: TokenCount[] = []
  for (const { name, keys, part = false } of meanings) {
    const key = keys.find((candidate) => isFiniteNumber(left.get(candidate)))
    const count = key === undefined ? undefined : left.get(key)
    if (key === undefined || !isFiniteNumber(count)) continue
    left.delete(key)
    // An unused cache is not listed.
    if (count !== 0 || name === 'Input' || name === 'Output') counts.push({ name, count, part })
  }
  return { counts, rest: Object.fromEntries(left) }
}
