import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { expectSameInChunks } from './properties.ts'
import { openLog, readLog, someCuts } from './read-log.ts'

/** The todo lists of a log of these records, as `track: [status] text · …`. */
function listsOf(format: string, records: readonly JsonObject[]): string[] {
  const log = openLog(new TextEncoder().encode(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`))
  expect(log.format.id).toBe(format)
  const seen = readLog(log)
  expectSameInChunks(log, seen, someCuts(log.bytes.length, 40, 1))
  return seen.events.flatMap((event) =>
    event.type === 'todo_list'
      ? [
          `${event.trackId ?? 'main'}: ${event.items.map(({ text, status }) => `[${status}] ${text}`).join(' · ') || 'empty'}`
        ]
      : []
  )
}

const called = 'main: [pending] Read'
const edited = 'main: [completed] Read · [pending] Ship'

/** What an agent's todo tool takes and states: the list `Read`, pending, and the one that the person made of it. */
interface Stating {
  readonly format: string
  readonly head: readonly JsonObject[]
  /** A call that writes the list. */
  readonly call: JsonObject
  /** Its result with the list that it states: as called, edited, empty, or nothing that can be read. */
  readonly result: (stated: 'same' | 'edited' | 'empty' | 'unreadable') => JsonObject
}

/** The elements of such a list, with its members' names and words. */
function list(
  stated: 'same' | 'edited' | 'empty' | 'unreadable',
  name: string,
  words: readonly [string, string] = ['pending', 'completed']
): JsonObject[] {
  const [open, done] = words
  const lists = {
    same: [{ [name]: 'Read', status: open, id: '1' }],
    edited: [
      { [name]: 'Read', status: done, id: '1' },
      { [name]: 'Ship', status: open, id: '2' }
    ],
    empty: [],
    unreadable: [{ whatever: 1 }]
  }
  return lists[stated]
}

/** The same in lines. `other`: what stands in place of an unreadable list. */
function lines(stated: 'same' | 'edited' | 'unreadable', words: readonly [string, string], other: string): string {
  const [open, done] = words
  return { same: `${open} Read`, edited: `${done} Read\n${open} Ship`, unreadable: other }[stated]
}

const qwenHead = { uuid: 'u1', parentUuid: null, sessionId: 's1', timestamp: '2026-07-04T14:18:00.000Z', cwd: '/w' }
const qwenCall: JsonObject = {
  ...qwenHead,
  type: 'assistant',
  message: {
    role: 'model',
    parts: [{ functionCall: { id: 't1', name: 'todo_write', args: { todos: list('same', 'content') } } }]
  }
}
function qwenResult(output: string, resultDisplay: JsonObject | string): JsonObject {
  return {
    ...qwenHead,
    uuid: 'u2',
    parentUuid: 'u1',
    type: 'tool_result',
    message: { role: 'user', parts: [{ functionResponse: { id: 't1', name: 'todo_write', response: { output } } }] },
    toolCallResult: { callId: 't1', status: 'success', resultDisplay }
  }
}

const kimiWire = (type: string, payload: JsonObject): JsonObject => ({
  timestamp: 1770000000,
  message: { type, payload }
})
const kimiCall = (id: string, args: JsonObject): JsonObject =>
  kimiWire('ToolCall', { type: 'function', id, function: { name: 'SetTodoList', arguments: JSON.stringify(args) } })
const kimiCode = (event: JsonObject): JsonObject => ({ type: 'context.append_loop_event', time: 1770000000000, event })

const sdk = (kind: string, more: JsonObject): JsonObject => ({
  ...{
    id: kind,
    kind,
    source: 'agent',
    timestamp: '2026-01-01T00:00:00',
    tool_name: 'task_tracker',
    tool_call_id: 't1'
  },
  ...more
})
const crushRow = (id: string, role: string, part: JsonObject): JsonObject => ({
  table: 'messages',
  row: { id, session_id: 's', role, parts: [part], model: '', created_at: 1785564001 }
})
const cursorCall = (subtype: string, id: string, call: JsonObject): JsonObject => ({
  ...{ type: 'tool_call', subtype, call_id: id, tool_call: call, session_id: 's', timestamp_ms: 1770823434011 }
})
const cursorWords = ['TODO_STATUS_PENDING', 'TODO_STATUS_COMPLETED'] as const
const geminiWords = ['1. [pending]', '2. [completed]'] as const
const geminiOutput = (stated: 'same' | 'edited' | 'empty' | 'unreadable'): string =>
  stated === 'empty'
    ? 'Successfully cleared the todo list.'
    : `Successfully updated the todo list. The current list is now:\n${lines(stated, geminiWords, '1. [pending] Two\nlines')}`
const opencodePart = (tool: string, state: JsonObject): JsonObject => ({
  ...{ type: 'tool_use', timestamp: 1767444996200, sessionID: 'ses_1' },
  part: { id: 'p', sessionID: 'ses_1', messageID: 'm', type: 'tool', callID: tool, tool, state }
})

const stating: Readonly<Record<string, Stating>> = {
  'Qwen Code, shown': {
    format: 'qwen-code',
    head: [],
    call: qwenCall,
    result: (stated) => qwenResult('ok', { type: 'todo_list', todos: list(stated, 'content') })
  },
  'Qwen Code, in words': {
    format: 'qwen-code',
    head: [],
    call: qwenCall,
    result: (stated) =>
      qwenResult(
        stated === 'empty'
          ? 'Todo list has been cleared.\n'
          : `Todos have been modified successfully.\n\n<system-reminder>\nYour todo list has changed. Here are the latest contents of your todo list:\n\n${JSON.stringify(list(stated, 'content'))}. Continue on with the tasks at hand if applicable.\n</system-reminder>`,
        'ok'
      )
  },
  'Kimi CLI, shown': {
    format: 'kimi-cli',
    head: [{ type: 'metadata', protocol_version: '1.1' }],
    call: kimiCall('t1', { todos: list('same', 'title') }),
    result: (stated) =>
      kimiWire('ToolResult', {
        tool_call_id: 't1',
        return_value: {
          ...{ is_error: false, output: 'Todo list updated', message: '' },
          display: [{ type: 'todo', items: list(stated, 'title', ['pending', 'done']) }]
        }
      })
  },
  'Kimi Code, in words': {
    format: 'kimi-cli',
    head: [{ type: 'metadata', protocol_version: '2.0' }],
    call: kimiCode({ type: 'tool.call', toolCallId: 't1', name: 'TodoList', args: { todos: list('same', 'title') } }),
    result: (stated) => {
      const said = stated === 'empty' ? '' : lines(stated, ['  [pending]', '  [done]'], '  [pending] Two\nlines')
      const output =
        stated === 'empty'
          ? 'Todo list cleared.'
          : `Todo list updated.\nCurrent todo list:\n${said}\n\nKeep it current.`
      return kimiCode({ type: 'tool.result', toolCallId: 't1', result: { isError: false, output } })
    }
  },
  opencode: {
    format: 'opencode',
    head: [],
    call: opencodePart('todowrite', { status: 'running', input: { todos: list('same', 'content') } }),
    result: (stated) =>
      opencodePart('todoread', {
        ...{ status: 'completed', input: {}, output: '', time: { start: 1767444996200, end: 1767444996300 } },
        metadata: { todos: list(stated, 'content') }
      })
  },
  Crush: {
    format: 'crush',
    head: [{ table: 'sessions', row: { id: 's', title: 'Plan', created_at: 1785564000 } }],
    call: crushRow('m1', 'assistant', {
      type: 'tool_call',
      data: { id: 't1', name: 'todos', input: JSON.stringify({ todos: list('same', 'content') }) }
    }),
    result: (stated) =>
      crushRow('m2', 'tool', {
        type: 'tool_result',
        data: {
          ...{ tool_call_id: 't1', name: 'todos', content: 'Todo list updated successfully.', is_error: false },
          metadata: JSON.stringify({ is_new: true, todos: list(stated, 'content') })
        }
      })
  },
  OpenHands: {
    format: 'openhands',
    head: [],
    call: sdk('ActionEvent', {
      action: {},
      tool_call: { arguments: JSON.stringify({ command: 'plan', task_list: list('same', 'title', ['todo', 'done']) }) }
    }),
    result: (stated) =>
      sdk('ObservationEvent', {
        observation: {
          ...{ kind: 'TaskTrackerObservation', content: [{ type: 'text', text: 'Updated' }], command: 'plan' },
          task_list: list(stated, 'title', ['todo', 'done'])
        }
      })
  },
  'Cursor, read': {
    format: 'cursor-stream-json',
    head: [],
    call: cursorCall('started', 't1', {
      updateTodosToolCall: { args: { todos: list('same', 'content', cursorWords) } }
    }),
    result: (stated) =>
      cursorCall('completed', 't2', {
        readTodosToolCall: { args: {}, result: { success: { todos: list(stated, 'content', cursorWords) } } }
      })
  },
  'Droid, its state': {
    format: 'factory-droid',
    head: [{ type: 'session_start', id: 's', title: 'Plan', cwd: '/w' }],
    call: {
      ...{ type: 'message', id: 'm1', parentId: null, timestamp: '2026-07-04T14:18:00.000Z' },
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'TodoWrite', input: { todos: list('same', 'content') } }]
      }
    },
    result: (stated) => ({
      ...{ type: 'todo_state', id: 'd1', timestamp: '2026-07-04T14:18:01.000Z' },
      todos: { todos: list(stated, 'content') }
    })
  },
  'Gemini CLI, in words': {
    format: 'gemini-stream-json',
    head: [{ type: 'init', timestamp: '2026-07-04T14:18:00.000Z', session_id: 's', model: 'm' }],
    call: {
      ...{ type: 'tool_use', timestamp: '2026-07-04T14:18:01.000Z', tool_name: 'write_todos', tool_id: 't1' },
      parameters: { todos: list('same', 'description') }
    },
    result: (stated) => ({
      ...{ type: 'tool_result', timestamp: '2026-07-04T14:18:02.000Z', tool_id: 't1', status: 'success' },
      output: geminiOutput(stated)
    })
  }
}

describe('a list that a result or a record states is the list', () => {
  for (const [name, { format, head, call, result }] of Object.entries(stating)) {
    test(name, () => {
      const read = (...stated: Parameters<Stating['result']>[0][]): string[] =>
        listsOf(format, [...head, call, ...stated.map((one) => result(one))])
      expect(read('same')).toEqual([called])
      expect(read('edited')).toEqual([called, edited])
      expect(read('edited', 'edited')).toEqual([called, edited])
      expect(read('empty')).toEqual([called, 'main: empty'])
      expect(read('unreadable')).toEqual([called])
    })
  }

  test('Gemini CLI, shown in a chat', () => {
    const chat = (display: JsonObject | undefined, output: string): string[] =>
      listsOf('gemini-chat', [
        {
          sessionId: 's',
          projectHash: 'p',
          startTime: '2026-07-04T14:18:00.000Z',
          lastUpdated: '2026-07-04T14:18:00.000Z'
        },
        {
          ...{ id: 'm1', type: 'gemini', timestamp: '2026-07-04T14:18:01.000Z', content: '' },
          toolCalls: [
            {
              ...{ id: 't1', name: 'write_todos', status: 'success', timestamp: '2026-07-04T14:18:01.000Z' },
              args: { todos: list('same', 'description') },
              result: [{ functionResponse: { id: 't1', name: 'write_todos', response: { output } } }],
              ...(display && { resultDisplay: display })
            }
          ]
        }
      ])
    expect(chat({ todos: list('edited', 'description') }, geminiOutput('same'))).toEqual([called, edited])
    expect(chat(undefined, geminiOutput('edited'))).toEqual([called, edited])
    expect(chat({ todos: [] }, geminiOutput('same'))).toEqual([called, 'main: empty'])
    expect(chat({ todos: list('unreadable', 'description') }, 'done')).toEqual([called])
  })

  test('a call that only reads states it in words', () => {
    const answered = (output: string): JsonObject =>
      kimiWire('ToolResult', { tool_call_id: 't2', return_value: { is_error: false, output } })
    const read = (output: string): string[] =>
      listsOf('kimi-cli', [
        { type: 'metadata', protocol_version: '1.1' },
        kimiCall('t1', { todos: list('same', 'title') }),
        kimiCall('t2', {}),
        answered(output)
      ])
    expect(read('Current todo list:\n- [done] Read\n- [pending] Ship')).toEqual([called, edited])
    expect(read('Todo list is empty.')).toEqual([called, 'main: empty'])
    expect(read('no list')).toEqual([called])
    const shell = kimiWire('ToolCall', { type: 'function', id: 't2', function: { name: 'Shell', arguments: '{}' } })
    const words = answered('Todo list is empty.')
    const head = { type: 'metadata', protocol_version: '1.1' }
    expect(listsOf('kimi-cli', [head, kimiCall('t1', { todos: list('same', 'title') }), shell, words])).toEqual([
      called
    ])
  })

  test('a result that says that nothing was written brings back the list before', () => {
    const refused =
      'Todo creation blocked: no\n\n<system-reminder>\nTodo list was not modified because a hook blocked it'
    expect(listsOf('qwen-code', [qwenCall, qwenResult(refused, 'Todo creation blocked: no')])).toEqual([
      called,
      'main: empty'
    ])
  })

  test('of OpenHands a viewed list, in words with notes', () => {
    const observed = (content: string): string[] =>
      listsOf('openhands', [
        ...[{ command: 'plan', task_list: list('same', 'title', ['todo', 'done']) }, { command: 'view' }].map(
          (args, index) => ({
            ...{
              id: index,
              timestamp: '2025-01-27T22:44:01',
              source: 'agent',
              message: '',
              action: 'task_tracking',
              args
            }
          })
        ),
        {
          ...{ id: 2, timestamp: '2025-01-27T22:44:02', source: 'agent', message: '', observation: 'task_tracking' },
          ...{ cause: 1, content, extras: { command: 'view', task_list: [] } }
        }
      ])
    expect(observed('# Task List\n\n1. ✅ Read\nall of it\n2. ⏳ Ship\n')).toEqual([called, edited])
    expect(observed('No task list found. Use the "plan" command to create one.')).toEqual([called, 'main: empty'])
    expect(observed('Failed to read the task list')).toEqual([called])
  })

  test('a part of the list, which Cursor shows with a filter, is not the list', () => {
    const filtered = cursorCall('completed', 't2', {
      readTodosToolCall: { args: { idFilter: ['9'] }, result: { success: { todos: [] } } }
    })
    expect(listsOf('cursor-stream-json', [stating['Cursor, read']?.call ?? {}, filtered])).toEqual([called])
  })

  test('a subagent of Kimi has a list of its own', () => {
    const sub = (event: JsonObject): JsonObject =>
      kimiWire('SubagentEvent', { task_tool_call_id: 'k1', event: event['message'] ?? {} })
    const shown = stating['Kimi CLI, shown']?.result('edited') ?? {}
    const write = kimiCall('t1', { todos: list('same', 'title') })
    expect(
      listsOf('kimi-cli', [
        { type: 'metadata', protocol_version: '1.1' },
        kimiCall('m', { todos: list('same', 'title') }),
        sub(write),
        sub(shown)
      ])
    ).toEqual([called, called.replace('main', 'k1'), edited.replace('main', 'k1')])
  })

  test('of Goose the text that is read; notes are no list', () => {
    const row = (id: number, role: string, part: JsonObject): JsonObject => ({
      table: 'messages',
      row: { id, session_id: 's', role, content_json: [part], created_timestamp: 1785564000 + id }
    })
    const request = (id: string, name: string, input: JsonObject): JsonObject => ({
      ...{ type: 'toolRequest', id, toolCall: { status: 'success', value: { name, arguments: input } } }
    })
    const read = (text: string): string[] =>
      listsOf('goose', [
        row(1, 'assistant', request('t1', 'todo__todo_write', { content: '- [ ] Read' })),
        row(2, 'assistant', request('t2', 'todo__todo_read', {})),
        row(3, 'user', {
          ...{ type: 'toolResponse', id: 't2' },
          toolResult: { status: 'success', value: { content: [{ type: 'text', text }], isError: false } }
        })
      ])
    expect(read('- [x] Read\n- [ ] Ship')).toEqual([called, edited])
    expect(read('')).toEqual([called, 'main: empty'])
    expect(read('Some notes')).toEqual([called])
  })

  test('of a trajectory of Gemini CLI the words of a result', () => {
    const said = (output: string): string[] =>
      listsOf('atif', [
        {
          ...{ schema_version: 'ATIF-v1.4', session_id: 's', agent: { name: 'gemini-cli', version: '1' } },
          steps: [
            {
              ...{ step_id: 1, source: 'agent', message: 'Plan' },
              tool_calls: [
                {
                  ...{ tool_call_id: 't1', function_name: 'write_todos' },
                  arguments: { todos: list('same', 'description') }
                }
              ],
              observation: { results: [{ source_call_id: 't1', content: output }] }
            }
          ]
        }
      ])
    expect(said(geminiOutput('edited'))).toEqual([called, edited])
    expect(said(geminiOutput('same'))).toEqual([called])
    expect(said('Successfully cleared the todo list.')).toEqual([called, 'main: empty'])
  })

  test('an event of a Codex rollout', () => {
    const at = '2026-05-04T10:00:00.100Z'
    const plan = (...statuses: string[]): JsonObject => ({ plan: statuses.map((status) => ({ step: 'Read', status })) })
    const event = (stated: JsonObject): JsonObject => ({
      ...{ timestamp: at, type: 'event_msg', payload: { type: 'plan_update', ...stated } }
    })
    const records: JsonObject[] = [
      { timestamp: at, type: 'session_meta', payload: { id: 's', timestamp: at, cwd: '/w', cli_version: '0.77.0' } },
      {
        ...{ timestamp: at, type: 'response_item' },
        payload: {
          type: 'function_call',
          call_id: 't1',
          name: 'update_plan',
          arguments: JSON.stringify(plan('pending'))
        }
      },
      event(plan('pending')),
      event(plan('completed')),
      event({ plan: [] })
    ]
    const lists = [called, 'main: [completed] Read', 'main: empty']
    expect(listsOf('codex-rollout', [...records, event({ plan: [{ whatever: 1 }] })])).toEqual(lists)
  })

  test('a reminder to a subagent of Claude Code is about its own list', () => {
    const line = (uuid: string, agentId: string | undefined, more: JsonObject): JsonObject => ({
      ...{ uuid, parentUuid: null, sessionId: 's', timestamp: '2026-07-04T14:18:00.000Z', version: '2.1.0', cwd: '/w' },
      ...{
        userType: 'external',
        isSidechain: agentId !== undefined,
        ...(agentId !== undefined && { agentId }),
        ...more
      }
    })
    const write = (id: string): JsonObject => ({
      type: 'assistant',
      message: {
        ...{ id: `m-${id}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
        content: [{ type: 'tool_use', id, name: 'TodoWrite', input: { todos: list('same', 'content') } }]
      }
    })
    const reminder = (content: JsonObject[]): JsonObject => ({
      type: 'attachment',
      attachment: { type: 'todo_reminder', content, itemCount: content.length }
    })
    const found = listsOf('claude-transcript', [
      line('a', undefined, write('t1')),
      line('b', 'sub', write('t2')),
      line('c', 'sub', reminder(list('edited', 'content'))),
      line('d', 'sub', reminder(list('edited', 'content'))),
      line('e', undefined, reminder(list('same', 'content')))
    ])
    expect(found[0]).toBe(called)
    expect(found).toHaveLength(3)
    expect(found.slice(1).map((text) => text.replace(/^[^:]+/, 'main'))).toEqual([called, edited])
    expect(found.slice(1).some((text) => text.startsWith('main:'))).toBe(false)
  })
})
