import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../events/agent-event.ts'
import { parseJson } from '../json-text.ts'
import { LogReader } from '../log-reader.ts'
import { stamp } from '../stamp.ts'
import { codexExecJson } from './exec-json.ts'

const thread = '01a20021-6bf9-7ea0-aa87-2785735ebcd1'
const started = { type: 'thread.started', thread_id: thread }
const turn = { type: 'turn.started' }

/** The events of records or lines, and `code path` of each issue by line. */
function read(...records: unknown[]): { events: AgentEvent[]; issues: string[] } {
  const events: AgentEvent[] = []
  const issues: string[] = []
  const reader = new LogReader(codexExecJson, {
    line(line) {
      for (const event of line.events) events.push(stamp(event, { agentType: 'openai-codex' }))
      for (const { code, path } of line.issues) issues.push(`${code} ${path}`)
    }
  })
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  reader.push(new TextEncoder().encode(`${lines.join('\n')}\n`))
  reader.end()
  return { events, issues }
}

/** The events without their common members. */
function eventsOf(...records: unknown[]): unknown[] {
  return read(...records).events.map(
    ({
      eventId: _e,
      agentId: _a,
      agentType: _t,
      teamMetadata: _m,
      source: _s,
      timestamp: _c,
      timestampFrom: _f,
      ...rest
    }) => rest
  )
}

function item(phase: 'started' | 'updated' | 'completed', id: string, type: string, rest: object = {}): object {
  return { type: `item.${phase}`, item: { id, type, ...rest } }
}
const sh = (phase: 'started' | 'updated' | 'completed', id: string, rest: object = {}): object =>
  item(phase, id, 'command_execution', {
    command: 'ls',
    aggregated_output: '',
    exit_code: null,
    status: 'in_progress',
    ...rest
  })
const plan = (phase: 'started' | 'updated' | 'completed', id: string, ...items: [string, boolean][]): object =>
  item(phase, id, 'todo_list', { items: items.map(([text, completed]) => ({ text, completed })) })
const spent = (input_tokens: number): object => ({
  type: 'turn.completed',
  usage: { input_tokens, cached_input_tokens: 0, output_tokens: 10 }
})

describe('events', () => {
  test('thread.started: the session’s time is in its id; later events have no own time', () => {
    const { events } = read(started, item('completed', 'item_0', 'agent_message', { text: 'Hi' }))
    expect(events).toMatchObject([
      { type: 'session.started', sessionId: thread, timestamp: 0x01a200216bf9 },
      { type: 'text', sessionId: thread, timestamp: 0x01a200216bf9, timestampFrom: 'previous' }
    ])
    expect(events[0]).not.toHaveProperty('timestampFrom')
  })

  test('a thread id of another version has no time', () => {
    const { events } = read({ type: 'thread.started', thread_id: '5f0c7d2e-1a44-4c0e-9d5b-7a3f1c2b9e10' })
    expect(events).toMatchObject([{ type: 'session.started', timestamp: 0, timestampFrom: 'previous' }])
  })

  test('session.created is what it was called in September 2025', () => {
    expect(eventsOf({ type: 'session.created', session_id: thread })).toEqual([
      { type: 'session.started', sessionId: thread }
    ])
  })

  test('turn.started is a record', () => {
    expect(read(turn)).toEqual({ events: [], issues: [] })
  })

  test('turn.completed: done, with the tokens in their own names', () => {
    const usage = {
      input_tokens: 9,
      cached_input_tokens: 4,
      cache_write_input_tokens: 1,
      output_tokens: 3,
      reasoning_output_tokens: 2
    }
    expect(eventsOf(started, { type: 'turn.completed', usage })[1]).toEqual({
      type: 'turn.completed',
      finishReason: 'done',
      usage,
      sessionId: thread
    })
  })

  test('usage is that of the thread: a later turn, also of a resumed process, has the difference', () => {
    const { events } = read(started, spent(100), started, spent(160), started, spent(160))
    expect(events.filter(({ type }) => type === 'turn.completed')).toMatchObject([
      { usage: { input_tokens: 100, output_tokens: 10 } },
      { usage: { input_tokens: 60, output_tokens: 0 } },
      { usage: { input_tokens: 0, output_tokens: 0 } }
    ])
  })

  test('each thread counts on its own, and totals that shrink are a new count', () => {
    const other = { type: 'thread.started', thread_id: '01a20021-0000-7000-8000-000000000001' }
    const { events } = read(started, spent(100), other, spent(70), started, spent(40))
    expect(events.filter(({ type }) => type === 'turn.completed')).toMatchObject([
      { usage: { input_tokens: 100 } },
      { usage: { input_tokens: 70 } },
      { usage: { input_tokens: 40 } }
    ])
  })

  test('turn.failed repeats the error before it, lines between them or not: one error event', () => {
    const failure = { type: 'turn.failed', error: { message: 'no such model' } }
    const error = { type: 'error', message: 'no such model' }
    expect(eventsOf(error, plan('completed', 'item_0', ['a', false]), failure)).toMatchObject([
      { type: 'error', error: 'no such model' },
      { type: 'todo_list' },
      { type: 'turn.completed', finishReason: 'error' }
    ])
    const alone = [
      { type: 'error', error: 'no such model' },
      { type: 'turn.completed', finishReason: 'error' }
    ]
    expect(eventsOf(failure)).toMatchObject(alone)
    // The same text in the turn before is another error.
    expect(eventsOf(error, turn, failure)).toMatchObject([alone[0], ...alone])
    expect(eventsOf({ ...error, message: 'busy' }, failure)).toMatchObject([{ error: 'busy' }, ...alone])
  })

  test.each([
    'Reconnecting... 1/5 (We are busy.)',
    'Reconnecting... waiting for network',
    'stream error: reset by peer; retrying 2/5 in 204ms…',
    'remote compact error: reset; retrying 1/5 in 204ms…'
  ])('transient: %s', (message) => {
    expect(read({ type: 'error', message })).toEqual({ events: [], issues: [] })
  })

  test.each([
    ['plain text', 'plain text', undefined],
    ['{"error":{"message":"refused","type":"invalid_request_error","code":null}}', 'refused', 'invalid_request_error'],
    ['{"type":"error","status":429,"error":{"type":"t","code":"c","message":"slow down"}}', 'slow down', 'c'],
    ['{"message":"top","code":"x"}', 'top', 'x'],
    ['{"detail":"not here"}', 'not here', undefined],
    ['{"error":"just text"}', 'just text', undefined],
    ['{"error":{"status":500}}', '{"error":{"status":500}}', undefined],
    ['{"message":"cut', '{"message":"cut', undefined],
    ['[1]', '[1]', undefined]
  ])('the message of an error may be JSON text: %s', (message, error, code) => {
    const [event] = eventsOf({ type: 'error', message })
    expect(event).toEqual(code === undefined ? { type: 'error', error } : { type: 'error', error, code })
  })

  test('it repeats it also where only one of the two is the JSON text of an answer', () => {
    const error = { type: 'error', message: '{"error":{"message":"no such model"}}' }
    const failure = { type: 'turn.failed', error: { message: 'no such model' } }
    expect(eventsOf(turn, error, failure)).toMatchObject([{ type: 'error' }, { type: 'turn.completed' }])
  })

  test('an error that no turn.failed follows ended nothing', () => {
    expect(eventsOf(turn, { type: 'error', message: 'hm' }, spent(5))).toMatchObject([
      { type: 'error' },
      { type: 'turn.completed', finishReason: 'done' }
    ])
  })

  test('what some builds write besides is a record', () => {
    const questions: unknown[] = []
    const records = [
      { type: 'item.plan.delta', item_id: 'item_1', delta: '# Pl' },
      { type: 'request_user_input', id: 'turn_1', call_id: 'call_1', questions }
    ]
    expect(read(...records)).toEqual({ events: [], issues: [] })
  })

  test('an interrupted run has no end, and none is made up', () => {
    const { events } = read(started, turn, plan('started', 'item_0', ['a', false]), sh('started', 'item_1'))
    expect(events.map(({ type }) => type)).toEqual(['session.started', 'todo_list', 'tool.started'])
  })
})

describe('items', () => {
  test.each([
    ['agent_message', { text: 'Hi' }, { text: 'Hi', role: 'assistant', category: 'assistant-message' }],
    ['assistant_message', { text: 'Hi' }, { text: 'Hi', role: 'assistant', category: 'assistant-message' }],
    ['reasoning', { text: 'Hm' }, { text: 'Hm', role: 'assistant', category: 'reasoning' }],
    ['plan', { text: '# P' }, { text: '# P', role: 'assistant', category: 'status' }],
    ['error', { message: 'Deprecated.' }, { text: 'Deprecated.', role: 'system', category: 'status' }]
  ])('%s is a text once it is complete', (type, rest, text) => {
    expect(eventsOf(item('completed', 'item_0', type, rest))).toEqual([{ type: 'text', ...text }])
    expect(eventsOf(item('updated', 'item_0', type, rest))).toEqual([])
    expect(eventsOf({ type: 'item.completed', item: { id: 'item_0', item_type: type, ...rest } })).toEqual([
      { type: 'text', ...text }
    ])
  })

  test('command_execution: the call when it starts, the result when it is complete', () => {
    const records = [
      started,
      sh('started', 'item_0'),
      sh('completed', 'item_0', { aggregated_output: 'a\n', exit_code: 0, status: 'completed' })
    ]
    expect(eventsOf(...records).slice(1)).toEqual([
      {
        type: 'tool.started',
        toolName: 'command_execution',
        toolId: `${thread}:1:item_0`,
        input: { command: 'ls' },
        sessionId: thread
      },
      { type: 'tool.completed', toolId: `${thread}:1:item_0`, output: 'a\n', sessionId: thread }
    ])
  })

  test('a command may be a list of words', () => {
    const { events, issues } = read(sh('started', 'item_0', { command: ['bash', '-lc', 'ls'] }))
    expect(events).toMatchObject([{ input: { command: ['bash', '-lc', 'ls'] } }])
    expect(issues).toEqual([])
  })

  test.each([
    [{ status: 'completed', exit_code: 0, aggregated_output: 'out' }, { output: 'out' }],
    [{ status: 'completed', exit_code: null, aggregated_output: 'out' }, { output: 'out' }],
    [{ status: 'completed', aggregated_output: '' }, { output: '' }],
    [{ status: 'failed', exit_code: 3, aggregated_output: 'out' }, { error: 'out' }],
    [{ status: 'completed', exit_code: 1, aggregated_output: 'out' }, { error: 'out' }],
    [{ status: 'failed', exit_code: 3, aggregated_output: '' }, { error: 'exit code 3' }],
    [{ status: 'declined', exit_code: null, aggregated_output: '' }, { error: 'declined' }]
  ])('a command that ended as %o', (end, result) => {
    const completed = eventsOf(sh('completed', 'item_0', end))[1]
    expect(completed).toEqual({ type: 'tool.completed', toolId: 'log:1:item_0', ...result })
  })

  test.each(['updated', 'completed'] as const)('the first sight of a call may be item.%s: it starts there', (phase) => {
    const status = phase === 'completed' ? 'completed' : 'in_progress'
    const changes = [{ path: '/w/a', kind: 'add' }]
    const records = [item(phase, 'item_0', 'file_change', { changes, status })]
    if (phase === 'updated') records.push(item('completed', 'item_0', 'file_change', { changes, status: 'completed' }))
    expect(eventsOf(...records)).toEqual([
      { type: 'tool.started', toolName: 'file_change', toolId: 'log:1:item_0', input: { changes } },
      { type: 'tool.completed', toolId: 'log:1:item_0', output: 'add /w/a' }
    ])
  })

  test('file_change that failed', () => {
    const changes = [{ path: '/w/a', kind: 'update' }]
    expect(eventsOf(item('completed', 'item_0', 'file_change', { changes, status: 'failed' }))[1]).toMatchObject({
      error: 'update /w/a'
    })
  })

  test('mcp_tool_call is named after its server; its answer is text, its error the message', () => {
    const call = { server: 'almanac', tool: 'moon', arguments: { month: 3 } }
    const answers = [
      [{ result: { content: [{ type: 'text', text: 'full' }] }, error: null, status: 'completed' }, { output: 'full' }],
      [{ result: { content: [], structured_content: { day: 14 } }, status: 'completed' }, { output: '{"day":14}' }],
      [{ result: null, error: { message: 'gone' }, status: 'failed' }, { error: 'gone' }],
      [{ result: null, error: null, status: 'failed' }, { error: 'failed' }]
    ] as const
    for (const [answer, result] of answers) {
      const { events, issues } = read(item('completed', 'item_0', 'mcp_tool_call', { ...call, ...answer }))
      expect(issues).toEqual([])
      expect(events).toMatchObject([
        { type: 'tool.started', toolName: 'almanac.moon', input: { month: 3 } },
        { type: 'tool.completed', ...result }
      ])
    }
  })

  test('collab_tool_call: its prompt, its agents and their states', () => {
    const call = { tool: 'wait', sender_thread_id: 'a', receiver_thread_ids: ['b'], prompt: null }
    const states = { b: { status: 'completed', message: 'It has 62 rows.' }, c: { status: 'running', message: null } }
    const record = item('completed', 'item_0', 'collab_tool_call', {
      ...call,
      agents_states: states,
      status: 'completed'
    })
    expect(eventsOf(record)).toMatchObject([
      { toolName: 'wait', input: { sender_thread_id: 'a', receiver_thread_ids: ['b'] } },
      { output: 'b: completed\nIt has 62 rows.\nc: running' }
    ])
  })

  test('web_search has the key id twice; both of its records have the same second one', () => {
    const line = (phase: string, query: string): string =>
      `{"type":"item.${phase}","item":{"id":"item_0","type":"web_search","id":"ws_7","query":"${query}","action":{"type":"search","query":"${query}"}}}`
    expect(eventsOf(line('started', ''), line('completed', 'tides'))).toMatchObject([
      { type: 'tool.started', toolName: 'web_search', toolId: 'log:1:ws_7' },
      { type: 'tool.completed', toolId: 'log:1:ws_7', output: 'tides' }
    ])
  })

  test('calls side by side keep their own results; one that never ended has none', () => {
    const end = { aggregated_output: 'b', exit_code: 0, status: 'completed' }
    const records = [sh('started', 'item_0'), sh('started', 'item_1'), sh('completed', 'item_1', end)]
    expect(eventsOf(...records)).toMatchObject([
      { type: 'tool.started', toolId: 'log:1:item_0' },
      { type: 'tool.started', toolId: 'log:1:item_1' },
      { type: 'tool.completed', toolId: 'log:1:item_1', output: 'b' }
    ])
  })

  test('a call is started once, and a result written again replaces the first', () => {
    const end = (out: string): object =>
      sh('completed', 'item_0', { aggregated_output: out, exit_code: 0, status: 'completed' })
    expect(eventsOf(end('a'), end('b'), sh('started', 'item_0'))).toMatchObject([
      { type: 'tool.started' },
      { type: 'tool.completed', output: 'a' },
      { type: 'tool.completed', output: 'b' }
    ])
  })
})

describe('ids', () => {
  const ids = (...records: unknown[]): string[] =>
    read(...records).events.flatMap((event) => (event.type === 'tool.started' ? [event.toolId] : []))

  test('each process of a thread counts its items from 0', () => {
    expect(ids(started, turn, sh('started', 'item_0'), started, turn, sh('started', 'item_0'))).toEqual([
      `${thread}:1:item_0`,
      `${thread}:2:item_0`
    ])
  })

  test('without its first line, a process starts at a turn with restarted items', () => {
    const log = [turn, sh('started', 'item_4'), sh('started', 'item_5'), turn, sh('started', 'item_1')]
    expect(ids(...log)).toEqual(['log:1:item_4', 'log:1:item_5', 'log:2:item_1'])
  })

  test('a thread that goes on is no new session; another one is', () => {
    const other = { type: 'thread.started', thread_id: '01a20021-0000-7000-8000-000000000001' }
    const sessions = read(started, started, other, started).events.map(({ sessionId }) => sessionId)
    expect(sessions).toEqual([thread, other.thread_id, thread])
  })
})

describe('todo lists', () => {
  const lists = (...records: unknown[]): unknown[] =>
    read(...records).events.flatMap((event) => (event.type === 'todo_list' ? [[event.todoId, event.items]] : []))
  const a = (status: string): object => ({ text: 'a', status })

  test('started and updated give the list, completed only what differs', () => {
    const log = [plan('started', 'item_0', ['a', false]), plan('updated', 'item_0', ['a', true])]
    const given = [
      ['log:1:item_0', [a('pending')]],
      ['log:1:item_0', [a('completed')]]
    ]
    expect(lists(...log, plan('completed', 'item_0', ['a', true]))).toEqual(given)
    expect(lists(...log, plan('completed', 'item_0', ['a', false]))).toEqual([...given, given[0]])
    expect(lists(plan('completed', 'item_0', ['a', true]))).toEqual([given[1]])
  })

  test('the next turn has a new list, even one of the same items', () => {
    const log = [turn, plan('started', 'item_0', ['a', false]), turn, plan('completed', 'item_3', ['a', false])]
    expect(lists(...log)).toEqual([
      ['log:1:item_0', [a('pending')]],
      ['log:1:item_3', [a('pending')]]
    ])
  })

  test('an empty list is cleared', () => {
    expect(lists(plan('started', 'item_0', ['a', false]), plan('updated', 'item_0'))).toEqual([
      ['log:1:item_0', [a('pending')]],
      ['log:1:item_0', []]
    ])
  })

  test('invalid items are skipped', () => {
    const items = [null, 'a', { text: ' ', completed: false }, { text: 'a' }]
    expect(lists(item('started', 'item_0', 'todo_list', { items }))).toEqual([['log:1:item_0', [a('pending')]]])
  })

  test('a list is no tool call', () => {
    const { events } = read(plan('started', 'item_0', ['a', false]), plan('completed', 'item_0', ['a', false]))
    expect(events.map(({ type }) => type)).toEqual(['todo_list'])
  })
})

describe('issues', () => {
  test.each([
    [null, 'TypedParse $'],
    [[], 'TypedParse $'],
    [{}, 'TypedParse $.type'],
    [{ type: 7 }, 'TypedParse $.type'],
    [{ type: 'thread.started' }, 'TypedParse $.thread_id'],
    [{ type: 'session.created' }, 'TypedParse $.session_id'],
    [{ type: 'turn.completed' }, 'TypedParse $.usage'],
    [{ type: 'turn.completed', usage: { input_tokens: 1 } }, 'TypedParse $.usage.cached_input_tokens'],
    [{ type: 'turn.failed', error: {} }, 'TypedParse $.error.message'],
    [{ type: 'error' }, 'TypedParse $.message'],
    [{ type: 'item.plan.delta', item_id: 'i' }, 'TypedParse $.delta'],
    [{ type: 'request_user_input', id: 'i' }, 'TypedParse $.call_id'],
    [{ type: 'item.started' }, 'TypedParse $.item'],
    [{ type: 'item.started', item: { id: 'item_0' } }, 'TypedParse $.item.type'],
    [{ type: 'item.started', item: { type: 'reasoning', text: '' } }, 'TypedParse $.item.id'],
    [item('completed', 'item_0', 'agent_message'), 'TypedParse $.item.text'],
    [item('completed', 'item_0', 'error'), 'TypedParse $.item.message'],
    [sh('started', 'item_0', { status: undefined }), 'TypedParse $.item.status'],
    [sh('started', 'item_0', { command: 7 }), 'TypedParse $.item.command'],
    [item('started', 'item_0', 'file_change', { changes: [{}], status: 's' }), 'TypedParse $.item.changes[0].path'],
    [item('started', 'item_0', 'mcp_tool_call', { tool: 't', status: 's' }), 'TypedParse $.item.server'],
    [item('started', 'item_0', 'collab_tool_call', { status: 's' }), 'TypedParse $.item.tool'],
    [item('started', 'item_0', 'web_search'), 'TypedParse $.item.query'],
    [item('started', 'item_0', 'todo_list', { items: [{ text: 'a' }] }), 'TypedParse $.item.items[0].completed'],
    [item('started', 'item_0', 'hologram'), 'UnknownSubtype $.item.type'],
    [{ type: 'item.started', item: { id: 'item_0', item_type: 'hologram' } }, 'UnknownSubtype $.item.item_type'],
    [{ type: 'thread.compacted' }, 'UnknownType $.type']
  ])('%j', (record, issue) => {
    expect(read(record).issues).toEqual([issue])
  })

  test('what breaks the contract is read all the same', () => {
    expect(eventsOf({ type: 'item.completed', item: { type: 'agent_message', text: 'Hi' } })).toMatchObject([
      { type: 'text', text: 'Hi' }
    ])
    expect(eventsOf({ type: 'turn.failed' })).toEqual([{ type: 'turn.completed', finishReason: 'error' }])
    expect(eventsOf({ type: 'turn.completed' })).toEqual([{ type: 'turn.completed', finishReason: 'done' }])
    const nameless = { type: 'item.completed', item: { type: 'command_execution', command: 'ls', status: 'completed' } }
    expect(eventsOf(nameless)).toMatchObject([{ toolId: 'log:1:line-1-0' }, { toolId: 'log:1:line-1-0', output: '' }])
  })

  test('arguments nested too deeply are left out, the call stays', () => {
    const deep = `${'{"a":'.repeat(1100)}1${'}'.repeat(1100)}`
    const line = `{"type":"item.completed","item":{"id":"item_0","type":"mcp_tool_call","server":"s","tool":"t","status":"completed","arguments":${deep},"result":{"content":[{"type":"odd","deep":${deep}}]}}}`
    expect(parseJson(line).ok).toBe(true)
    const { events, issues } = read(line)
    expect(events).toMatchObject([{ input: {} }, { output: '[nested too deeply to show]' }])
    expect(issues).toEqual(['TooDeep $.item'])
  })

  test('messages quote nothing of the log', () => {
    const issues = codexExecJson.decode({ type: 'hunter2', item: 'hunter2' }, { line: 1, offset: 0, length: 9 }).issues
    expect(JSON.stringify(issues)).not.toContain('hunter')
  })
})
