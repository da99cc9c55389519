import { isFiniteNumber, type JsonObject } from '../json.ts'
import { usageNames } from '../requests/tokens.ts'

/** A count of tokens in words that are the same for every vendor. */
export interface TokenCount {
  readonly name: string
  readonly count: number
  /** Already counted in the one above it. */
  readonly part: boolean
}

/** What a turn used. */
export interface TokenUsage {
  readonly counts: readonly TokenCount[]
  /** What the vendor says besides. */
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
  // Where the input has its own name already.
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

/** Reads the token counts out of a turn's usage, whatever its vendor calls them. Keys it does not know stay in `rest`. */
export function tokenUsage(usage: JsonObject): TokenUsage {
  const left = new Map(Object.entries(usage))
  const counts: TokenCount[] = []
  for (const { name, keys, part = false } of meanings) {
    const key = keys.find((candidate) => isFiniteNumber(left.get(candidate)))
    const count = key === undefined ? undefined : left.get(key)
    if (key === undefined || !isFiniteNumber(count)) continue
    left.delete(key)
    // A cache that was not used says nothing.
    if (count !== 0 || name === 'Input' || name === 'Output') counts.push({ name, count, part })
  }
  return { counts, rest: Object.fromEntries(left) }
}
