import { expect, test } from 'vitest'
import type { ToolCompleted } from '../events/agent-event.ts'
import { failureLine, isFailedCall } from './failed-call.ts'

type Result = Pick<ToolCompleted, 'error' | 'output'>

test.each<[what: string, result: Result]>([
  ['its result is an error', { error: 'no such file' }],
  ['its result is an error without a text', { error: '' }],
  ['Codex ran it', { output: 'Chunk ID: a1\nWall time: 1.2 seconds\nProcess exited with code 3\nOutput:\nx' }],
  ['Claude Code ran it', { output: 'Exit code 1\nnot ok 2' }],
  ['Gemini CLI ran it', { output: 'Command: ls x\nOutput: no\nExit Code: 2\nProcess Group PGID: 59' }],
  ['a signal ended it', { output: 'Exit code: -9\nWall time: 1 seconds\nOutput:\n' }],
  ['its output is JSON', { output: '{"output":"no","metadata":{"exit_code":127}}' }]
])('a call failed: %s', (_what, result) => {
  expect(isFailedCall(result)).toBe(true)
})

test.each<[what: string, result: Result]>([
  ['it answered', { output: 'ok' }],
  ['it answered nothing', { output: '' }],
  ['its result says nothing at all', {}],
  ['its command ended well', { output: 'Process exited with code 0\nOutput:\nx' }],
  ['its command goes on', { output: 'Process running with session ID 7\nOutput:\nx' }],
  ['its output only talks of a code', { output: 'the hook says\nExit code: 1\nand goes on' }],
  ['a signal ended it, and no code is told', { output: 'Output: x\nExit Code: (none)\nSignal: 15' }]
])('a call did not fail: %s', (_what, result) => {
  expect(isFailedCall(result)).toBe(false)
})

test.each<[what: string, result: Result, line: string]>([
  ['the first line of an error', { error: 'Exit code 1\nready\n  Error:  no sheep\nat x' }, 'Error: no sheep'],
  ['all where no line tells of one', { error: 'no\nsheep' }, 'no sheep'],
  ['without what the agent wrote around it', { error: '<tool_use_error>x is not y</tool_use_error>' }, 'x is not y'],
  ['nothing said', { error: '' }, ''],
  ['only how it ended', { output: 'Exit code 2\n' }, 'Exit code 2'],
  ['a long line, cut', { error: `Error: ${'x'.repeat(1000)}` }, `Error: ${'x'.repeat(292)}…`]
])('why a call failed: %s', (_what, result, line) => {
  expect(failureLine(result)).toBe(line)
})
