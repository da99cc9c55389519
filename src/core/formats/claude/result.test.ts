import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import type { EventDraft } from '../log-format.ts'
import { claudeStreamJson } from './stream-json.ts'

const result = (rest: JsonObject): readonly EventDraft[] =>
  claudeStreamJson.decode({ type: 'result', session_id: 's', ...rest }, { line: 1, offset: 0, length: 0 }).drafts

describe('how a turn ended', () => {
  test.each<[string, JsonObject]>([
    ['done', { subtype: 'success', is_error: false }],
    ['done', { subtype: 'success', terminal_reason: 'completed' }],
    ['error', { subtype: 'success', is_error: true, terminal_reason: 'api_error' }],
    ['error', { subtype: 'error_max_turns', is_error: false }],
    ['error', { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }],
    ['error', { subtype: 'error_max_budget_usd' }],
    ['error', { subtype: 'error_max_structured_output_retries' }],
    ['error', { subtype: 'error_during_execution', errors: ['No conversation found'] }],
    ['cancelled', { subtype: 'error_during_execution', errors: ['Request was aborted.'] }],
    ['cancelled', { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' }],
    ['cancelled', { subtype: 'success', terminal_reason: 'aborted_streaming' }]
  ])('%s: %j', (finishReason, rest) => {
    expect(result(rest).at(-1)).toEqual({ type: 'turn.completed', finishReason })
  })

  test('its text is a result, not a message', () => {
    expect(result({ subtype: 'success', result: 'Done.' })[0]).toEqual({
      type: 'text',
      text: 'Done.',
      role: 'assistant',
      category: 'result'
    })
  })

  test.each<[JsonObject, string, string]>([
    [{ subtype: 'error_max_turns', errors: ['Reached 3', 'turns'] }, 'error_max_turns', 'Reached 3\nturns'],
    [{ subtype: 'error_max_turns' }, 'error_max_turns', 'error_max_turns'],
    [
      { subtype: 'success', is_error: true, api_error_status: 529, result: 'API Error: 529' },
      'api_error_529',
      'API Error: 529'
    ],
    [{ subtype: 'success', is_error: true, terminal_reason: 'prompt_too_long' }, 'prompt_too_long', 'prompt_too_long']
  ])('%j is the error %s', (rest, code, error) => {
    expect(result(rest)[0]).toEqual({ type: 'error', error, code })
  })

  test('tokens are unchanged; of a very long usage only its counters', () => {
    const turnWith = (usage: JsonObject): EventDraft => ({ type: 'turn.completed', finishReason: 'done', usage })
    const usage = { input_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 2 }, service_tier: 'standard' }
    expect(result({ subtype: 'success', usage })).toEqual([turnWith(usage)])
    const long = { input_tokens: 1, output_tokens: '2', iterations: Array<number>(1000).fill(1) }
    expect(result({ subtype: 'success', usage: long })).toEqual([turnWith({ input_tokens: 1 })])
    expect(result({ subtype: 'success', usage: { ...usage, tier: 'x'.repeat(300) } })).toEqual([
      turnWith({ input_tokens: 1 })
    ])
  })
})
