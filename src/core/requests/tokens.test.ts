import { expect, test } from 'vitest'
import { sentOf, tokensOf } from './tokens.ts'

test.each([
  [
    'Claude: the cache apart from the input',
    { input_tokens: 9, cache_read_input_tokens: 90, cache_creation_input_tokens: 1, output_tokens: 5 },
    { input: 9, cacheRead: 90, cacheWrite: 1, output: 5 }
  ],
  [
    'Codex: the cache in the input, reasoning in the output',
    {
      input_tokens: 100,
      cached_input_tokens: 40,
      cache_write_input_tokens: 10,
      output_tokens: 20,
      reasoning_output_tokens: 8
    },
    { input: 50, cacheRead: 40, cacheWrite: 10, output: 20, reasoning: 8 }
  ],
  [
    'Gemini: thoughts apart from the output, what tools sent apart from the input',
    { input: 120, output: 15, cached: 12, thoughts: 3, tool: 2, total: 140 },
    { input: 110, cacheRead: 12, output: 18, reasoning: 3 }
  ],
  [
    'Cursor',
    { inputTokens: 4, outputTokens: 122, cacheReadTokens: 13535, cacheWriteTokens: 15844 },
    { input: 4, cacheRead: 13535, cacheWrite: 15844, output: 122 }
  ],
  ['what is no count', { input_tokens: '9', output_tokens: -1, cache_read_input_tokens: 1e300 }, {}]
])('the tokens of %s', (_, usage, tokens) => {
  expect(tokensOf(usage)).toEqual(tokens)
})

test('what was sent is known where any of it is', () => {
  expect([sentOf({}), sentOf({ output: 3 }), sentOf({ cacheRead: 3 }), sentOf({ input: 1, cacheWrite: 2 })]).toEqual([
    undefined,
    undefined,
    3,
    3
  ])
})
