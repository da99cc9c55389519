import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeStreamJson } from '../formats/claude/stream-json.ts'
import { codexExecJson } from '../formats/codex/exec-json.ts'
import { geminiStreamJson } from '../formats/gemini/stream-json.ts'
import type { LogFormat } from '../formats/log-format.ts'
import type { JsonObject } from '../json.ts'
import { hookResult } from '../formats/claude/hook-result.ts'
import { RecordingReader } from './recording-reader.ts'
import { type RunEnd, RunStream } from './run-stream.ts'
import {
  maxStreamText,
  type StreamEvent,
  streamEventData,
  type StreamEventType,
  streamEventTypes
} from './stream-events.ts'

const utf8 = new TextEncoder()

/** A run whose output is given line by line. */
class Run {
  readonly stream: RunStream
  readonly #reader: RecordingReader

  constructor(format: LogFormat = claudeStreamJson, timeLimitMs: number | null = null) {
    this.stream = new RunStream(format, timeLimitMs)
    this.#reader = new RecordingReader(format, this.stream)
  }

  /** Prints records; gives the events that came of them at once. */
  print(...records: JsonObject[]): readonly StreamEvent[] {
    for (const record of records) this.#reader.push(utf8.encode(`${JSON.stringify(record)}\n`))
    return this.said()
  }

  hook(hook: JsonObject): readonly StreamEvent[] {
    const result = hookResult({ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', ...hook })
    if (result === null) throw new Error('no hook')
    this.stream.hook(result)
    return this.said()
  }

  end(end: Partial<RunEnd> = {}): readonly StreamEvent[] {
    this.#reader.end()
    this.stream.end({ finishReason: 'done', exitCode: 0, signal: null, message: null, ...end })
    return this.said()
  }

  said(): readonly StreamEvent[] {
    const { events } = this.stream.drain()
    for (const { type, data } of events) expect(streamEventData[type].parse(data)).toEqual(data)
    return events
  }
}

const init: JsonObject = {
  type: 'system',
  subtype: 'init',
  session_id: 's',
  cwd: '/w',
  model: 'opus',
  tools: ['Bash'],
  claude_code_version: '2.1.330',
  permissionMode: 'default'
}
const assistant = (...content: JsonObject[]): JsonObject => ({
  type: 'assistant',
  session_id: 's',
  parent_tool_use_id: null,
  message: { id: 'm1', role: 'assistant', content }
})
const partial = (event: JsonObject, parent: string | null = null): JsonObject => ({
  type: 'stream_event',
  session_id: 's',
  parent_tool_use_id: parent,
  event
})
const delta = (text: string, index = 0): JsonObject =>
  partial({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
const call = (id: string, name = 'Bash', input: JsonObject = { command: 'ls' }): JsonObject =>
  assistant({ type: 'tool_use', id, name, input })
const answer = (id: string, content: string, more: JsonObject = {}): JsonObject => ({
  type: 'user',
  session_id: 's',
  parent_tool_use_id: null,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] }
})
const todo = (content: string, status: string, activeForm?: string): JsonObject =>
  activeForm === undefined ? { content, status } : { content, status, activeForm }
const types = (events: readonly StreamEvent[]): readonly StreamEventType[] => events.map(({ type }) => type)
const main = { session_id: 's', track_id: null }

test('there are the twelve types of docs/seeds.md#todowrite-bridge, each with a schema', () => {
  expect(streamEventTypes).toEqual(Object.keys(streamEventData))
  expect(streamEventTypes).toHaveLength(12)
})

describe('text', () => {
  test('a piece comes at once, and the whole that follows gives nothing more', () => {
    const run = new Run()
    run.print(init, partial({ type: 'message_start', message: { id: 'm1' } }))
    expect(run.print(delta('Hel'))).toEqual([{ type: 'text', data: { ...main, text: 'Hel' } }])
    expect(run.print(delta('lo'))).toEqual([{ type: 'text', data: { ...main, text: 'lo' } }])
    expect(run.print(assistant({ type: 'text', text: 'Hello' }))).toEqual([])
    expect(types(run.end())).toEqual(['done'])
  })

  test('of a text whose pieces are not all there the rest is given', () => {
    const run = new Run()
    run.print(init, delta('Hel'))
    expect(run.print(assistant({ type: 'text', text: 'Hello' }))).toEqual([
      { type: 'text', data: { ...main, text: 'lo' } }
    ])
  })

  test('one that is another in the end is given as well: what was said cannot be taken back', () => {
    const run = new Run()
    run.print(init, delta('Hel'))
    expect(run.print(assistant({ type: 'text', text: 'Goodbye' }))).toEqual([
      { type: 'text', data: { ...main, text: 'Goodbye' } }
    ])
  })

  test('two blocks in pieces, told in one record; thoughts are no text', () => {
    const run = new Run()
    run.print(init)
    const thought = partial({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: 'hm' }
    })
    expect(types(run.print(thought, delta('a', 1), delta('b', 2)))).toEqual(['text', 'text'])
    const whole = assistant(
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' }
    )
    expect(run.print(whole)).toEqual([
      { type: 'status', data: { kind: 'text', ...main, category: 'reasoning', text: 'hm', cut: false } }
    ])
  })

  test('a subagent that speaks at the same time speaks on its own track', () => {
    const run = new Run()
    const piece = partial({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'sub' } }, 'call')
    run.print(init, delta('ma'))
    expect(run.print(piece)).toEqual([{ type: 'text', data: { session_id: 's', track_id: 'call', text: 'sub' } }])
    expect(run.print(delta('in'), assistant({ type: 'text', text: 'main' }))).toEqual([
      { type: 'text', data: { ...main, text: 'in' } }
    ])
  })

  test('pieces of Gemini, which its reader joins later', () => {
    const run = new Run(geminiStreamJson)
    const timestamp = '2026-01-01T00:00:00.000Z'
    const piece = (content: string): JsonObject => ({
      type: 'message',
      role: 'assistant',
      delta: true,
      content,
      timestamp
    })
    run.print({ type: 'init', session_id: 'g', model: 'm', timestamp })
    expect(types(run.print(piece('Hel')))).toEqual(['text'])
    expect(run.print(piece('lo'))).toEqual([{ type: 'text', data: { session_id: 'g', track_id: null, text: 'lo' } }])
    const used: JsonObject = { type: 'tool_use', tool_name: 'ls', tool_id: 't', parameters: {}, timestamp }
    expect(types(run.print(used))).toEqual(['tool_use'])
  })

  test('a long one comes in pieces that cut no character', () => {
    const run = new Run()
    const long = `x${'😀'.repeat(maxStreamText)}`
    run.print(init)
    const events = run.print(assistant({ type: 'text', text: long }))
    const pieces = events.map(({ type, data }) => (type === 'text' ? data.text : ''))
    expect(pieces.join('')).toBe(long)
    expect(pieces.every((piece) => piece.length <= maxStreamText && !/[\ud800-\udfff]/u.test(piece))).toBe(true)
  })
})

describe('tools', () => {
  test('tool_use and the tool_result of the agent', () => {
    const run = new Run()
    expect(
      run.print(init, call('t1'), answer('t1', 'out'), call('t2'), answer('t2', 'bad', { is_error: true })).slice(1)
    ).toEqual([
      { type: 'tool_use', data: { ...main, id: 't1', name: 'Bash', input: { command: 'ls' }, cut: false } },
      {
        type: 'tool_result',
        data: { ...main, tool_use_id: 't1', content: 'out', is_error: false, source: 'agent', cut: false }
      },
      { type: 'tool_use', data: { ...main, id: 't2', name: 'Bash', input: { command: 'ls' }, cut: false } },
      {
        type: 'tool_result',
        data: { ...main, tool_use_id: 't2', content: 'bad', is_error: true, source: 'agent', cut: false }
      }
    ])
  })

  test('the result of a hook comes before that of the agent, and never after it', () => {
    const run = new Run()
    run.print(init, call('t1'))
    const fromHook = { tool_use_id: 't1', tool_response: { stdout: 'quick', stderr: '' } }
    expect(run.hook(fromHook)).toEqual([
      {
        type: 'tool_result',
        data: { ...main, tool_use_id: 't1', content: 'quick', is_error: false, source: 'hook', cut: false }
      }
    ])
    expect(types(run.print(answer('t1', 'out')))).toEqual(['tool_result'])
    expect(run.hook(fromHook)).toEqual([])
  })

  test('one that is read before its call waits for it', () => {
    const run = new Run()
    run.print(init)
    expect(run.hook({ tool_use_id: 't1', tool_response: 'quick' })).toEqual([])
    expect(types(run.print(call('t1')))).toEqual(['tool_use', 'tool_result'])
    expect(run.hook({ tool_use_id: 't2', tool_response: 'never told of' })).toEqual([])
    expect(types(run.end())).toEqual(['tool_result', 'done'])
  })

  test('results are to be stored under the session, with who gave them', () => {
    const run = new Run()
    for (const record of [init, call('t1')]) run.print(record)
    run.stream.hook({ session: 's', result: { tool: 't1', content: 'quick', isError: false }, todos: null })
    expect(run.stream.drain().results).toEqual([
      { session: 's', tool: 't1', content: 'quick', isError: false, source: 'hook' }
    ])
  })

  test('an input that is too large, or too deep, is left out and said to be', () => {
    const run = new Run()
    let deep: JsonObject = {}
    for (let level = 0; level < 2000; level++) deep = { a: deep }
    const [, large, nested] = run.print(
      init,
      call('t1', 'Write', { content: 'x'.repeat(2 << 20) }),
      call('t2', 'Bash', deep)
    )
    expect(large?.data).toMatchObject({ id: 't1', input: {}, cut: true })
    expect(nested?.data).toMatchObject({ id: 't2', input: {} })
  })

  test('tool_output is what comes on standard error', () => {
    const run = new Run()
    run.stream.output('a warning\n')
    expect(run.said()).toEqual([{ type: 'tool_output', data: { session_id: null, text: 'a warning\n' } }])
  })
})

test('whenever hooks are read, a call comes before its results, and its last result is that of the agent', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('call', 'answer', 'hook', 'todo'), fc.nat({ max: 4 })), {
    maxLength: 40
  })
  fc.assert(
    fc.property(steps, (all) => {
      const run = new Run()
      run.print(init)
      const called = new Set<string>()
      const events: StreamEvent[] = []
      for (const [what, number] of all) {
        const id = `t${number}`
        if (what === 'hook') events.push(...run.hook({ tool_use_id: id, tool_response: 'quick' }))
        else if (what === 'todo') events.push(...run.print(call(`w${number}`, 'TodoWrite', { todos: [] })))
        else if (what === 'answer' && called.has(id)) events.push(...run.print(answer(id, 'out')))
        else if (what === 'call' && !called.has(id)) events.push(...run.print(call(id)))
        if (what === 'call') called.add(id)
      }
      for (const id of called) {
        const own = events.filter(
          ({ type, data }) =>
            (type === 'tool_use' && data.id === id) || (type === 'tool_result' && data.tool_use_id === id)
        )
        const sources = own.slice(1).map(({ type, data }) => (type === 'tool_result' ? data.source : type))
        expect(own[0]?.type).toBe('tool_use')
        const firstAnswer = sources.indexOf('agent')
        if (firstAnswer >= 0) expect(sources.slice(firstAnswer)).not.toContain('hook')
      }
    })
  )
})

describe('tool_timeout', () => {
  const progress = (seconds: number): JsonObject => ({
    type: 'tool_progress',
    session_id: 's',
    parent_tool_use_id: null,
    tool_use_id: 't1',
    tool_name: 'Bash',
    elapsed_time_seconds: seconds
  })

  test('a tool that takes longer than the run may, once', () => {
    const run = new Run(claudeStreamJson, 60_000)
    run.print(init, call('t1'))
    expect(run.print(progress(30), progress(60))).toEqual([])
    const event = { type: 'tool_timeout', data: { ...main, tool_use_id: 't1', tool_name: 'Bash', elapsed_seconds: 61 } }
    expect(run.print(progress(61), progress(90))).toEqual([event])
    expect(types(run.end({ finishReason: 'timeout' }))).toEqual(['done'])
  })

  test('without a limit none', () => {
    const run = new Run()
    run.print(init, call('t1'))
    expect(run.print(progress(1e6))).toEqual([])
  })

  test('every call that runs when the time is up', () => {
    const run = new Run(codexExecJson, 1000)
    run.print({ type: 'thread.started', thread_id: 'c' }, { type: 'turn.started' })
    const item = (id: string, phase: string, status: string): JsonObject => ({
      type: `item.${phase}`,
      item: { id, type: 'command_execution', command: 'ls', aggregated_output: '', exit_code: null, status }
    })
    run.print(item('item_0', 'started', 'in_progress'), item('item_0', 'completed', 'completed'))
    run.print(item('item_1', 'started', 'in_progress'))
    const events = run.end({ finishReason: 'timeout', signal: 'SIGTERM', exitCode: null, message: 'Its time was up.' })
    expect(types(events)).toEqual(['tool_timeout', 'done'])
    expect(events[0]?.data).toMatchObject({ tool_use_id: expect.stringContaining('item_1'), elapsed_seconds: null })
    expect(events[1]?.data).toEqual({
      session_id: 'c',
      finish_reason: 'timeout',
      exit_code: null,
      signal: 'SIGTERM',
      message: 'Its time was up.'
    })
  })
})

describe('task_update', () => {
  const write = (id: string, ...todos: JsonObject[]): JsonObject => call(id, 'TodoWrite', { todos })
  const updates = (events: readonly StreamEvent[]): unknown =>
    events.map(({ type, data }) => (type === 'task_update' ? data.todos : type))

  test('the list of TodoWrite as it states it, with the active form, and what other statuses it has', () => {
    const run = new Run()
    run.print(init)
    const list = [todo('One', 'completed', 'Doing one'), todo('Two', 'blocked', 'Doing two'), todo('Three', 'pending')]
    expect(run.print(write('w', ...list))).toEqual([
      {
        type: 'task_update',
        data: { session_id: 's', todos: list.map((one) => ({ activeForm: null, ...one })), cut: false }
      }
    ])
  })

  test('a list that is refused brings back the one before, with its active forms, after the result', () => {
    const run = new Run()
    run.print(init)
    const before = todo('One', 'in_progress', 'Doing one')
    run.print(write('w1', before))
    expect(updates(run.print(answer('w1', 'Todos have been modified successfully')))).toEqual(['tool_result'])
    run.print(write('w2', todo('Two', 'pending', 'Doing two')))
    const refused = run.print(answer('w2', 'InputValidationError', { is_error: true }))
    expect(updates(refused)).toEqual(['tool_result', [before]])
    const said = { content: 'InputValidationError', is_error: true, source: 'agent', cut: false }
    expect(refused[0]).toEqual({ type: 'tool_result', data: { ...main, tool_use_id: 'w2', ...said } })
  })

  test('tasks, one by one, are a list as well', () => {
    const run = new Run()
    run.print(init)
    expect(run.print(call('c1', 'TaskCreate', { subject: 'One', activeForm: 'Doing one' }))).toEqual([])
    const events = run.print(answer('c1', 'Task #1 created successfully: One'))
    expect(updates(events)).toEqual([[{ content: 'One', status: 'pending', activeForm: 'Doing one' }], 'tool_result'])
  })

  test('a list of a subagent is none of the session', () => {
    const run = new Run()
    run.print(init)
    expect(run.print({ ...write('w', todo('Sub', 'pending')), parent_tool_use_id: 'call' })).toEqual([])
  })

  test('a hook gives one, too, but never an older one; and no result', () => {
    const run = new Run()
    run.print(init, write('w1', todo('One', 'pending')))
    const hook = (id: string, ...todos: JsonObject[]): JsonObject => ({
      tool_name: 'TodoWrite',
      tool_use_id: id,
      tool_input: { todos },
      tool_response: {}
    })
    expect(updates(run.hook(hook('w1', todo('One', 'pending', 'Doing one'))))).toEqual([
      [todo('One', 'pending', 'Doing one')]
    ])
    run.print(write('w2', todo('One', 'completed')))
    expect(run.hook(hook('w1', todo('One', 'pending')))).toEqual([])
    expect(updates(run.hook(hook('w3', todo('Next', 'pending'))))).toEqual([
      [{ ...todo('Next', 'pending'), activeForm: null }]
    ])
    expect(types(run.end())).toEqual(['done'])
  })

  test('a list without end is cut, and said to be', () => {
    const run = new Run()
    run.print(init)
    const list = Array.from({ length: 1500 }, (_, i) => todo(`todo ${i}`, 'pending'))
    const [event] = run.print(write('w', ...list))
    if (event?.type !== 'task_update') throw new Error('no list')
    expect(event.data.cut).toBe(true)
    expect(event.data.todos.length).toBe(1000)
  })
})

describe('status, result, error', () => {
  test('a session that begins', () => {
    expect(new Run().print(init)).toEqual([
      {
        type: 'status',
        data: { kind: 'session', ...main, model: 'opus', cwd: '/w', version: '2.1.330', tools: ['Bash'] }
      }
    ])
  })

  test('what is told beside the answer', () => {
    const run = new Run()
    run.print(init)
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      session_id: 's',
      compact_metadata: { trigger: 'auto' }
    }
    expect(run.print(boundary)).toEqual([
      {
        type: 'status',
        data: { kind: 'text', ...main, category: 'status', text: 'Conversation compacted (auto)', cut: false }
      }
    ])
  })

  test('the end of a turn: usage, cost, duration, and the answer that stands there again', () => {
    const run = new Run()
    run.print(init)
    const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 }
    const result = { type: 'result', subtype: 'success', is_error: false, session_id: 's', result: 'Done.', usage }
    expect(run.print({ ...result, total_cost_usd: 0.25, duration_ms: 1500 })).toEqual([
      {
        type: 'result',
        data: {
          session_id: 's',
          finish_reason: 'done',
          is_error: false,
          text: 'Done.',
          model: null,
          usage,
          tokens: { sent: 15, received: 7 },
          cost_usd: 0.25,
          duration_ms: 1500,
          cut: false
        }
      }
    ])
    expect(run.stream.facts).toMatchObject({ tokens: { sent: 15, received: 7 }, lastTurn: 'done', sessionId: 's' })
  })

  test('the last that the main agent said went wrong, until it goes on well', () => {
    const run = new Run()
    const result = { type: 'result', is_error: true, session_id: 's' }
    run.print(init, { ...result, subtype: 'error_max_turns', errors: ['too\n\u001b[31mmany'] })
    expect(run.stream.facts.lastError).toBe('too many')
    const broken = new RecordingReader(claudeStreamJson, run.stream)
    broken.push(utf8.encode('not JSON\n'))
    expect(run.stream.facts.lastError).toBe('too many')
    run.print({ ...result, subtype: 'success', is_error: false, result: 'Done.' })
    expect(run.stream.facts.lastError).toBeNull()
  })

  test('a line that is no JSON, and a turn that fails', () => {
    const run = new Run()
    run.print(init)
    const failed = { type: 'result', subtype: 'error_max_turns', is_error: true, session_id: 's', errors: ['too many'] }
    expect(run.print(failed).map(({ type, data }) => [type, 'code' in data ? data.code : null])).toEqual([
      ['error', 'error_max_turns'],
      ['result', null]
    ])
    const broken = new Run()
    const reader = new RecordingReader(claudeStreamJson, broken.stream)
    reader.push(utf8.encode('not JSON\n'))
    expect(broken.said().map(({ type, data }) => [type, 'code' in data ? data.code : null])).toEqual([
      ['error', 'JSONL_PARSE_ERROR'],
      ['status', null]
    ])
  })

  test.each([
    [{ message: 'No key is set.' }, 'No key is set.'],
    [{ exitCode: 3 }, 'The agent ended with exit code 3.'],
    [{ exitCode: null, signal: 'SIGKILL' }, 'The agent was ended by SIGKILL.'],
    [{ exitCode: 0 }, 'The agent reported that its last turn failed.']
  ])('a run that failed, %o', (end, message) => {
    const events = new Run().end({ finishReason: 'error', ...end })
    expect(types(events)).toEqual(['error', 'done'])
    expect(events[0]?.data).toMatchObject({ message, code: 'run_failed' })
  })

  test.each(['done', 'cancelled', 'timeout'] as const)('one that ends as %s is no error', (finishReason) => {
    expect(types(new Run().end({ finishReason }))).toEqual(['done'])
  })
})

describe('permission_request and mode_changed', () => {
  test('the agent asks', () => {
    const run = new Run()
    run.print(init)
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm x' }, tool_use_id: 't1' }
    expect(run.print({ type: 'control_request', request_id: 'r1', request })).toEqual([
      {
        type: 'permission_request',
        data: {
          session_id: 's',
          request_id: 'r1',
          tool_use_id: 't1',
          tool_name: 'Bash',
          input: { command: 'rm x' },
          message: null,
          denied: false,
          cut: false
        }
      }
    ])
    expect(run.print({ type: 'control_request', request_id: 'r2', request: { subtype: 'initialize' } })).toEqual([])
  })

  test('the agent was refused', () => {
    const run = new Run()
    run.print(init)
    const denied = {
      type: 'system',
      subtype: 'permission_denied',
      session_id: 's',
      tool_name: 'Write',
      tool_use_id: 't1'
    }
    expect(run.print({ ...denied, message: 'not granted' })).toMatchObject([
      {
        type: 'permission_request',
        data: { tool_use_id: 't1', denied: true, message: 'not granted', request_id: null }
      }
    ])
  })

  test('another mode than before; the first one is no change', () => {
    const run = new Run()
    expect(types(run.print(init))).toEqual(['status'])
    const mode = (permissionMode: string): JsonObject => ({
      type: 'system',
      subtype: 'status',
      status: null,
      session_id: 's',
      permissionMode
    })
    expect(run.print(mode('default'), mode('plan'), mode('plan'))).toEqual([
      { type: 'mode_changed', data: { session_id: 's', mode: 'plan', previous: 'default' } }
    ])
  })
})

describe('tokens', () => {
  const message = (id: string, received: number): JsonObject => ({
    type: 'assistant',
    session_id: 's',
    parent_tool_use_id: null,
    message: { id, role: 'assistant', content: [], usage: { input_tokens: 10, output_tokens: received } }
  })

  test('a message counts once, however often it states its usage; the end of the turn says what it was', () => {
    const run = new Run()
    run.print(init)
    expect(run.stream.facts.tokens).toBeNull()
    run.print(message('a', 1), message('a', 1), message('b', 1))
    expect(run.stream.facts.tokens).toEqual({ sent: 20, received: null, atLeast: true })
    run.print(partial({ type: 'message_delta', delta: {}, usage: { input_tokens: 10, output_tokens: 40 } }))
    expect(run.stream.facts.tokens).toEqual({ sent: 20, received: 40, atLeast: true })
    const usage = { input_tokens: 20, output_tokens: 50 }
    run.print({ type: 'result', subtype: 'success', is_error: false, session_id: 's', usage })
    expect(run.stream.facts.tokens).toEqual({ sent: 20, received: 50, atLeast: false })
    run.print(message('c', 1))
    expect(run.stream.facts.tokens).toEqual({ sent: 30, received: 50, atLeast: true })
  })

  test('those of subagents count as well', () => {
    const run = new Run()
    run.print(init, message('a', 1), { ...message('s', 9), parent_tool_use_id: 'call' })
    expect(run.stream.facts.tokens).toEqual({ sent: 20, received: null, atLeast: true })
  })
})
