import { describe, expect, test } from 'vitest'
import { RequestList } from '../requests/request-list.ts'
import { usageOf } from '../requests/usage.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { codexExecJson } from './codex/exec-json.ts'
import { codexRollout } from './codex/rollout.ts'
import { copilot } from './copilot/copilot.ts'
import { geminiChat } from './gemini/chat.ts'
import { geminiStreamJson } from './gemini/stream-json.ts'
import { kimi } from './kimi/kimi.ts'
import type { LogFormat } from './log-format.ts'
import { LogReader } from './log-reader.ts'
import { opencode } from './opencode/opencode.ts'
import { openhands } from './openhands/openhands.ts'
import { openclaw, pi } from './pi/pi.ts'
import { qwen } from './qwen/qwen.ts'

function requestsIn(format: LogFormat, ...records: readonly object[]): RequestList {
  const list = new RequestList()
  const reader = new LogReader(format, { line: ({ tokens = [] }) => tokens.forEach((note) => list.add(note, 0, 0)) })
  reader.push(new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
  reader.end()
  return list
}

const tokenCount = (total: number, last: number, window?: number): object => ({
  timestamp: '2026-01-02T10:00:00.000Z',
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: total, output_tokens: 1 },
      last_token_usage: { input_tokens: last, output_tokens: 1 },
      model_context_window: window
    }
  }
})

test('Codex repeats its totals when only a limit has changed; where they begin anew a request is another one', () => {
  const list = requestsIn(codexRollout, tokenCount(10, 10), tokenCount(10, 10), tokenCount(20, 10), tokenCount(10, 10))
  expect(usageOf(list)).toMatchObject({ requests: 3, input: 30 })
})

test('Codex states the context window on the second of two records of one request', () => {
  const usage = { input_tokens: 10, output_tokens: 1 }
  const record = {
    timestamp: '2026-01-02T10:00:00.000Z',
    type: 'token_usage_record',
    payload: { usage, turn_token_usage: usage, thread_token_usage: usage }
  }
  const list = requestsIn(codexRollout, record, tokenCount(10, 10, 258_400))
  expect([...list]).toMatchObject([{ tokens: { input: 10 }, window: 258_400 }])
  expect([...requestsIn(codexRollout, tokenCount(10, 10, 1e12))]).toMatchObject([{ window: null }])
})

test('before 0.44 Codex states totals after each request, also of a turn that never ends', () => {
  const count = (input_tokens: number): object => ({
    id: '1',
    msg: { type: 'token_count', info: { total_token_usage: { input_tokens, output_tokens: 2 } } }
  })
  expect(usageOf(requestsIn(codexExecJson, count(10), count(10), count(30)))).toMatchObject({ requests: 2, input: 30 })
})

test.each([
  ['stated', { pre_tokens: 90_000, post_tokens: 4000 }, { before: 90_000, after: 4000 }],
  ['stated in a transcript', { preTokens: 90_000, postTokens: 4000 }, { before: 90_000, after: 4000 }],
  ['not stated', {}, { before: null, after: null }],
  ['no counts', { pre_tokens: 1e308, post_tokens: '4000' }, { before: null, after: null }]
])('sizes around a compaction of Claude Code: %s', (_name, metadata, sizes) => {
  const record = { type: 'system', subtype: 'compact_boundary', session_id: 's', uuid: 'u', compact_metadata: metadata }
  expect(requestsIn(claudeStreamJson, record).compactions).toMatchObject([sizes])
})

test('the summary in a chat of Gemini CLI is a compaction, between the requests around it', () => {
  const answer = (id: string, input: number): object => ({
    ...{ id, timestamp: '2026-01-02T10:00:00.000Z', type: 'gemini', content: 'x', model: 'm' },
    tokens: { input, output: 10, cached: 0, thoughts: 0, tool: 0, total: input + 10 }
  })
  const user = (id: string, text: string): object => {
    return { id, timestamp: '2026-01-02T10:00:00.000Z', type: 'user', content: [{ text }] }
  }
  const list = requestsIn(
    geminiChat,
    {
      sessionId: 's',
      projectHash: 'p',
      startTime: '2026-01-02T10:00:00.000Z',
      lastUpdated: '2026-01-02T10:00:00.000Z',
      kind: 'main'
    },
    ...[user('u', 'Go'), answer('a', 90_000), answer('b', 95_000)],
    { $set: { messages: [user('s', '<state_snapshot>All so far</state_snapshot>')] } },
    ...[answer('c', 5000), answer('d', 6000)]
  )
  expect(list.compactions).toMatchObject([
    { before: null, former: { tokens: { input: 95_000 } }, after: null, next: { tokens: { input: 5000 } } }
  ])
})

const message = (id: string | undefined, usage: object, rest: object = {}): object => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content: [{ type: 'text', text: 'x' }], usage, ...rest }
})

test('a message without an id is a request of its own', () => {
  const usage = { input_tokens: 10, output_tokens: 30 }
  const line = { sessionId: 's', ...message(undefined, usage) }
  expect(usageOf(requestsIn(claudeTranscript, line, line))).toMatchObject({ requests: 2, input: 20, output: 60 })
})

test('a message of two requests, as a retry makes them, counts twice; its lines count once', () => {
  const usage = { input_tokens: 10, output_tokens: 30 }
  const line = (requestId: string): object => ({ sessionId: 's', requestId, ...message('msg', usage) })
  const list = requestsIn(claudeTranscript, line('a'), line('a'), line('b'))
  expect(usageOf(list)).toMatchObject({ requests: 2, input: 20 })
})

test('on stdout an output counts if the message or its stream has a stop reason', () => {
  const usage = { input_tokens: 10, output_tokens: 1 }
  const stdout = { session_id: 's', parent_tool_use_id: null }
  const streamed = { type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: 40 } }, ...stdout }
  const begun = { ...stdout, ...message('a', usage, { stop_reason: null }) }
  const ended = { ...stdout, ...message('b', { ...usage, output_tokens: 7 }, { stop_reason: 'end_turn' }) }
  expect(usageOf(requestsIn(claudeStreamJson, begun))).toMatchObject({ output: null, understatedRequests: 1 })
  expect(usageOf(requestsIn(claudeStreamJson, begun, streamed, begun))).toMatchObject({ output: 40 })
  expect(usageOf(requestsIn(claudeStreamJson, begun, ended))).toMatchObject({ output: 7, understatedRequests: 1 })
})

test('Gemini states a turn by model, where the models make up the whole', () => {
  const stats = (models: object): object => ({
    type: 'result',
    timestamp: '2026-01-02T10:00:00.000Z',
    status: 'success',
    stats: { input_tokens: 10, output_tokens: 5, cached: 4, models }
  })
  const both = {
    a: { input_tokens: 4, output_tokens: 2, cached: 4 },
    b: { input_tokens: 6, output_tokens: 3, cached: 0 }
  }
  expect(usageOf(requestsIn(geminiStreamJson, stats(both)))?.byModel).toMatchObject([
    { model: 'a', input: 0, cacheRead: 4, output: 2 },
    { model: 'b', input: 6, output: 3 }
  ])
  expect(usageOf(requestsIn(geminiStreamJson, stats({ a: both.a })))).toMatchObject({
    input: 6,
    cacheRead: 4,
    output: 5
  })
})

test('a printed run of Qwen Code states the tokens of a request once, and what was cached as a part of its input', () => {
  const said = (id: string, usage: object): object => ({
    ...{ type: 'assistant', session_id: 's', uuid: id, parent_tool_use_id: null },
    message: { id, role: 'assistant', model: 'coder-model', content: [], usage }
  })
  const list = requestsIn(
    qwen,
    said('a', { input_tokens: 0, output_tokens: 0 }),
    said('b', { input_tokens: 1200, output_tokens: 40, cache_read_input_tokens: 1000, total_tokens: 1240 })
  )
  expect(usageOf(list)).toMatchObject({ requests: 1, input: 200, cacheRead: 1000, output: 40 })
})

const answerOfPi = (id: string, usage: object, responseId?: string): object => ({
  ...{ type: 'message', id, parentId: null, timestamp: '2026-01-02T10:00:00.000Z' },
  message: { role: 'assistant', content: [], provider: 'p', model: 'm', usage, stopReason: 'stop', responseId }
})

test('the reasoning of pi is part of its output, and a relay may give all responses one id', () => {
  const usage = { input: 3311, output: 261, cacheRead: 1024, cacheWrite: 0, reasoning: 228 }
  const lines = [answerOfPi('a', usage, 'r'), answerOfPi('b', usage, 'r'), answerOfPi('b', usage, 'r')]
  for (const format of [pi, openclaw]) {
    expect(usageOf(requestsIn(format, ...lines))).toMatchObject({
      requests: 2,
      input: 6622,
      output: 522,
      reasoning: 456
    })
  }
})

describe('a process of Copilot CLI states its tokens at its end', () => {
  const record = (type: string, data: object): object => {
    return { type, data, id: 'e', timestamp: '2026-01-02T10:00:00.000Z', parentId: null }
  }
  const said = (messageId: string, outputTokens: number, rest: object = {}): object =>
    record('assistant.message', { messageId, content: 'x', outputTokens, ...rest })
  const metric = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0): object => ({
    requests: { count: 1, cost: 1 },
    usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens: 5 }
  })
  const shutdown = (modelMetrics: object, rest: object = {}): object =>
    record('session.shutdown', { shutdownType: 'routine', modelMetrics, ...rest })

  test('its input is apart from the cache, its model that of all messages', () => {
    const usage = usageOf(
      requestsIn(copilot, said('a', 40), shutdown({ 'claude-opus-4.6': metric(12_000, 40, 9000, 100) }))
    )
    expect(usage).toMatchObject({
      requests: 1,
      input: 2900,
      cacheRead: 9000,
      cacheWrite: 100,
      output: 40,
      reasoning: 5
    })
    expect(usage?.byModel).toMatchObject([{ model: 'claude-opus-4.6', input: 2900, output: 40 }])
  })

  test('a resumed session counts anew; what follows the last end counts too', () => {
    const lines = [
      ...[
        said('a', 40),
        shutdown({ m: metric(100, 40) }),
        said('b', 7),
        said('c', 3),
        shutdown({ m: metric(30, 10, 20) })
      ],
      said('d', 9)
    ]
    expect(usageOf(requestsIn(copilot, ...lines))).toMatchObject({ requests: 4, input: 110, cacheRead: 20, output: 59 })
  })

  test('of several models each has its own messages, those of subagents too', () => {
    const lines = [
      ...[said('a', 40, { model: 'm' }), said('b', 7, { model: 'n', parentToolCallId: 'c' }), said('c', 3)],
      shutdown({ m: metric(100, 43), n: metric(30, 8) })
    ]
    const usage = usageOf(requestsIn(copilot, ...lines))
    expect(usage).toMatchObject({ requests: 3, input: 130, output: 51 })
    expect(usage?.byModel).toMatchObject([
      { model: 'm', input: 100, output: 40 },
      { model: 'n', input: 30, output: 8 },
      { model: null, output: 3 }
    ])
  })

  test('messages that name no model are of the one that the session changed to', () => {
    const lines = [
      record('session.model_change', { newModel: 'm' }),
      said('a', 4),
      record('session.model_change', { newModel: 'n' }),
      said('b', 6)
    ]
    expect(usageOf(requestsIn(copilot, ...lines))?.byModel).toMatchObject([
      { model: 'm', output: 4 },
      { model: 'n', output: 6 }
    ])
  })

  test('some versions state no tokens by model, but details', () => {
    const tokenDetails = { input: { tokenCount: 100 }, output: { tokenCount: 15 }, cache_read: { tokenCount: 5 } }
    const end = shutdown({ m: { requests: 2 } }, { tokenDetails, currentModel: 'm' })
    expect(usageOf(requestsIn(copilot, said('a', 15), end))).toMatchObject({ input: 100, cacheRead: 5, output: 15 })
  })
})

test.each([
  ['apart', 7618, 115],
  ['in the output', 7580, 77],
  ['apart, where nothing tells', undefined, 115]
])('reasoning of opencode: %s', (_name, total, output) => {
  const tokens = { total, input: 719, output: 77, reasoning: 38, cache: { read: 6784, write: 0 } }
  const part = { id: 'p', sessionID: 's', messageID: 'm', type: 'step-finish', reason: 'stop', tokens }
  const line = { type: 'step_finish', timestamp: 1785824381100, sessionID: 's', part }
  expect(usageOf(requestsIn(opencode, line))).toMatchObject({ input: 719, cacheRead: 6784, output, reasoning: 38 })
})

test('Kimi Code states requests of steps twice, and a compaction once', () => {
  const usage = (inputOther: number): object => ({ inputOther, output: 1, inputCacheRead: 0, inputCacheCreation: 0 })
  const record = (usageScope: string, count: number): object => {
    return { type: 'usage.record', model: 'moonshot-ai/kimi', usage: usage(count), usageScope, time: 1785612814101 }
  }
  const list = requestsIn(
    kimi,
    { type: 'llm.request', kind: 'loop', model: 'kimi', time: 1785612814000 },
    ...[
      {
        type: 'context.append_loop_event',
        event: { type: 'step.end', uuid: 's', usage: usage(5) },
        time: 1785612814100
      }
    ],
    ...[record('turn', 5), record('session', 7)]
  )
  expect(usageOf(list)).toMatchObject({ requests: 2, input: 12, byModel: [{ model: 'kimi' }] })
})

test('actions of one response of OpenHands are one request; a server may give all responses one id', () => {
  const action = (id: number, sent: number): object => ({
    ...{ id, timestamp: '2026-01-02T10:00:00.000Z', source: 'agent', action: 'run', args: { command: 'ls' } },
    tool_call_metadata: {
      ...{ tool_call_id: `c${id}`, function_name: 'execute_bash' },
      model_response: { id: 'chatcmpl-1', created: 1, model: 'm', usage: { prompt_tokens: sent, completion_tokens: 2 } }
    }
  })
  expect(usageOf(requestsIn(openhands, action(1, 5), action(2, 5), action(3, 9)))).toMatchObject({
    requests: 2,
    input: 14,
    output: 4
  })
})
