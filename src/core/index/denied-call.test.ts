import { expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { isDeniedCall } from './denied-call.ts'
import { eventSummary } from './row-summary.ts'

const decision = (id: string, word: string): JsonObject => ({ id, permission_decision: { decision: word } })

test.each<[what: string, record: JsonObject]>([
  ["Claude's stream", { type: 'user', tool_result_meta: [decision('u', 'accept'), decision('t', 'reject')] }],
  ["Claude's transcript", { type: 'user', toolDenialKind: 'user-rejected' }],
  ['codex exec', { type: 'item.completed', item: { type: 'command_execution', status: 'declined' } }],
  ["Codex's rollout", { type: 'event_msg', payload: { type: 'exec_command_end', status: 'declined' } }],
  ["an item of Codex's rollout", { payload: { type: 'item_completed', item: { status: 'declined' } } }],
  ["Gemini's stream", { type: 'tool_result', error: { type: 'policy_violation', message: 'no' } }]
])('a call that was denied is told in %s, and its row says so', (_what, record) => {
  expect(isDeniedCall('t', record)).toBe(true)
  const { badges } = eventSummary({ type: 'tool.completed', toolId: 't', error: 'no' }, undefined, record)
  expect(badges).toEqual([{ text: 'denied', tone: 'bad' }])
})

test.each<[what: string, record: JsonObject | undefined]>([
  ['nothing is known', undefined],
  ['it was allowed', { tool_result_meta: [decision('t', 'accept')] }],
  ['another call of its record was denied', { tool_result_meta: [decision('u', 'reject')] }],
  ['it failed', { item: { status: 'failed' }, error: { type: 'file_not_found' } }]
])('it is none where %s', (_what, record) => {
  expect(isDeniedCall('t', record)).toBe(false)
  const { badges } = eventSummary({ type: 'tool.completed', toolId: 't', error: 'no' }, undefined, record)
  expect(badges).toEqual([])
})
