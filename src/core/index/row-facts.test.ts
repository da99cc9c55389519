import { expect, test } from 'vitest'
import type { EventBody } from '../events/agent-event.ts'
import type { JsonObject } from '../json.ts'
import { claudeStreamJson } from '../formats/claude/stream-json.ts'
import { claudeTranscript } from '../formats/claude/transcript.ts'
import { codexExecJson } from '../formats/codex/exec-json.ts'
import { codexRollout } from '../formats/codex/rollout.ts'
import { cursorStreamJson } from '../formats/cursor/stream-json.ts'
import { geminiChat } from '../formats/gemini/chat.ts'
import { geminiStreamJson } from '../formats/gemini/stream-json.ts'
import type { LogFormat } from '../formats/log-format.ts'
import { logFormats } from '../formats/registry.ts'
import { recordFacts, rowFacts } from './row-facts.ts'
import { eventSummary } from './row-summary.ts'

const said: EventBody = { type: 'text', text: 'Done.', role: 'assistant' }
const done = (output: string): EventBody => ({ type: 'tool.completed', toolId: 't1', output })

test('a message says its model and its tokens', () => {
  const usage = { input_tokens: 12, output_tokens: 3 }
  expect(rowFacts(claudeTranscript, said, { message: { model: 'm1', usage } })).toMatchObject({ model: 'm1', usage })
  expect(rowFacts(geminiChat, said, { model: 'm2', tokens: { input: 1 } })).toMatchObject({
    model: 'm2',
    usage: { input: 1 }
  })
  expect(rowFacts(claudeTranscript, said, { message: { model: '<synthetic>' } })).toMatchObject({
    model: null,
    usage: null
  })
})

test('the notes an agent keeps of an edit are hunks of a diff', () => {
  const structuredPatch = [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 2, lines: [' a', '+b'] }]
  const { diffs } = rowFacts(claudeTranscript, done('ok'), { toolUseResult: { filePath: '/a.ts', structuredPatch } })
  expect(diffs).toEqual([{ path: '/a.ts', created: false, patch: '@@ -3,1 +3,2 @@\n a\n+b' }])
})

test('a hunk without lines is no diff', () => {
  const structuredPatch = [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4, lines: [] }]
  expect(
    rowFacts(claudeTranscript, done('ok'), { toolUseResult: { filePath: '/a.ts', structuredPatch } }).diffs
  ).toEqual([])
})

test('a diff that a call displayed is found in the entry of that call', () => {
  const fileDiff = 'Index: a.js\n====\n--- a.js\n+++ a.js\n@@ -1 +1 @@\n-a\n+b\n'
  const toolCalls = [
    { id: 't0', resultDisplay: { fileDiff: '@@ -9 +9 @@', fileName: 'b.js' } },
    { id: 't1', resultDisplay: { fileDiff, fileName: 'a.js' } }
  ]
  expect(rowFacts(geminiChat, done('ok'), { toolCalls }).diffs).toEqual([
    { path: 'a.js', created: false, patch: '@@ -1 +1 @@\n-a\n+b\n' }
  ])
})

test('what is called a diff and is none is left out', () => {
  const changes = {
    '/a.ts': { type: 'update', unified_diff: 'left out' },
    '/b.ts': { unified_diff: '@@ -1 +1 @@\n-a\n+b' }
  }
  expect(rowFacts(codexRollout, done('ok'), { payload: { changes } }).diffs).toEqual([
    { path: '/b.ts', created: false, patch: '@@ -1 +1 @@\n-a\n+b' }
  ])
})

test('a diff without line numbers is one hunk', () => {
  const result = { success: { path: '/a.ts', diffString: '-a\n+b', exitCode: 1 } }
  expect(rowFacts(cursorStreamJson, done('ok'), { tool_call: { editToolCall: { result } } })).toMatchObject({
    diffs: [{ path: '/a.ts', created: false, patch: '@@\n-a\n+b' }],
    exitCode: 1
  })
})

test('how a tool ended, wherever an agent says so', () => {
  const codeOf = (format: LogFormat, output: string, record: JsonObject): number | null =>
    rowFacts(format, done(output), record).exitCode
  expect(codeOf(claudeTranscript, '', { toolUseResult: { durationMs: 12, exitCode: 2 } })).toBe(2)
  expect(codeOf(codexRollout, '', { payload: { exit_code: 1, duration: { secs: 1, nanos: 5e8 } } })).toBe(1)
  expect(codeOf(codexExecJson, '', { id: '1', msg: { type: 'exec_command_end', exit_code: 4 } })).toBe(4)
  const wrapped = JSON.stringify({ output: 'x', metadata: { exit_code: 0, duration_seconds: 0.5 } })
  expect(codeOf(codexRollout, 'x', { payload: { output: wrapped } })).toBe(0)
  const text = 'Chunk ID: a1\nWall time: 1.2500 seconds\nProcess exited with code 3\nOutput:\nx'
  for (const format of logFormats) expect(codeOf(format, text, {})).toBe(3)
})

test('a record that says nothing, or nonsense, has no facts', () => {
  const none = { model: null, usage: null, exitCode: null, diffs: [], images: 0 }
  const nonsense = {
    toolUseResult: { structuredPatch: [7], exitCode: 'none' },
    ...{ toolCalls: [7, { id: 't1', resultDisplay: 'x' }], tool_call: { a: { result: { b: 7 } } }, message: 'x' },
    ...{ payload: { item: 7, changes: [7], exit_code: 'none' }, tool_result_meta: [7] }
  }
  for (const format of logFormats)
    for (const record of [undefined, 7, [], {}, nonsense])
      for (const event of [said, done('')]) expect(rowFacts(format, event, record)).toEqual(none)
})

const decision = (id: string, word: string): JsonObject => ({ id, permission_decision: { decision: word } })
const refused: EventBody = { type: 'tool.completed', toolId: 't', error: 'no' }
const badges = (format: LogFormat, record: JsonObject | undefined) =>
  eventSummary(refused, undefined, recordFacts(format, refused, record)).badges

test.each<[format: LogFormat, record: JsonObject]>([
  [claudeStreamJson, { type: 'user', tool_result_meta: [decision('u', 'accept'), decision('t', 'reject')] }],
  [claudeTranscript, { type: 'user', toolDenialKind: 'user-rejected' }],
  [codexExecJson, { type: 'item.completed', item: { type: 'command_execution', status: 'declined' } }],
  [codexRollout, { type: 'event_msg', payload: { type: 'exec_command_end', status: 'declined' } }],
  [codexRollout, { payload: { type: 'item_completed', item: { status: 'declined' } } }],
  [geminiStreamJson, { type: 'tool_result', error: { type: 'policy_violation', message: 'no' } }]
])('a call that was denied is told in $id, and its row says so', (format, record) => {
  expect(badges(format, record)).toEqual([{ text: 'denied', tone: 'bad', term: 'status:error' }])
})

test.each<[what: string, format: LogFormat, record: JsonObject | undefined]>([
  ['nothing is known', claudeTranscript, undefined],
  ['it was allowed', claudeStreamJson, { tool_result_meta: [decision('t', 'accept')] }],
  ['another call of its record was denied', claudeStreamJson, { tool_result_meta: [decision('u', 'reject')] }],
  ['it failed', codexExecJson, { item: { status: 'failed' } }],
  ['it failed otherwise', geminiStreamJson, { error: { type: 'file_not_found' } }]
])('it is none where %s', (_what, format, record) => {
  expect(badges(format, record)).toEqual([])
})
