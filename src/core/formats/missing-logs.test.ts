import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { codexRollout } from './codex/rollout.ts'
import { geminiChat } from './gemini/chat.ts'
import type { Decoded, LogFormat, MissingLogs } from './log-format.ts'
import { normalized } from './normalized.ts'
import { RunReader } from './run-reader.ts'

const none: MissingLogs = { named: 0, perhaps: false }

/** The missing logs of a run, given the lines of its files by name. */
function missingOf(
  format: LogFormat,
  main: readonly JsonObject[],
  others: Readonly<Record<string, readonly JsonObject[]>> = {},
  callId?: string
): MissingLogs {
  const files = Object.keys(others).map((name) => ({ name, framing: 'lines' as const, ...(callId && { callId }) }))
  const reader = new RunReader<Decoded>(format, { line() {} }, { files })
  for (const [index, lines] of [main, ...Object.values(others)].entries()) {
    reader.push(index, new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
    reader.endFile(index)
  }
  return reader.missing
}

describe('Claude Code', () => {
  const line = (type: string, content: string | JsonObject[], rest: JsonObject = {}): JsonObject => ({
    ...{ type, sessionId: 's', timestamp: '2026-01-02T03:04:05.000Z', message: { role: type, content }, ...rest }
  })
  const call = (id: string, prompt: string): JsonObject =>
    line('assistant', [{ type: 'tool_use', id, name: 'Agent', input: { prompt } }])
  const answer = (id: string, agentId?: string): JsonObject =>
    line('user', [{ type: 'tool_result', tool_use_id: id, content: 'ok' }], {
      toolUseResult: agentId === undefined ? 'Error: rejected' : { status: 'completed', agentId }
    })
  const ofAgent = (agentId: string | undefined, prompt: string): JsonObject =>
    line('user', prompt, { isSidechain: true, ...(agentId !== undefined && { agentId }) })
  const main = [call('t1', 'One'), call('t2', 'Two'), answer('t1', 'a1'), answer('t2', 'a2')]

  test('names agents in results: their logs are missing where no file has their lines', () => {
    expect(missingOf(claudeTranscript, main)).toEqual({ named: 2, perhaps: false })
    const one = { 's/subagents/agent-a1.jsonl': [ofAgent('a1', 'One')] }
    expect(missingOf(claudeTranscript, main, one)).toEqual({ named: 1, perhaps: false })
    // An empty log is not missing.
    expect(missingOf(claudeTranscript, main, { ...one, 'agent-a2.jsonl': [] })).toEqual(none)
    // A repeated result names one agent.
    expect(missingOf(claudeTranscript, [...main, answer('t1', 'a1')])).toEqual({ named: 2, perhaps: false })
  })

  test('a call without a result may have one, unless an agent works on it', () => {
    expect(missingOf(claudeTranscript, main.slice(0, 3))).toEqual({ named: 1, perhaps: true })
    expect(missingOf(claudeTranscript, [call('t1', 'One')], { 'agent-a1.jsonl': [ofAgent('a1', 'One')] })).toEqual(none)
    expect(missingOf(claudeTranscript, [call('t1', 'One')], { 'agent-a1.jsonl': [] }, 't1')).toEqual(none)
  })

  test('agents whose lines stand in the log itself have no logs, nor has a call that failed', () => {
    expect(missingOf(claudeTranscript, [call('t1', 'One'), ofAgent(undefined, 'One')])).toEqual(none)
    expect(missingOf(claudeTranscript, [...main.slice(0, 2), ofAgent('a1', 'One'), ofAgent('a2', 'Two')])).toEqual(none)
    expect(missingOf(claudeTranscript, [...main, ofAgent('a1', 'One'), ofAgent('a2', 'Two')])).toEqual(none)
    expect(missingOf(claudeTranscript, [call('t1', 'One'), answer('t1')])).toEqual(none)
  })

  test('copies of messages in the session’s own log do not stand for the log', () => {
    const message = { type: 'user', message: { role: 'user', content: 'One' }, uuid: 'u', timestamp: '2026-01-02' }
    const data = { type: 'agent_progress', agentId: 'a1', message }
    const progress = {
      ...line('progress', ''),
      message: undefined,
      data,
      parentToolUseID: 't1'
    } as unknown as JsonObject
    expect(missingOf(claudeTranscript, [call('t1', 'One'), progress, answer('t1', 'a1')])).toEqual({
      named: 1,
      perhaps: false
    })
  })
})

describe('Codex', () => {
  const record = (type: string, payload: JsonObject): JsonObject => ({
    ...{ timestamp: '2026-01-02T03:04:05.000Z', type, payload }
  })
  const meta = (id: string, rest: JsonObject = {}): JsonObject => record('session_meta', { id, cwd: '/w', ...rest })
  const spawn = (id: string): JsonObject =>
    record('response_item', {
      type: 'function_call',
      call_id: id,
      name: 'spawn_agent',
      arguments: '{"message":"look"}'
    })
  const answer = (id: string, output: string): JsonObject =>
    record('response_item', { type: 'function_call_output', call_id: id, output })
  const child = { 'rollout-c.jsonl': [meta('C', { parent_thread_id: 'P' })] }

  test('names threads in answers', () => {
    const main = [meta('P'), spawn('c1'), answer('c1', '{"agent_id":"C"}')]
    expect(missingOf(codexRollout, main)).toEqual({ named: 1, perhaps: false })
    expect(missingOf(codexRollout, main, child)).toEqual(none)
  })

  test('a spawn that failed started none, one without an answer may have', () => {
    expect(missingOf(codexRollout, [meta('P'), spawn('c1'), answer('c1', 'error: no')])).toEqual(none)
    expect(missingOf(codexRollout, [meta('P'), spawn('c1')])).toEqual({ named: 0, perhaps: true })
    expect(missingOf(codexRollout, [meta('P'), spawn('c1')], child)).toEqual(none)
  })
})

test('Gemini CLI names subagents in calls', () => {
  const at = '2026-01-02T03:04:05.000Z'
  const header = (sessionId: string, rest: JsonObject = {}): JsonObject => ({
    ...{ sessionId, projectHash: 'p', startTime: at, lastUpdated: at, ...rest }
  })
  const toolCalls = [{ id: 't', name: 'invoke_agent', args: {}, agentId: 'ngz', status: 'success', timestamp: at }]
  const main = [header('s1'), { id: 'm', timestamp: at, type: 'gemini', content: '', toolCalls }]
  expect(missingOf(geminiChat, main)).toEqual({ named: 1, perhaps: false })
  expect(missingOf(geminiChat, main, { 's1/ngz.jsonl': [header('ngz', { kind: 'subagent' })] })).toEqual(none)
})

test('a format without subagents’ logs has none missing', () => {
  expect(missingOf(normalized, [])).toEqual(none)
})
