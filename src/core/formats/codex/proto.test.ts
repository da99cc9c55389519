import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../log-format.ts'
import { codexExecJson } from './exec-json.ts'

/** The events of records of the form before 0.44, and `code path` of the issues. */
function read(...records: unknown[]): { events: EventDraft[]; issues: string[] } {
  const fold = codexExecJson.createFold({})
  const events: EventDraft[] = []
  const issues: string[] = []
  for (const [index, record] of records.entries()) {
    const at = { line: index + 1, offset: index * 100, length: 99 }
    const decoded = codexExecJson.decode(JSON.parse(JSON.stringify(record)), at)
    issues.push(...decoded.issues.map(({ code, path }) => `${code} ${path}`))
    events.push(...fold.add(at, decoded).events.map(({ draft }) => draft))
  }
  return { events, issues }
}

const msg = (type: string, rest: object = {}): object => ({ id: '0', msg: { type, ...rest } })
const totals = (input_tokens: number): object =>
  msg('token_count', { info: { total_token_usage: { input_tokens }, last_token_usage: { input_tokens: 1 } } })

describe('the lines before the first event', () => {
  test('the configuration begins the session, the prompt is what the user asked', () => {
    const configuration = { workdir: '/w', model: 'gpt-5', provider: 'openai', 'reasoning effort': 'none' }
    expect(read(configuration, { prompt: 'Count.' })).toEqual({
      events: [
        { type: 'session.started', model: 'gpt-5', cwd: '/w' },
        { type: 'text', text: 'Count.', role: 'user', category: 'user-message' }
      ],
      issues: []
    })
  })

  test('are detected by the configuration if the prompt exceeds the head', () => {
    const holds = (record: object): boolean =>
      codexExecJson.detectors.some((detector) => detector.holds(record as Record<string, string>))
    expect(holds({ workdir: '/w', model: 'gpt-5', provider: 'openai' })).toBe(true)
    expect(holds({ type: 'x', workdir: '/w', model: 'gpt-5', provider: 'openai' })).toBe(false)
  })
})

describe('messages', () => {
  test.each([
    ['agent_message', { message: 'Hi' }, { text: 'Hi', role: 'assistant', category: 'assistant-message' }],
    ['agent_reasoning', { text: 'Hm' }, { text: 'Hm', role: 'assistant', category: 'reasoning' }],
    ['agent_reasoning_raw_content', { text: 'Hm' }, { text: 'Hm', role: 'assistant', category: 'reasoning' }],
    ['user_message', { message: 'Go', kind: 'plain' }, { text: 'Go', role: 'user', category: 'user-message' }],
    ['background_event', { message: 'waiting' }, { text: 'waiting', role: 'system', category: 'status' }],
    ['warning', { message: 'careful' }, { text: 'careful', role: 'system', category: 'status' }],
    ['deprecation_notice', { summary: 'old', details: null }, { text: 'old', role: 'system', category: 'status' }]
  ])('%s is a text', (type, rest, text) => {
    expect(read(msg(type, rest))).toEqual({ events: [{ type: 'text', ...text }], issues: [] })
  })

  test('the prompt is one event, text in the user’s name none', () => {
    const injected = msg('user_message', { message: '<environment_context/>', kind: 'environment_context' })
    const { events } = read({ prompt: 'Go' }, injected, msg('user_message', { message: 'Go' }))
    expect(events).toHaveLength(1)
    expect(read({ prompt: 'Go' }, msg('user_message', { message: 'Stop' })).events).toHaveLength(2)
  })

  test('session_configured begins a session with an id', () => {
    expect(read(msg('session_configured', { session_id: 's', model: 'm' })).events).toEqual([
      { type: 'session.started', model: 'm' }
    ])
  })

  test('a command: its end has the whole output; pieces before are records', () => {
    const begin = msg('exec_command_begin', { call_id: 'c', command: ['ls'], cwd: '/w' })
    const piece = msg('exec_command_output_delta', { call_id: 'c', stream: 'stdout', chunk: 'YQo=' })
    const end = (rest: object): object =>
      msg('exec_command_end', { call_id: 'c', stdout: 'a\n', stderr: 'b\n', ...rest })
    expect(read(begin, piece, end({ exit_code: 0 }))).toEqual({
      events: [
        { type: 'tool.started', toolName: 'command_execution', toolId: 'c', input: { command: ['ls'], cwd: '/w' } },
        { type: 'tool.completed', toolId: 'c', output: 'a\nb\n' }
      ],
      issues: []
    })
    expect(read(begin, end({ exit_code: 2, aggregated_output: 'b\na\n' })).events[1]).toEqual({
      type: 'tool.completed',
      toolId: 'c',
      error: 'b\na\n'
    })
  })

  test('a patch', () => {
    const changes = { '/w/a': { add: { content: 'x' } } }
    const begin = msg('patch_apply_begin', { call_id: 'c', auto_approved: true, changes })
    const end = (success: boolean): object =>
      msg('patch_apply_end', { call_id: 'c', stdout: 'A a', stderr: success ? '' : 'no a', success })
    expect(read(begin, end(true)).events).toEqual([
      { type: 'tool.started', toolName: 'file_change', toolId: 'c', input: { changes } },
      { type: 'tool.completed', toolId: 'c', output: 'A a' }
    ])
    expect(read(begin, end(false)).events[1]).toMatchObject({ error: 'no a' })
  })

  test.each([
    [{ Ok: { content: [{ type: 'text', text: 'full' }] } }, { output: 'full' }],
    [{ Ok: { content: [{ type: 'text', text: 'no' }], isError: true } }, { error: 'no' }],
    [{ Err: 'gone' }, { error: 'gone' }]
  ])('the tool of a server that answers %j', (result, end) => {
    const invocation = { server: 'almanac', tool: 'moon', arguments: { month: 3 } }
    const records = [
      msg('mcp_tool_call_begin', { call_id: 'c', invocation }),
      msg('mcp_tool_call_end', { call_id: 'c', invocation, result })
    ]
    const events = [
      { type: 'tool.started', toolName: 'almanac.moon', toolId: 'c', input: { month: 3 } },
      { type: 'tool.completed', toolId: 'c', ...end }
    ]
    expect(read(...records)).toEqual({ events, issues: [] })
    expect(read(...records.slice(1)).events).toEqual(events)
  })

  test('a search', () => {
    const begin = msg('web_search_begin', { call_id: 'c' })
    expect(read(begin, msg('web_search_end', { call_id: 'c', query: 'tides' })).events).toEqual([
      { type: 'tool.started', toolName: 'web_search', toolId: 'c', input: {} },
      { type: 'tool.completed', toolId: 'c', output: 'tides' }
    ])
  })

  test('plan_update is a list with what is being worked on; invalid steps are skipped, none at all clears it', () => {
    const plan = [
      { step: 'a', status: 'completed' },
      { step: 'b', status: 'in_progress' },
      { step: 'c', status: 'blocked' },
      { step: ' ', status: 'pending' },
      { step: 'd', status: 'someday' },
      null
    ]
    expect(read(msg('plan_update', { plan }), msg('plan_update', { plan: [] })).events).toEqual([
      {
        type: 'todo_list',
        todoId: 'line-1-0',
        items: [
          { text: 'a', status: 'completed' },
          { text: 'b', status: 'in_progress' },
          { text: 'c', status: 'pending' }
        ]
      },
      { type: 'todo_list', todoId: 'line-2-0', items: [] }
    ])
  })

  test('the end of a task: done, failed if an error came in it, cancelled when aborted', () => {
    const task = msg('task_started')
    const complete = msg('task_complete', { last_agent_message: 'Hi' })
    const error = msg('error', { message: '{"error":{"message":"refused"}}' })
    expect(
      read(task, complete, task, error, complete, task, msg('turn_aborted', { reason: 'interrupted' })).events
    ).toEqual([
      { type: 'turn.completed', finishReason: 'done' },
      { type: 'error', error: 'refused' },
      { type: 'turn.completed', finishReason: 'error' },
      { type: 'turn.completed', finishReason: 'cancelled' }
    ])
  })

  test('tokens are counted over all tasks; each has its own', () => {
    const complete = msg('task_complete')
    expect(read(totals(100), complete, totals(120), totals(150), complete).events).toEqual([
      { type: 'turn.completed', finishReason: 'done', usage: { input_tokens: 100 } },
      { type: 'turn.completed', finishReason: 'done', usage: { input_tokens: 50 } }
    ])
    expect(read(msg('token_count', { info: null }), complete).events).toEqual([
      { type: 'turn.completed', finishReason: 'done' }
    ])
  })

  test.each(['turn_diff', 'stream_error', 'agent_message_delta', 'exec_approval_request', 'shutdown_complete'])(
    '%s is a record',
    (type) => {
      expect(read(msg(type))).toEqual({ events: [], issues: [] })
    }
  )

  test.each([
    [{ id: '0', msg: 'x' }, 'TypedParse $.msg'],
    [{ id: '0', msg: {} }, 'TypedParse $.msg.type'],
    [{ msg: { type: 'turn_diff' } }, 'TypedParse $.id'],
    [msg('agent_message'), 'TypedParse $.msg.message'],
    [msg('agent_reasoning'), 'TypedParse $.msg.text'],
    [msg('exec_command_begin', { call_id: 'c' }), 'TypedParse $.msg.command'],
    [msg('exec_command_end', { exit_code: 0 }), 'TypedParse $.msg.call_id'],
    [msg('patch_apply_end', { call_id: 'c' }), 'TypedParse $.msg.success'],
    [msg('mcp_tool_call_begin', { call_id: 'c' }), 'TypedParse $.msg.invocation'],
    [msg('plan_update', { plan: [{ step: 'a' }] }), 'TypedParse $.msg.plan[0].status'],
    [msg('session_configured'), 'TypedParse $.msg.session_id'],
    [msg('from_a_later_version'), 'UnknownSubtype $.msg.type']
  ])('%j has an issue', (record, issue) => {
    expect(read(record).issues).toEqual([issue])
  })
})
