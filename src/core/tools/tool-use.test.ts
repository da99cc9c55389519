import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { toolUse } from './tool-use.ts'

describe('what a call is', () => {
  test.each<[string, string, JsonObject, object]>([
    ['a command', 'Bash', { command: 'ls' }, { what: 'command', command: { text: 'ls', at: '$.input.command' } }],
    [
      'a command without its shell',
      'shell',
      { command: ['bash', '-lc', 'ls | wc'], workdir: '/' },
      { command: { text: 'ls | wc', at: null }, consumedKeys: ['command'], answer: 'terminal' }
    ],
    ['a script', 'exec', { input: 'await tools.x()' }, { what: 'script', consumedKeys: ['input'] }],
    ['an edit', 'Edit', { file_path: '/a', old_string: 'a', new_string: 'b' }, { what: 'edits', answer: 'sentence' }],
    [
      'a patch in a shell',
      'shell',
      { command: ['apply_patch', '*** Begin Patch\n*** Delete File: a'] },
      { what: 'edits' }
    ],
    ['a file that is read', 'Read', { file_path: '/a', offset: 40 }, { what: 'read', path: '/a', first: 40 }],
    ['a part that is read', 'read_file', { absolute_path: '/a', offset: 40, limit: 9 }, { what: 'read', first: 41 }],
    ['a search', 'Grep', { pattern: 'x' }, { what: 'other', consumedKeys: [], answer: 'found' }],
    ['a subagent', 'Task', { prompt: 'Go.', subagent_type: 'x' }, { what: 'agent', prompt: { text: 'Go.' } }],
    ['a plan', 'ExitPlanMode', { plan: '# Plan\n1.' }, { what: 'plan' }],
    ['a tool of a server', 'mcp__s__do', { path: '/a', content: 'x' }, { what: 'other', answer: 'data' }],
    ['an edit of a server', 'mcp__s__edit', { path: '/a', old_str: 'a', new_str: 'b' }, { what: 'edits' }]
  ])('%s', (_, name, input, use) => {
    expect(toolUse(name, input)).toMatchObject(use)
  })

  test('a long command stays whole', () => {
    const command = `bash -c '${'x'.repeat(10_000)}'`
    expect(toolUse('Bash', { command })).toMatchObject({ command: { text: command } })
  })
})
