import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../json.ts'
import { hookResult } from './hook-result.ts'
import { keptHook } from './tool-hook.ts'

const hook = (over: JsonObject = {}): JsonObject => ({
  session_id: 's',
  transcript_path: '/home/me/.claude/projects/-w/s.jsonl',
  cwd: '/w',
  permission_mode: 'default',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_response: { stdout: 'a\nb', stderr: '', interrupted: false, isImage: false },
  tool_use_id: 'toolu_1',
  duration_ms: 12,
  ...over
})
const textOf = (response: JsonValue): string | undefined =>
  hookResult(hook({ tool_response: response }))?.result?.content

describe('the response as text', () => {
  test.each<[string, JsonValue, string]>([
    ['of a command', { stdout: 'out', stderr: '' }, 'out'],
    ['of a command that also warns', { stdout: 'out', stderr: 'warning' }, 'out\nwarning'],
    ['of a command without output', { stdout: '', stderr: '' }, ''],
    ['a text', 'done', 'done'],
    ['nothing', null, ''],
    [
      'of a file that was read, with its line numbers',
      { type: 'text', file: { filePath: '/w/a', content: 'x\ny\n', startLine: 9 } },
      '9\tx\n10\ty\n11\t'
    ],
    [
      'of an image that was read',
      { type: 'image', file: { base64: 'AAAA', type: 'image/png', originalSize: 3 } },
      '[image/png, 3 B]'
    ],
    [
      'of an edit: what it changed, not the whole file',
      {
        filePath: '/w/a',
        originalFile: 'the whole file',
        structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }]
      },
      '/w/a\n@@ -1,1 +1,1 @@\n-a\n+b'
    ],
    ['of a new file', { type: 'create', filePath: '/w/a', content: 'x', structuredPatch: [] }, '/w/a'],
    ['of a subagent', { agentId: 'a', content: [{ type: 'text', text: 'Report' }], totalTokens: 7 }, 'Report'],
    [
      'of an MCP server',
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' }
      ],
      'one\ntwo'
    ],
    ['of any other tool: its JSON', { filenames: ['a'], numFiles: 1 }, '{"filenames":["a"],"numFiles":1}']
  ])('%s', (_, response, text) => {
    expect(textOf(response)).toBe(text)
  })
})

test('names the call, and whether it failed', () => {
  expect(hookResult(hook())).toEqual({
    session: 's',
    result: { tool: 'toolu_1', content: 'a\nb', isError: false },
    todos: null
  })
  expect(hookResult(hook({ tool_response: { success: false, stdout: 'no' } }))?.result?.isError).toBe(true)
  expect(
    hookResult({
      ...hook({ tool_response: undefined }),
      hook_event_name: 'PostToolUseFailure',
      error: 'Exit code 3\nno such file',
      is_interrupt: false
    })?.result
  ).toEqual({ tool: 'toolu_1', content: 'Exit code 3\nno such file', isError: true })
})

test('without the id of a call there is no result to keep', () => {
  expect(hookResult(hook({ tool_use_id: undefined }))).toEqual({ session: 's', result: null, todos: null })
})

describe('todos', () => {
  const todos = [{ content: 'a', status: 'pending', activeForm: 'Doing a' }, 'no todo']
  const call = { tool_name: 'TodoWrite', tool_input: { todos }, tool_response: { oldTodos: [], newTodos: todos } }

  test('of a TodoWrite, as they stand in the call, also where the list is JSON text', () => {
    expect(hookResult(hook(call))?.todos).toEqual(todos)
    const written = { ...call, tool_input: { todos: JSON.stringify(todos) } }
    expect(hookResult(hook(written))?.todos).toEqual(todos)
    expect(hookResult(hook({ ...call, tool_input: { todos: [] } }))?.todos).toEqual([])
  })
  test('none of another tool, of a subagent, of a call that failed, and where there is no list', () => {
    for (const over of [
      { ...call, tool_name: 'Bash' },
      { ...call, agent_id: 'a1', agent_type: 'general-purpose' },
      { ...call, hook_event_name: 'PostToolUseFailure', error: 'no' },
      { ...call, tool_input: { todos: 'no list' } },
      { ...call, tool_input: null }
    ])
      expect(hookResult(hook(over))?.todos).toBeNull()
  })
})

test('what is no PostToolUse hook gives nothing', () => {
  for (const value of [null, 7, 'text', [], {}, hook({ session_id: '' }), hook({ session_id: 7 })])
    expect(hookResult(value)).toBeNull()
  for (const event of ['PreToolUse', 'Stop', '', 7]) expect(hookResult(hook({ hook_event_name: event }))).toBeNull()
})

test('any JSON is taken without a fault, and what is kept of it says the same', () => {
  const part = fc.jsonValue({ maxDepth: 4 })
  const any = fc.record({
    session_id: fc.constantFrom('s', ''),
    hook_event_name: fc.constantFrom('PostToolUse', 'PostToolUseFailure'),
    tool_name: fc.constantFrom('TodoWrite', 'Read', 'Edit'),
    tool_use_id: fc.constantFrom('t', null),
    tool_input: part,
    tool_response: fc.oneof(
      part,
      fc.record({ filePath: fc.string(), structuredPatch: part }),
      fc.record({ file: part, content: part })
    ),
    error: part
  })
  fc.assert(
    fc.property(any, (value) => {
      const given = value as JsonObject
      expect(hookResult(keptHook(given))).toEqual(hookResult(given))
    })
  )
})

test('what is kept is without what nobody reads', () => {
  expect(keptHook(hook({ tool_input: { content: 'x'.repeat(1000) } }))).toEqual({
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    tool_response: { stdout: 'a\nb', stderr: '', interrupted: false, isImage: false }
  })
  expect(keptHook(hook({ tool_name: 'TodoWrite', tool_input: { todos: [] } }))).toHaveProperty('tool_input')
  expect(keptHook('text')).toBeNull()
})
