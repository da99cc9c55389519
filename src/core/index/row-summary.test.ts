import { describe, expect, test } from 'vitest'
import type { EventBody } from '../events/agent-event.ts'
import type { TodoItem } from '../events/todo.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { todoChanges } from '../replay/todo-changes.ts'
import { codexRollout } from '../formats/codex/rollout.ts'
import { recordFacts } from './row-facts.ts'
import { eventSummary } from './row-summary.ts'

/** A summary as a person sees it: text, then detail in parentheses, then badges. */
function told(event: EventBody): string {
  const { text, detail, badges } = eventSummary(event)
  return [
    ...(text ? [text] : []),
    ...(detail ? [`(${detail})`] : []),
    ...badges.map((badge) => `[${badge.text}]`)
  ].join(' ')
}

const tool = (input: JsonObject): string => told({ type: 'tool.started', toolName: 'any', toolId: 't', input })
const output = (text: string): string => told({ type: 'tool.completed', toolId: 't', output: text })

describe('a tool call is told by what its input is made of', () => {
  test.each<[string, JsonObject, string]>([
    ['a command', { command: 'npm test', description: 'Run the tests' }, 'npm test (Run the tests)'],
    ['a command in words', { command: ['git', 'status'], workdir: '/w' }, 'git status'],
    ['a command in the words of a shell', { command: ['bash', '-lc', 'ls -la | wc'] }, 'ls -la | wc'],
    ['a command in another shell', { command: ['powershell.exe', '-NoLogo', '-Command', 'Get-Date'] }, 'Get-Date'],
    ['a command that names no script', { command: ['bash', '-l'] }, 'bash -l'],
    ['a command in a quoted shell', { command: "/bin/bash -lc 'git diff --stat'" }, 'git diff --stat'],
    ['a quote in it', { command: `/bin/zsh -lc "echo \\"it's\\" "'$HOME'` }, `echo "it's" $HOME`],
    ['a shell that is given more', { command: "bash -c 'ls' two" }, "bash -c 'ls' two"],
    ['why it wants to run', { cmd: 'git push', justification: 'Publish it' }, 'git push (Publish it)'],
    ['a file', { file_path: '/a/b.ts', limit: 20 }, '/a/b.ts'],
    ['a written file', { file_path: 'n.md', content: 'one\ntwo\nthree\n' }, 'n.md [+3]'],
    ['an edit', { file_path: 'a', old_string: 'x\nold\ny', new_string: 'x\nnew\nnewer\ny' }, 'a [+2] [−1]'],
    [
      'several edits',
      { file_path: 'a', edits: [{ old_string: 'a', new_string: 'b' }, { old_string: 'c', new_string: '' }, 7] },
      'a [+1] [−2]'
    ],
    [
      'an edit with its purpose',
      { file_path: 'a', instruction: 'Rename it', old_string: 'b', new_string: 'c' },
      'a (Rename it) [+1] [−1]'
    ],
    ['a search', { pattern: 'TODO', path: 'src' }, 'TODO in src'],
    ['a search everywhere', { pattern: '**/*.ts' }, '**/*.ts'],
    ['a question to the web', { query: 'zod', allowed_domains: [] }, 'zod'],
    ['a search one level down', { action: { type: 'search', query: 'zod 4' } }, 'zod 4'],
    [
      'a search in a page',
      { action: { type: 'find_in_page', url: 'https://a.b', pattern: 'zod' } },
      'zod in https://a.b'
    ],
    ['an empty search', { query: '', action: { type: 'open_page', url: 'https://a.b' } }, 'https://a.b'],
    ['questions', { questions: [{ header: 'H', question: 'Where?' }, {}, {}] }, 'Where? (and 2 more)'],
    ['a task handed on', { task_name: 'look', message: 'Look around' }, 'Look around (look)'],
    ['a message to a subagent', { target: '/root/look', message: 'Go on' }, 'Go on (/root/look)'],
    ['a topic', { title: 'Tests', summary: 'All green' }, 'Tests (All green)'],
    ['an item with a new state', { id: '2d6539', status: 'closed' }, '2d6539 → closed'],
    ['waiting', { session_id: 7, chars: '', yield_time_ms: 10 }, 'wait for output (session 7)'],
    ['waiting for a script', { cell_id: '32', yield_time_ms: 10 }, 'wait for output (cell 32)'],
    ['keys', { session_id: 7, chars: 'q\r\u0003' }, 'q⏎^C (session 7)'],
    ['a skill', { name: 'brainstorming' }, 'brainstorming'],
    ['a page', { url: 'https://example.org/', prompt: 'what is it' }, 'https://example.org/'],
    ['a subagent', { description: 'Check it', prompt: 'long', subagent_type: 'general' }, 'Check it (general)'],
    ['anything else', { count: 3, options: [{ label: '' }, { label: 'Yes' }] }, 'Yes'],
    ['nothing', {}, '']
  ])('%s', (_name, input, expected) => {
    expect(tool(input)).toBe(expected)
  })

  test('a known key of another type is passed over', () => {
    expect(tool({ command: 5, file_path: null, path: 'src' })).toBe('src')
  })
})

describe('changed files', () => {
  const patch = [
    '*** Begin Patch',
    '*** Update File: src/a.ts',
    '@@',
    ' same',
    '-old',
    '+new',
    '+newer',
    '*** Add File: b.md',
    '+one',
    '*** End Patch'
  ].join('\n')

  test.each<[string, JsonObject, string]>([
    ['a patch', { input: patch }, 'src/a.ts (and 1 more file) [+3] [−1]'],
    ['a patch as an argument', { command: ['apply_patch', patch] }, 'src/a.ts (and 1 more file) [+3] [−1]'],
    [
      'a patch on the standard input',
      { command: ['bash', '-lc', `cd w && apply_patch <<'EOF'\n${patch}\nEOF`] },
      'src/a.ts (and 1 more file) [+3] [−1]'
    ],
    ['a new file', { input: '*** Begin Patch\n*** Add File: n.md\n+one\n+two' }, 'n.md (new file) [+2]'],
    ['a deleted file', { input: '*** Begin Patch\n*** Delete File: n.md' }, 'n.md (deleted)'],
    ['a command about patches', { command: "grep -rn '*** Begin Patch' ." }, "grep -rn '*** Begin Patch' ."],
    [
      'a list',
      { changes: [{ path: 'a.ts', kind: 'update' }, { path: 'b', kind: 'add' }, { path: 'c' }] },
      'a.ts (and 2 more files)'
    ],
    ['a list with its kind', { changes: [{ path: 'a.ts', kind: 'delete' }, 7] }, 'a.ts (deleted)'],
    [
      'a diff by path',
      { changes: { 'a.ts': { type: 'update', unified_diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n+z\n' } } },
      'a.ts [+2] [−1]'
    ],
    ['contents by path', { changes: { n: { type: 'add', content: 'one\ntwo\n' } } }, 'n (new file) [+2]'],
    [
      'changes that are the input',
      { n: { type: 'add', content: 'one\n' }, m: { type: 'delete', content: 'a\nb' } },
      'n (and 1 more file) [+1] [−2]'
    ],
    ['changes of another shape', { changes: ['a'], path: 'p' }, 'p']
  ])('%s', (_name, input, expected) => {
    expect(tool(input)).toBe(expected)
  })
})

describe('a script that calls tools is told by its first call', () => {
  test.each<[string, string, string]>([
    ['a command', 'const r = await tools.exec_command({cmd:"ls \\"a\\"","workdir":"/w"}); text(r)', 'ls "a"'],
    [
      'several',
      "await Promise.all([tools.run({cmd: 'npm test'}), tools.run({cmd: 'npm run lint'}), tools.run({cmd: 'x'})])",
      'npm test (and 2 more calls)'
    ],
    ['waiting', 'await tools.write_stdin({session_id:223,chars:""})', 'wait for output (session 223)'],
    [
      'a patch in a variable',
      'const patch = "*** Begin Patch\\n*** Update File: a.rs\\n-x\\n+y\\n*** End Patch"; await tools.apply_patch(patch)',
      'a.rs [+1] [−1]'
    ],
    ['nothing written out', 'await tools.deploy(target)', 'deploy'],
    ['a string that does not end', 'tools.run({cmd: "npm te', 'npm te'],
    ['no call', 'text(1 + 1)', 'text(1 + 1)']
  ])('%s', (_name, script, expected) => {
    expect(tool({ input: script })).toBe(expected)
  })
})

describe('a result', () => {
  test('shows its first line that says something, and how many there are', () => {
    expect(output('\n\n  ok 1 - counts\nok 2\n')).toBe('ok 1 - counts [4 lines]')
    expect(output('done')).toBe('done')
    expect(output('Updated these files:\nM a.ts\nM b.ts\n')).toBe('Updated these files: M a.ts [3 lines]')
    expect(output('Nothing follows:\n')).toBe('Nothing follows:')
    expect(output('  \n')).toBe('(no output)')
  })

  test('of a failed command has its exit code', () => {
    const failed: EventBody = { type: 'tool.completed', toolId: 't', error: 'Exit code 3\nboom\nbang' }
    expect(told(failed)).toBe('boom [2 lines] [exit 3]')
    expect(eventSummary(failed).badges.at(-1)).toEqual({ text: 'exit 3', tone: 'bad', term: 'exit:3' })
    expect(output('Exit code 1')).toBe('(no output) [exit 1]')
    expect(output('Exit code unknown')).toBe('Exit code unknown')
  })

  test.each<[string, string, string]>([
    ['lines before it', 'Exit code: 2\nWall time: 0.4 seconds\nOutput:\nboom\nbang\n', 'boom [2 lines] [exit 2]'],
    [
      'a chunk',
      'Chunk ID: 8f030c\nWall time: 0.0 seconds\nProcess exited with code 0\nOriginal token count: 5\nOutput:\nok\n',
      'ok'
    ],
    [
      'a process that goes on',
      'Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 23\nOutput:\n',
      '(no output) [still running]'
    ],
    ['a script', 'Script completed\nWall time 0.1 seconds\nOutput:\n{"output":"ok\\n","exit_code":1}', 'ok [exit 1]'],
    [
      'a script that goes on',
      'Script running with cell ID 7\nWall time 9 seconds\nOutput:\n',
      '(no output) [still running]'
    ],
    ['JSON', '{"output":"one\\ntwo\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}', 'one [2 lines] [exit 3]'],
    ['JSON of its own', '{"output":7}', '{"output":7}'],
    ['lines after it', 'Output: not ok\nExit Code: 1\nProcess Group PGID: 55', 'not ok [exit 1]'],
    [
      'lines around it',
      'Command: git status\nDirectory: (root)\nOutput: clean\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 7',
      'clean'
    ],
    [
      'an element and lines',
      '<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 7\n</untrusted_context>',
      '(no output)'
    ],
    ['its own words', 'Output:\nfine', 'Output: fine [2 lines]'],
    ['its own words, too', 'Output: fine', 'Output: fine']
  ])('is shown without what the agent writes around it: %s', (_name, text, expected) => {
    expect(output(text)).toBe(expected)
  })

  test('takes its exit code from the record where it does not say it itself', () => {
    const failed: EventBody = { type: 'tool.completed', toolId: 't', error: 'boom' }
    const exit = (record: JsonValue) =>
      eventSummary(failed, undefined, recordFacts(codexRollout, failed, record)).badges.map((badge) => badge.text)
    expect(exit({ type: 'item.completed', item: { aggregated_output: 'boom', exit_code: 3 } })).toEqual(['exit 3'])
    expect(exit({ payload: { output: 'Exit code: 127\nOutput:\nboom' } })).toEqual(['exit 127'])
    expect(exit({ item: { exit_code: 0 } })).toEqual([])
    expect(exit({ item: { exit_code: null }, exit_code: 3 })).toEqual([])
    expect(exit([])).toEqual([])
    expect(told({ ...failed, error: 'exit code 2' })).toBe('(no output) [exit 2]')
  })

  test('has lost its terminal colours', () => {
    expect(output('\u001b[31mred\u001b[0m and \u001b]0;title\u0007plain')).toBe('red and plain')
  })

  test('is shown without the element around it', () => {
    expect(output('<tool_use_error>No such file</tool_use_error>')).toBe('No such file')
    expect(output('<a>half')).toBe('<a>half')
  })
})

describe('other events', () => {
  test.each<[EventBody, string]>([
    [{ type: 'session.started', model: 'm-1', cwd: '/w', version: '2.1' }, 'm-1 (/w · 2.1)'],
    [{ type: 'session.started', cwd: '/w' }, '/w'],
    [{ type: 'session.started' }, ''],
    [{ type: 'text', text: '**Looking** at *it*\n\n**', category: 'reasoning' }, 'Looking at *it* **'],
    [{ type: 'text', text: '**Kept** as written', category: 'assistant-message' }, '**Kept** as written'],
    [{ type: 'turn.completed', finishReason: 'done', costUsd: 0.6214, durationMs: 393_400 }, 'done [$0.62] [6m 33s]'],
    [
      { type: 'turn.completed', finishReason: 'cancelled', costUsd: 0.0042, durationMs: 950 },
      'cancelled [$0.0042] [950 ms]'
    ],
    [{ type: 'turn.completed', finishReason: 'error', durationMs: 3_720_000 }, 'error [1h 02m]'],
    [
      {
        type: 'turn.completed',
        finishReason: 'done',
        model: 'm-1',
        usage: {
          input_tokens: 100,
          cache_read_input_tokens: 12_000,
          cache_creation_input_tokens: 200,
          output_tokens: 950
        }
      },
      'done (m-1)'
    ],
    [
      {
        type: 'turn.completed',
        finishReason: 'done',
        usage: { input_tokens: 3_400_000, cached_input_tokens: 4000, output_tokens: 999_600 }
      },
      'done'
    ],
    [{ type: 'error', error: 'API Error: 400', code: 'api_error_400' }, 'API Error: 400 [api_error_400]'],
    [{ type: 'text', text: 'One.\r\n\tTwo.' }, 'One. Two.']
  ])('%#', (event, expected) => {
    expect(told(event)).toBe(expected)
  })
})

test('a session that says nothing else says its id', () => {
  expect(eventSummary({ type: 'session.started', sessionId: 's-1' })).toMatchObject({ text: '', detail: 's-1' })
  expect(eventSummary({ type: 'session.started', sessionId: 's-1', model: 'm' })).toMatchObject({
    text: 'm',
    detail: ''
  })
})

describe('a todo list', () => {
  const list = (text: string): TodoItem[] =>
    text
      .split(' ')
      .filter(Boolean)
      .map((word) => ({
        text: word.slice(1),
        status:
          ({ '-': 'pending', '>': 'in_progress', '+': 'completed', x: 'cancelled' } as const)[word[0] ?? ''] ??
          'pending'
      }))
  const step = (before: string, after: string, dropped: readonly number[] = []) => {
    const former = list(before)
    const items = list(after)
    const changes = todoChanges(former, items, new Set(dropped))
    return eventSummary({ type: 'todo_list', todoId: 't', items }, { former, changes })
  }

  test('says what was done by name and the rest by number', () => {
    expect(step('>read -write', '+read >write -test').text).toBe('read, 1 started, 1 added')
    expect(step('-a -b -c -d -e', '+a +b +c +d +e').text).toBe('a, b, c, 2 more done')
    expect(step('+a >b -c', '-a xb').text).toBe('1 reopened, 1 cancelled, 1 removed')
    expect(step('-a -b', '-b -a').text).toBe('1 moved')
    expect(step('-a', '-a').text).toBe('no change')
    expect(step('-a', '').text).toBe('cleared')
  })

  test('names what was dropped', () => {
    expect(step('+a >b -c', 'xb', [2]).text).toBe('1 cancelled, 1 dropped (c), 1 removed')
    expect(step('-a -b -c -d', '', [0, 1, 2, 3]).text).toBe('cleared, 4 dropped (a, b, c, …)')
  })

  test('says how far it is', () => {
    expect(step('+a >b -c', '+a +b >c').todo).toEqual({
      statuses: ['completed', 'completed', 'in_progress'],
      total: 3,
      completed: 2,
      completedDelta: 1
    })
    expect(step('+a', '').todo).toMatchObject({ completed: 0, completedDelta: -1 })
    const many = step('', '-x '.repeat(300)).todo
    expect([many?.statuses.length, many?.total]).toEqual([200, 300])
  })
})

describe('whatever a log holds', () => {
  test('a summary is one line of at most 300 characters', () => {
    const { text } = eventSummary({ type: 'text', text: `a\u0000b\u001b[31mc\u2028d\u202e${'😀'.repeat(1000)}` })
    expect(text.startsWith('a bc d😀')).toBe(true)
    expect(text.length).toBeLessThanOrEqual(300)
    expect(text.endsWith('😀…')).toBe(true)
    expect(text).not.toMatch(/\p{Surrogate}/u)
  })
})
