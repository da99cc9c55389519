import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { tokenUsage } from './token-usage.ts'

/** Counts as a person sees them, parts indented. */
const told = (usage: JsonObject) => tokenUsage(usage).counts.map((c) => `${c.part ? '  ' : ''}${c.name} ${c.count}`)

describe('the tokens of a turn are told in the same words for every vendor', () => {
  test('where the cache is counted apart from the input', () => {
    const usage = { input_tokens: 9, cache_read_input_tokens: 90, cache_creation_input_tokens: 1, output_tokens: 5 }
    expect(told(usage)).toEqual(['Input 9', 'Read from cache 90', 'Written to cache 1', 'Output 5'])
    expect(tokenUsage(usage)).toMatchObject({ rest: {} })
  })

  test('where the cache is part of the input, and reasoning of the output', () => {
    const usage = {
      input_tokens: 100,
      cached_input_tokens: 40,
      cache_write_input_tokens: 0,
      output_tokens: 20,
      reasoning_output_tokens: 8
    }
    expect(told(usage)).toEqual(['Input 100', '  from cache 40', 'Output 20', '  reasoning 8'])
  })

  test('where statistics stand beside the counts', () => {
    const usage = {
      total_tokens: 405,
      input_tokens: 360,
      output_tokens: 45,
      cached: 36,
      input: 324,
      duration_ms: 7,
      models: { m: { input_tokens: 1 } }
    }
    expect(told(usage)).toEqual(['Input 360', '  from cache 36', '  not from cache 324', 'Output 45', 'Total 405'])
    expect(tokenUsage(usage).rest).toEqual({ duration_ms: 7, models: { m: { input_tokens: 1 } } })
  })

  test('where they have short names', () => {
    const usage = { input: 120, output: 15, cached: 12, thoughts: 3, tool: 0, total: 138 }
    expect(told(usage)).toEqual(['Input 120', '  from cache 12', 'Output 15', 'Thinking 3', 'Total 138'])
  })

  test('what is no count, or not known, stays as it is', () => {
    const usage = { input_tokens: '9', output_tokens: null, service_tier: 'standard', steps: 3 }
    expect(tokenUsage(usage)).toEqual({ counts: [], rest: usage })
  })
})
