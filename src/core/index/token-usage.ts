import { isFiniteNumber, type JsonObject } from '../json.ts'

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
  { name: 'Input', keys: ['input_tokens', 'inputTokens', 'prompt_tokens', 'input'] },
  { name: 'from cache', keys: ['cached_input_tokens', 'cached'], part: true },
  // Where the input has its own name already.
  { name: 'not from cache', keys: ['input'], part: true },
  { name: 'to cache', keys: ['cache_write_input_tokens'], part: true },
  // Vendors that state the cache apart from the input say so by these names.
  { name: 'Read from cache', keys: ['cache_read_input_tokens', 'cacheReadTokens'] },
  { name: 'Written to cache', keys: ['cache_creation_input_tokens', 'cacheWriteTokens'] },
  { name: 'Output', keys: ['output_tokens', 'outputTokens', 'completion_tokens', 'output'] },
  { name: 'reasoning', keys: ['reasoning_output_tokens'], part: true },
  { name: 'Thinking', keys: ['thoughts'] },
  { name: 'Tool use', keys: ['tool'] },
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
