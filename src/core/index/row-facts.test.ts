import { expect, test } from 'vitest'
import type { EventBody } from '../events/agent-event.ts'
import type { JsonObject } from '../json.ts'
import { rowFacts } from './row-facts.ts'

const said: EventBody = { type: 'text', text: 'Done.', role: 'assistant' }
const done = (output: string): EventBody => ({ type: 'tool.completed', toolId: 't1', output })

test('a message says its model and its tokens', () => {
  const usage = { input_tokens: 12, output_tokens: 3 }
  expect(rowFacts(said, { message: { model: 'm1', usage } })).toMatchObject({ model: 'm1', usage })
  expect(rowFacts(said, { model: 'm2', tokens: { input: 1 } })).toMatchObject({ model: 'm2', usage: { input: 1 } })
  expect(rowFacts(said, { message: { model: '<synthetic>' } })).toMatchObject({ model: null, usage: null })
})

test('the notes an agent keeps of an edit are hunks of a diff', () => {
  const structuredPatch = [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 2, lines: [' a', '+b'] }]
  const { diffs } = rowFacts(done('ok'), { toolUseResult: { filePath: '/a.ts', structuredPatch } })
  expect(diffs).toEqual([{ path: '/a.ts', created: false, patch: '@@ -3,1 +3,2 @@\n a\n+b' }])
})

test('a hunk without lines is no diff', () => {
  const structuredPatch = [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4, lines: [] }]
  expect(rowFacts(done('ok'), { toolUseResult: { filePath: '/a.ts', structuredPatch } }).diffs).toEqual([])
})

test('a diff that a call displayed is found in the entry of that call', () => {
  const fileDiff = 'Index: a.js\n====\n--- a.js\n+++ a.js\n@@ -1 +1 @@\n-a\n+b\n'
  const toolCalls = [
    { id: 't0', resultDisplay: { fileDiff: '@@ -9 +9 @@', fileName: 'b.js' } },
    { id: 't1', resultDisplay: { fileDiff, fileName: 'a.js' } }
  ]
  expect(rowFacts(done('ok'), { toolCalls }).diffs).toEqual([
    { path: 'a.js', created: false, patch: '@@ -1 +1 @@\n-a\n+b\n' }
  ])
})

test('what is called a diff and is none is left out', () => {
  const changes = {
    '/a.ts': { type: 'update', unified_diff: 'left out' },
    '/b.ts': { unified_diff: '@@ -1 +1 @@\n-a\n+b' }
  }
  expect(rowFacts(done('ok'), { payload: { changes } }).diffs).toEqual([
    { path: '/b.ts', created: false, patch: '@@ -1 +1 @@\n-a\n+b' }
  ])
})

test('how a tool ended, wherever an agent says so', () => {
  const codeOf = (output: string, record: JsonObject): number | null => rowFacts(done(output), record).exitCode
  expect(codeOf('', { toolUseResult: { durationMs: 12, exitCode: 2 } })).toBe(2)
  expect(codeOf('', { payload: { exit_code: 1, duration: { secs: 1, nanos: 5e8 } } })).toBe(1)
  const wrapped = JSON.stringify({ output: 'x', metadata: { exit_code: 0, duration_seconds: 0.5 } })
  expect(codeOf('x', { payload: { output: wrapped } })).toBe(0)
  expect(codeOf('Chunk ID: a1\nWall time: 1.2500 seconds\nProcess exited with code 3\nOutput:\nx', {})).toBe(3)
})

test('a record that says nothing, or nonsense, has no facts', () => {
  const none = { model: null, usage: null, exitCode: null, diffs: [], images: 0 }
  for (const record of [undefined, 7, [], {}, { toolUseResult: { structuredPatch: [7], exitCode: 'none' } }])
    expect(rowFacts(done(''), record)).toEqual({ ...none, diffs: expect.any(Array) as unknown[] })
})
