import { isFiniteNumber, type JsonObject, objectAt } from '../json.ts'

/**
 * Tokens by category. No token is in two of them, but reasoning, which is a part of the output. A category that the log does not state is
 * absent; it is never 0 for that.
 */
export interface Tokens {
  /** Sent, and in no cache. */
  readonly input?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  /** All that the model wrote: texts, thoughts and calls. */
  readonly output?: number | undefined
  readonly reasoning?: number | undefined
}

export const tokenCategories = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning'] as const
export type TokenCategory = (typeof tokenCategories)[number]

/** More than any request can have. What is larger, or no whole number, is no count of tokens. */
export const maxTokens = 4_000_000_000

function count(usage: JsonObject, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = usage[key]
    if (isFiniteNumber(value) && value >= 0 && value <= maxTokens) return Math.round(value)
  }
  return undefined
}

/**
 * The tokens of a vendor's usage record. Claude states what it read from and wrote to a cache apart from the input
 * (`cache_read_input_tokens`); Codex (`cached_input_tokens`) and Gemini (`cached`) count it in the input; Cursor has names of its own. Gemini
 * counts thoughts apart from the output, and what tools sent apart from the input; Codex has its reasoning in the output.
 */
export function tokensOf(usage: JsonObject): Tokens {
  const read = count(usage, 'cache_read_input_tokens', 'cacheReadTokens')
  const write = count(usage, 'cache_creation_input_tokens', 'cacheWriteTokens')
  const readOfInput = read === undefined ? count(usage, 'cached_input_tokens', 'cached') : undefined
  const writeOfInput = write === undefined ? count(usage, 'cache_write_input_tokens') : undefined
  const sent = count(usage, 'input_tokens', 'inputTokens', 'prompt_tokens', 'input')
  const ofTools = count(usage, 'tool') ?? 0
  const written = count(usage, 'output_tokens', 'outputTokens', 'completion_tokens', 'output')
  const thoughts = count(usage, 'thoughts')
  const details = objectAt(usage, 'output_tokens_details') ?? {}
  const reasoning = thoughts ?? count(usage, 'reasoning_output_tokens') ?? count(details, 'thinking_tokens')
  return stated({
    input: sent === undefined ? undefined : Math.max(0, sent - (readOfInput ?? 0) - (writeOfInput ?? 0)) + ofTools,
    cacheRead: read ?? readOfInput,
    cacheWrite: write ?? writeOfInput,
    output: written === undefined ? undefined : written + (thoughts ?? 0),
    reasoning
  })
}

/** All that was sent, in a cache or not; undefined where nothing of it is stated. */
export function sentOf({ input, cacheRead, cacheWrite }: Tokens): number | undefined {
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
}

/** The sum of what is stated. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  const sum: Record<string, number | undefined> = {}
  for (const category of tokenCategories) {
    const [first, second] = [a[category], b[category]]
    sum[category] = first === undefined ? second : first + (second ?? 0)
  }
  return stated(sum)
}

function stated(tokens: { readonly [C in TokenCategory]?: number | undefined }): Tokens {
  const known: { [C in TokenCategory]?: number } = {}
  for (const category of tokenCategories) {
    const value = tokens[category]
    if (value !== undefined && value <= maxTokens) known[category] = value
  }
  return known
}
