import { expect, test } from 'vitest'
import { litellmTokens } from './litellm-tokens.ts'

test('the prompt is without what was cached; what is not stated is absent', () => {
  const cache = { prompt_tokens_details: { cached_tokens: 3482 }, cache_creation_input_tokens: 1158 }
  const counted = { prompt_tokens: 4646, completion_tokens: 177 }
  expect(litellmTokens({ ...counted, ...cache })).toEqual({ input: 6, cacheRead: 3482, cacheWrite: 1158, output: 177 })
  expect(litellmTokens(counted)).toEqual({ input: 4646, output: 177 })
  expect(litellmTokens({ prompt_tokens: 'many' })).toEqual({})
})
