import { describe, expect, test } from 'vitest'
import type { EventBody } from '../events/agent-event.ts'
import type { TodoItem } from '../events/todo.ts'
import type { JsonObject } from '../json.ts'
import { todoChanges } from '../replay/todo-changes.ts'
import { eventSummary, recordSummary } from './row-summary.ts'

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
    ['a command in words', { command: ['bash', '-lc', 'ls'] }, 'bash -lc ls'],
    ['a file', { file_path: '/a/b.ts', limit: 20 }, '/a/b.ts'],
    ['a written file', { file_path: 'n.md', content: 'one\ntwo\nthree\n' }, 'n.md [+3]'],
    ['an edit', { file_path: 'a', old_string: 'x\nold\ny', new_string: 'x\nnew\nnewer\ny' }, 'a [+2] [−1]'],
    [
      'several edits',
      { file_path: 'a', edits: [{ old_string: 'a', new_string: 'b' }, { old_string: 'c', new_string: '' }, 7] },
      'a [+1] [−2]'
    ],
    ['a search', { pattern: 'TODO', path: 'src' }, 'TODO in src'],
    ['a search everywhere', { pattern: '**/*.ts' }, '**/*.ts'],
    ['a question to the web', { query: 'zod', allowed_domains: [] }, 'zod'],
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

describe('a result', () => {
  test('shows its first line that says something, and how many there are', () => {
    expect(output('\n\n  ok 1 - counts\nok 2\n')).toBe('ok 1 - counts [4 lines]')
    expect(output('done')).toBe('done')
    expect(output('  \n')).toBe('(no output)')
  })

  test('of a failed command has its exit code', () => {
    const failed: EventBody = { type: 'tool.completed', toolId: 't', error: 'Exit code 3\nboom\nbang' }
    expect(told(failed)).toBe('boom [2 lines] [exit 3]')
    expect(eventSummary(failed).badges.at(-1)).toEqual({ text: 'exit 3', tone: 'bad' })
    expect(output('Exit code 1')).toBe('Exit code 1 [exit 1]')
    expect(output('Exit code unknown')).toBe('Exit code unknown')
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
    [{ type: 'turn.completed', finishReason: 'done', costUsd: 0.6214, durationMs: 393_400 }, 'done [$0.62] [6m 33s]'],
    [
      { type: 'turn.completed', finishReason: 'cancelled', costUsd: 0.0042, durationMs: 950 },
      'cancelled [$0.0042] [950 ms]'
    ],
    [{ type: 'turn.completed', finishReason: 'error', durationMs: 3_720_000 }, 'error [1h 02m]'],
    [{ type: 'error', error: 'API Error: 400', code: 'api_error_400' }, 'API Error: 400 [api_error_400]'],
    [{ type: 'text', text: 'One.\r\n\tTwo.' }, 'One. Two.']
  ])('%#', (event, expected) => {
    expect(told(event)).toBe(expected)
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
  const step = (before: string, after: string) => {
    const former = list(before)
    const items = list(after)
    return eventSummary({ type: 'todo_list', todoId: 't', items }, { former, changes: todoChanges(former, items) })
  }

  test('says what was done by name and the rest by number', () => {
    expect(step('>read -write', '+read >write -test').text).toBe('read, 1 started, 1 added')
    expect(step('-a -b -c -d -e', '+a +b +c +d +e').text).toBe('a, b, c, 2 more done')
    expect(step('+a >b -c', '-a xb').text).toBe('1 put back, 1 cancelled, 1 removed')
    expect(step('-a -b', '-b -a').text).toBe('1 moved')
    expect(step('-a', '-a').text).toBe('no change')
    expect(step('-a', '').text).toBe('cleared')
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

describe('a record', () => {
  test('is its type, then what it says in words', () => {
    const record = {
      type: 'user',
      uuid: '3f-1',
      message: { content: [{ id: 'a b', content: 'Todos have been saved' }] }
    }
    expect(recordSummary(JSON.stringify(record), record)).toMatchObject({
      text: 'user',
      detail: 'Todos have been saved',
      mono: false
    })
  })

  test('without words it is its type, then how it begins', () => {
    const raw = '{"type":"system","subtype":"status"}'
    expect(recordSummary(raw, JSON.parse(raw))).toMatchObject({ text: 'system/status', detail: raw, mono: true })
    expect(recordSummary('[1,2]', [1, 2])).toMatchObject({ text: '[1,2]', detail: '' })
    expect(recordSummary('{"type":7}', { type: 7 })).toMatchObject({ text: '{"type":7}' })
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
