import { type JsonObject, objectAt, stringAt } from '../json.ts'
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

/**
 * The key of a response, which each of its records repeats as a whole; undefined without an id. A server that gives all
 * responses one id counts other tokens, or states another time.
 */
export function litellmKey(response: JsonObject): string | undefined {
  const id = stringAt(response, 'id')
  if (id === undefined) return undefined
  const { prompt_tokens: sent, completion_tokens: written } = objectAt(response, 'usage') ?? {}
  return [id, response['created'], sent, written].map(String).join(' ')
}
