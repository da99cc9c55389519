import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { spawnedThread, toolOutput } from './tool-output.ts'

const wrapped = (output: string, code: number): string =>
  JSON.stringify({ output, metadata: { exit_code: code, duration_seconds: 0.1 } })
const parts = (...texts: string[]): JsonValue => texts.map((text) => ({ type: 'input_text', text }))

describe('the output of a tool', () => {
  test.each<[string, JsonValue | undefined, string, number?]>([
    ['JSON in a string (shell)', wrapped('a\n', 0), 'a\n', 0.1],
    ['an exit code (shell_command)', 'Exit code: 0\nWall time: 0.4 seconds\nOutput:\na\n', 'a\n', 0.4],
    [
      'a chunk (exec_command)',
      'Chunk ID: 9\nWall time: 0.1234 seconds\nProcess exited with code 0\nOutput:\na\n',
      'a\n',
      0.1234
    ],
    ['parts of a script', parts('Script completed\nWall time 0.1 seconds\nOutput:\n', 'a', 'b'), 'a\nb', 0.1],
    ['a script in one text', 'Script completed\nWall time 0.1 seconds\nOutput:\na', 'a', 0.1],
    ['a single part', parts('a'), 'a'],
    [
      'parts with a picture',
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:' }
      ],
      'a\n[image]'
    ],
    ['a part that stands alone', { type: 'input_text', text: 'a' }, 'a'],
    ['content and success', { content: 'a', success: true }, 'a'],
    ['content with a head', { content: 'Exit code: 0\nWall time: 2 seconds\nOutput:\na', success: true }, 'a', 2],
    ['a file', [{ type: 'input_file', filename: 'a.pdf' }], '[a.pdf]'],
    ['parts of another kind', [7, { b: 1 }], '7\n{"b":1}'],
    ['plain text', 'Plan updated', 'Plan updated'],
    ['JSON of another kind', '{"answers":{}}', '{"answers":{}}'],
    ['what only looks like JSON', '{not json', '{not json'],
    ['no text at all', null, ''],
    ['nothing', undefined, '']
  ])('is text, given %s', (_, output, text, seconds) => {
    expect(toolOutput(output)).toEqual({ text, failed: false, seconds })
  })

  test('keeps the head of what goes on: the next call needs its id', () => {
    const command = 'Chunk ID: 9\nWall time: 10 seconds\nProcess running with session ID 23609\nOutput:\na'
    expect(toolOutput(command)).toEqual({ text: command, failed: false, seconds: 10 })
    const script = 'Script running with cell ID 32\nWall time 10 seconds\nOutput:\n'
    expect(toolOutput(parts(script, 'a'))).toEqual({ text: `${script}a`, failed: false, seconds: 10 })
    expect(toolOutput(script)).toEqual({ text: script, failed: false, seconds: 10 })
  })

  test.each<[string, JsonValue, string, number?]>([
    ['an exit code in JSON', wrapped('a', 1), 'a', 0.1],
    ['an exit code', 'Exit code: 127\nWall time: 0 seconds\nOutput:\na', 'a', 0],
    ['a process that exited', 'Chunk ID: 9\nProcess exited with code 3\nOutput:\na', 'a'],
    ['a code and no text', wrapped(' \n', -1), 'exit code -1', 0.1],
    ['an exit code and no body', 'Exit code: 1\nWall time: 0 seconds', 'Exit code: 1\nWall time: 0 seconds', 0],
    [
      'a script that failed',
      parts('Script failed\nWall time 1.5 seconds\nOutput:\n', 'Script error:\na'),
      'Script error:\na',
      1.5
    ],
    [
      'a script that failed without a word',
      'Script failed\nWall time 0 seconds\nOutput:\n',
      'Script failed\nWall time 0 seconds\nOutput:\n',
      0
    ],
    [
      'a command that was aborted',
      'Wall time: 2.5 seconds\naborted by user',
      'Wall time: 2.5 seconds\naborted by user',
      2.5
    ],
    ['success: false', { content: 'a', success: false }, 'a']
  ])('is an error, given %s', (_, output, text, seconds) => {
    expect(toolOutput(output)).toEqual({ text, failed: true, seconds })
  })

  test.each([
    'failed in sandbox LinuxSeccomp with execution error: denied',
    'apply_patch verification failed: Failed to find expected lines',
    'unsupported call: update_plan',
    'failed to parse function arguments: missing field `plan`',
    'execution error: Io(NotFound)',
    'write_stdin failed: stdin is closed for this session',
    'exec command rejected by user',
    'patch rejected by user',
    'error: Failed to find expected lines',
    'aborted',
    'aborted by user after 5.0s'
  ])('is an error, given the words %j', (output) => {
    expect(toolOutput(output)).toEqual({ text: output, failed: true })
  })

  test('is none because its text speaks of errors', () => {
    const text = 'Exit code: 0\nWall time: 0 seconds\nOutput:\nProcess exited with code 3\nerror: a'
    expect(toolOutput(text)).toEqual({ text: 'Process exited with code 3\nerror: a', failed: false, seconds: 0 })
  })

  test.each<[string, JsonValue]>([
    ['words of a command', 'Exit code: 0\nOutput:\nWall time: 7 seconds'],
    ['words of a script', parts('Script completed\nOutput:\n', 'Wall time 7 seconds')],
    ['a text in JSON', JSON.stringify({ output: 'a', metadata: { exit_code: 0, duration_seconds: '7' } })],
    ['no number', 'Exit code: 0\nWall time: long seconds\nOutput:\na'],
    ['words within a line', 'Exit code: 0\nThe Wall time: 7 seconds\nOutput:\na']
  ])('took a time that is not known, given %s', (_, output) => {
    expect(toolOutput(output)).toMatchObject({ failed: false, seconds: undefined })
  })
})

test.each([
  ['{"agent_id":"t-1","nickname":"Ada"}', 't-1'],
  ['{"task_name":"/root/reviewer"}', '/root/reviewer'],
  ['{"status":"ok"}', undefined],
  ['{', undefined]
])('the answer of a spawn %j names the thread %j', (answer, thread) => {
  expect(spawnedThread(answer)).toBe(thread)
})
