import { numbers, textOf } from './random-text.js'

/**
 * One log of each kind there is, of about `bytes` bytes: records of the types, the shares and the sizes that real logs of the format have
 * (measured over a corpus: mean line 1.6 to 3.5 kB, median 0.2 to 1 kB, tool results up to 20 kB). Always the same bytes.
 */
export function formatLogs(bytes) {
  return Object.entries(kinds).map(([name, make]) => ({ name, bytes: Buffer.from(make(contextOf(bytes))) }))
}

const start = 1_795_295_000_000
const session = 'b4b0c2a4-0000-4000-8000-0000000bench'

function contextOf(bytes) {
  const random = numbers(20261122)
  let count = 0
  return {
    bytes,
    random,
    text: (length) => textOf(random, length),
    /** The text of a tool result: most are short, few are long. */
    output: () => textOf(random, 200 + random() ** 3 * 18_000),
    next: () => ++count,
    time: () => new Date(start + count * 37).toISOString(),
    uuid: () => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  }
}

/** Calls `round` for the records of one step of the agent until there are enough bytes. */
function lines({ bytes }, first, round) {
  const made = first.map((record) => JSON.stringify(record))
  let size = 0
  for (let step = 0; size < bytes; step++) {
    for (const record of round(step)) {
      const line = JSON.stringify(record)
      size += line.length + 1
      made.push(line)
    }
  }
  return `${made.join('\n')}\n`
}

const steps = ['Inspect the repository', 'Write the module', 'Test it', 'Write about it', 'Clean up']

/** A list of five of which as many are done as the step says. */
function todos(step, item) {
  return steps.map((text, index) => {
    const done = step % (steps.length + 1)
    return item(text, index < done ? 'completed' : index === done ? 'in_progress' : 'pending')
  })
}

const claudeMessage = (c, role, content) => ({
  id: `msg_${c.next()}`,
  type: 'message',
  role,
  model: 'claude-sonnet-4-5',
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, cache_creation_input_tokens: 19290, cache_read_input_tokens: 16496, output_tokens: 6 }
})

function claudeStep(c, step, assistant, result, other) {
  const id = `toolu_${step}`
  const todo = `toolu_todo_${step}`
  const input = { todos: todos(step, (content, status) => ({ content, status, activeForm: `${content} …` })) }
  return [
    assistant([{ type: 'thinking', thinking: c.text(600), signature: 's'.repeat(240) }]),
    ...other(),
    assistant([{ type: 'text', text: c.text(80 + c.random() * 800) }]),
    assistant([{ type: 'tool_use', id, name: 'Bash', input: { command: c.text(300), description: 'Run the tests' } }]),
    result([{ tool_use_id: id, type: 'tool_result', content: c.output(), is_error: false }]),
    ...(step % 4 > 0
      ? []
      : [
          assistant([{ type: 'tool_use', id: todo, name: 'TodoWrite', input }]),
          result([{ tool_use_id: todo, type: 'tool_result', content: 'Todos have been modified successfully.' }])
        ])
  ]
}

function claudeStream(c) {
  const base = () => ({ parent_tool_use_id: null, session_id: session, uuid: c.uuid(), timestamp: c.time() })
  const assistant = (content) => ({ type: 'assistant', message: claudeMessage(c, 'assistant', content), ...base() })
  const user = (content) => ({ type: 'user', message: { role: 'user', content }, ...base() })
  const ticks = () =>
    Array.from({ length: 3 }, (_, i) => ({
      ...{ type: 'system', subtype: 'thinking_tokens', estimated_tokens: 40 * i, estimated_tokens_delta: 40 },
      ...{ session_id: session, uuid: c.uuid() }
    }))
  const init = { type: 'system', subtype: 'init', cwd: '/demo', tools: ['Bash', 'TodoWrite'], session_id: session }
  return [
    { ...init, model: 'claude-sonnet-4-5', uuid: c.uuid() },
    (step) => claudeStep(c, step, assistant, user, ticks)
  ]
}

function claudeTranscript(c) {
  let parentUuid = null
  const base = () => {
    c.next()
    const line = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: '/demo',
      sessionId: session,
      version: '2.1.56'
    }
    parentUuid = c.uuid()
    return { ...line, gitBranch: 'main', uuid: parentUuid, timestamp: c.time() }
  }
  const assistant = (content) => ({ ...base(), message: claudeMessage(c, 'assistant', content), type: 'assistant' })
  const user = (content) => ({
    ...{ ...base(), type: 'user', message: { role: 'user', content } },
    toolUseResult: { stdout: content[0].content, stderr: '', interrupted: false, isImage: false }
  })
  const progress = () =>
    Array.from({ length: 2 }, () => ({
      ...{ ...base(), type: 'progress', toolUseID: 'toolu_0', parentToolUseID: 'toolu_0' },
      data: {
        type: 'bash_progress',
        output: c.text(900),
        fullOutput: c.text(900),
        elapsedTimeSeconds: 3,
        totalLines: 9
      }
    }))
  const prompt = { ...base(), type: 'user', message: { role: 'user', content: 'Make the tests pass.' } }
  return lines(c, [prompt], (step) => claudeStep(c, step, assistant, user, progress))
}

function codexExec(c) {
  const item = (event, body) => ({
    type: `item.${event}`,
    item: { ...body, id: `item_${body.id}` }
  })
  const first = [{ type: 'thread.started', thread_id: session }, { type: 'turn.started' }]
  return lines(c, first, (step) => {
    const command = { id: step * 4, type: 'command_execution', command: `/bin/bash -lc '${c.text(200)}'` }
    const list = {
      id: 1,
      type: 'todo_list',
      items: todos(step, (text, status) => ({ text, completed: status === 'completed' }))
    }
    return [
      item('completed', { id: step * 4 + 1, type: 'reasoning', text: c.text(60) }),
      item('started', { ...command, aggregated_output: '', exit_code: null, status: 'in_progress' }),
      item('completed', { ...command, aggregated_output: c.output(), exit_code: 0, status: 'completed' }),
      item('completed', { id: step * 4 + 2, type: 'agent_message', text: c.text(200) }),
      ...(step % 4 > 0 ? [] : [item(step === 0 ? 'started' : 'updated', list)]),
      ...(step % 50 < 49
        ? []
        : [
            { type: 'turn.completed', usage: { input_tokens: 10800, cached_input_tokens: 4000, output_tokens: 400 } },
            { type: 'turn.started' }
          ])
    ]
  })
}

function codexRollout(c) {
  const line = (type, payload) => {
    c.next()
    return { timestamp: c.time(), type, payload }
  }
  const item = (payload) => line('response_item', payload)
  const event = (payload) => line('event_msg', payload)
  const tokens = {
    input_tokens: 20199,
    cached_input_tokens: 10624,
    output_tokens: 483,
    reasoning_output_tokens: 178,
    total_tokens: 20682
  }
  const limit = { used_percent: 17, window_minutes: 300, resets_at: 1782952977 }
  const count = {
    type: 'token_count',
    info: { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 258400 }
  }
  const meta = {
    id: session,
    timestamp: c.time(),
    cwd: '/demo',
    originator: 'codex_cli_rs',
    cli_version: '0.142.5',
    source: 'cli'
  }
  const context = {
    turn_id: 't-1',
    cwd: '/demo',
    approval_policy: 'never',
    model: 'gpt-5.5',
    effort: 'xhigh',
    summary: 'auto'
  }
  const first = [line('session_meta', meta), line('turn_context', context)]
  return lines(c, first, (step) => {
    const call = `call_${step}`
    const said = c.text(150 + c.random() * 300)
    const thought = c.text(120)
    const plan = { plan: todos(step, (text, status) => ({ step: text, status })) }
    return [
      ...(step % 3 > 0
        ? []
        : [
            line('turn_context', {
              ...context,
              collaboration_mode: { mode: 'plan', settings: { model: 'gpt-5.5', developer_instructions: c.text(1500) } }
            })
          ]),
      item({
        type: 'reasoning',
        id: `rs_${step}`,
        summary: [{ type: 'summary_text', text: thought }],
        encrypted_content: 'A'.repeat(1800)
      }),
      event({ type: 'agent_reasoning', text: thought }),
      ...(step % 2 > 0
        ? []
        : [
            event({ type: 'agent_message', message: said, phase: 'commentary' }),
            item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said }] })
          ]),
      item({
        type: 'function_call',
        id: `fc_${step}`,
        name: 'exec_command',
        arguments: JSON.stringify({ cmd: c.text(400), workdir: '/demo' }),
        call_id: call
      }),
      item({ type: 'function_call_output', call_id: call, output: c.output() }),
      event({
        ...count,
        rate_limits: { limit_id: 'codex', primary: limit, secondary: limit, credits: null, plan_type: 'team' }
      }),
      ...(step % 6 > 0
        ? []
        : [
            item({
              type: 'function_call',
              id: `fp_${step}`,
              name: 'update_plan',
              arguments: JSON.stringify(plan),
              call_id: `plan_${step}`
            }),
            item({ type: 'function_call_output', call_id: `plan_${step}`, output: 'Plan updated' })
          ])
    ]
  })
}

function geminiStream(c) {
  const line = (type, body) => {
    c.next()
    return { type, timestamp: c.time(), ...body }
  }
  const first = [
    line('init', { session_id: session, model: 'gemini-2.5-flash' }),
    line('message', { role: 'user', content: 'Make the tests pass.' })
  ]
  return lines(c, first, (step) => {
    const id = `run_shell_command__${step}`
    const list = `write_todos__${step}`
    return [
      ...Array.from({ length: 3 }, () => line('message', { role: 'assistant', content: c.text(150), delta: true })),
      line('tool_use', {
        tool_name: 'run_shell_command',
        tool_id: id,
        parameters: { command: c.text(60), description: 'Run it' }
      }),
      line('tool_result', { tool_id: id, status: 'success', output: c.text(300 + c.random() * 13_000) }),
      ...(step % 4 > 0
        ? []
        : [
            line('tool_use', {
              tool_name: 'write_todos',
              tool_id: list,
              parameters: { todos: todos(step, (description, status) => ({ description, status })) }
            }),
            line('tool_result', { tool_id: list, status: 'success' })
          ])
    ]
  })
}

function geminiMessages(c, step) {
  const body = (type, content) => {
    c.next()
    return { id: c.uuid(), timestamp: c.time(), type, content }
  }
  const tokens = { input: 120, output: 15, cached: 12, thoughts: 0, tool: 0, total: 135 }
  const answer = {
    ...body('gemini', c.text(100 + c.random() * 500)),
    thoughts: [{ subject: 'Planning', description: c.text(120), timestamp: c.time() }],
    tokens,
    model: 'gemini-2.5-flash'
  }
  const call = (name, args, output, display) => ({
    ...{ id: `${name}_${step}`, name, args, status: 'success', timestamp: c.time(), resultDisplay: display },
    result: [{ functionResponse: { id: `${name}_${step}`, name, response: { output } } }]
  })
  const output = c.output()
  const list = todos(step, (description, status) => ({ description, status }))
  const calls = [
    call('run_shell_command', { command: c.text(60) }, output, output),
    ...(step % 4 > 0
      ? []
      : [call('write_todos', { todos: list }, 'Successfully updated the todo list.', { todos: list })])
  ]
  return { answer, withCalls: { ...answer, toolCalls: calls }, user: body('user', [{ text: c.text(200) }]) }
}

const geminiHeader = {
  sessionId: session,
  projectHash: 'def0a173b92dc8f62daed596a1cb4149',
  startTime: new Date(start).toISOString()
}

function geminiChatLines(c) {
  return lines(c, [{ ...geminiHeader, kind: 'main' }], (step) => {
    const { answer, withCalls, user } = geminiMessages(c, step)
    return [
      answer,
      { $set: { lastUpdated: c.time() } },
      withCalls,
      { $set: { lastUpdated: c.time() } },
      ...(step % 5 > 0 ? [] : [user])
    ]
  })
}

function geminiChatDocument(c) {
  const messages = []
  let size = 0
  for (let step = 0; size < c.bytes; step++) {
    const { withCalls, user } = geminiMessages(c, step)
    if (step % 5 === 0) messages.push(user)
    messages.push(withCalls)
    size += JSON.stringify(withCalls).length
  }
  return JSON.stringify({ ...geminiHeader, lastUpdated: c.time(), messages, kind: 'main' }, null, 2)
}

function claudeArray(c) {
  const [init, step] = claudeStream(c)
  return `[${lines(c, [init], step).trimEnd().split('\n').join(',')}]`
}

function normalizedEvents(c) {
  const solo = { teamName: 'solo', memberName: 'claude-code', memberDisplayName: 'Claude Code', memberRole: 'agent' }
  const event = (type, body) => {
    const line = c.next()
    return {
      ...{
        type,
        eventId: `${session}:${line}:0`,
        sessionId: session,
        agentId: 'claude-code',
        agentType: 'claude-code'
      },
      ...{ timestamp: start + line * 37, ...body, teamMetadata: solo },
      source: { line, offset: line * 1000, length: 999, ordinal: 0 }
    }
  }
  return lines(c, [event('session.started', { model: 'claude-sonnet-4-5', cwd: '/demo' })], (step) => [
    event('text', { text: c.text(600), role: 'assistant', category: 'reasoning' }),
    event('text', { text: c.text(80 + c.random() * 800), role: 'assistant', category: 'assistant-message' }),
    event('tool.started', {
      toolName: 'Bash',
      toolId: `t-${step}`,
      input: { command: c.text(300), description: 'Run it' }
    }),
    event('tool.completed', { toolId: `t-${step}`, output: c.output() }),
    ...(step % 4 > 0
      ? []
      : [event('todo_list', { todoId: 'main', items: todos(step, (text, status) => ({ text, status })) })])
  ])
}

const kinds = {
  'claude-stream-json': (c) => {
    const [init, step] = claudeStream(c)
    return lines(c, [init], step)
  },
  'claude-stream-json, array': claudeArray,
  'claude-transcript': claudeTranscript,
  'codex-exec-json': codexExec,
  'codex-rollout': codexRollout,
  'gemini-stream-json': geminiStream,
  'gemini-chat': geminiChatLines,
  'gemini-chat, document': geminiChatDocument,
  normalized: normalizedEvents
}
