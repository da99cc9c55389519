import { type JsonObject, objectAt } from '../json.ts'
import { type Tokens, tokensOf } from '../requests/tokens.ts'

/** The tokens of a response that LiteLLM made: `prompt_tokens` include what was written to the cache, and read from it. */
export function litellmTokens(usage: JsonObject): Tokens {
  const { prompt_tokens: sent, completion_tokens: written } = usage
  const cached = objectAt(usage, 'prompt_tokens_details')?.['cached_tokens'] ?? usage['cache_read_input_tokens']
  const counted = { prompt_tokens: sent, completion_tokens: written, cached_tokens: cached }
  const tokens = tokensOf(counted)
  const { cacheWrite } = tokensOf({ cache_creation_input_tokens: usage['cache_creation_input_tokens'] })
  if (cacheWrite === undefined) return tokens
  const { input } = tokens
  return { ...tokens, cacheWrite, ...(input !== undefined && { input: Math.max(0, input - cacheWrite) }) }
}
