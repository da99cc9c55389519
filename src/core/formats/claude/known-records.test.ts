import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import type { EventDraft } from '../log-format.ts'
import { claudeStreamJson } from './stream-json.ts'
import { claudeTranscript } from './transcript.ts'

const at = { line: 1, offset: 0, length: 0 }

/** The events of a record and the codes of its issues. */
function ofStream(type: string, rest: JsonObject = {}): [readonly EventDraft[], string[]] {
  const { drafts, issues } = claudeStreamJson.decode({ type, session_id: 's', uuid: 'u', ...rest }, at)
  return [drafts, issues.map((issue) => issue.code)]
}

function ofTranscript(type: string, rest: JsonObject = {}): [readonly EventDraft[], string[]] {
  const { drafts, issues } = claudeTranscript.decode({ type, sessionId: 's', uuid: 'u', parentUuid: null, ...rest }, at)
  return [drafts, issues.map((issue) => issue.code)]
}

const status = (text: string): EventDraft => ({ type: 'text', text, role: 'system', category: 'status' })

describe('types of stream-json', () => {
  test.each([
    ...['tool_progress', 'tool_use_summary', 'prompt_suggestion', 'active_goal', 'conversation_reset'],
    ...['command_lifecycle', 'control_request', 'control_response', 'control_cancel_request', 'keep_alive'],
    'transcript_mirror'
  ])('%s is known and means no event', (type) => {
    expect(ofStream(type)).toEqual([[], []])
  })

  test('an unknown type is a notice', () => {
    expect(ofStream('telepathy')).toEqual([[], ['UnknownType']])
  })

  test('a rate limit is an error once it is reached', () => {
    expect(ofStream('rate_limit_event', { rate_limit_info: { status: 'allowed_warning' } })).toEqual([[], []])
    const rejected = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1785035400 }
    expect(ofStream('rate_limit_event', { rate_limit_info: rejected })).toEqual([
      [{ type: 'error', error: 'Rate limit reached (five_hour), resets 2026-07-26T03:10:00.000Z', code: 'rate_limit' }],
      []
    ])
    expect(ofStream('rate_limit_event', { rate_limit_info: { status: 'rejected', resetsAt: 1e300 } })[0]).toEqual([
      { type: 'error', error: 'Rate limit reached', code: 'rate_limit' }
    ])
  })

  test('auth_status is an error where it has one', () => {
    expect(ofStream('auth_status', { isAuthenticating: true, output: [] })).toEqual([[], []])
    expect(ofStream('auth_status', { error: 'No key' })[0]).toEqual([
      { type: 'error', error: 'No key', code: 'authentication_failed' }
    ])
  })
})

describe('system records of stream-json', () => {
  const system = (subtype: string, rest: JsonObject = {}): [readonly EventDraft[], string[]] =>
    ofStream('system', { subtype, ...rest })

  test.each([
    ...['status', 'api_retry', 'hook_started', 'hook_progress', 'hook_response', 'task_started', 'task_progress'],
    ...['task_updated', 'background_tasks_changed', 'thinking_tokens', 'permission_denied', 'session_state_changed'],
    ...['commands_changed', 'memory_recall', 'files_persisted', 'plugin_install', 'elicitation_complete'],
    ...['mirror_error', 'session_writes_lost', 'worker_shutting_down', 'control_request_progress']
  ])('%s is known and means no event', (subtype) => {
    expect(system(subtype)).toEqual([[], []])
  })

  test('an unknown subtype is a notice', () => {
    expect(system('quantum_flux')).toEqual([[], ['UnknownSubtype']])
  })

  test('init starts a session', () => {
    const init = { cwd: '/home/ada', tools: ['Bash', 7], model: 'opus', claude_code_version: '2.1.330' }
    expect(system('init', init)[0]).toEqual([
      { type: 'session.started', model: 'opus', cwd: '/home/ada', tools: ['Bash'], version: '2.1.330' }
    ])
    expect(system('init')[0]).toEqual([{ type: 'session.started' }])
  })

  test('a hook that failed is a notice', () => {
    expect(system('hook_response', { outcome: 'error' })).toEqual([[], ['HookFailed']])
    expect(system('hook_response', { outcome: 'success' })).toEqual([[], []])
  })

  test('a compaction has a text', () => {
    const compact_metadata = { trigger: 'auto', pre_tokens: 155000 }
    expect(system('compact_boundary', { compact_metadata })[0]).toEqual([
      status('Conversation compacted (auto, 155000 tokens before)')
    ])
  })

  test.each([
    ['informational', 'content'],
    ['local_command_output', 'content'],
    ['model_refusal_fallback', 'content'],
    ['notification', 'text'],
    ['task_notification', 'summary']
  ])('%s says its %s', (subtype, key) => {
    expect(system(subtype, { [key]: 'Words' })[0]).toEqual([status('Words')])
    expect(system(subtype)[0]).toEqual([])
  })

  test('a refusal that no other model takes over is an error as well', () => {
    expect(system('model_refusal_no_fallback', { content: 'No.' })[0]).toEqual([
      status('No.'),
      { type: 'error', error: 'No.', code: 'model_refusal' }
    ])
  })
})

describe('transcripts', () => {
  test.each([
    ...['summary', 'queue-operation', 'file-history-snapshot', 'file-history-delta', 'api-request'],
    ...['api-request-shape', 'api-request-blob', 'custom-title', 'ai-title', 'agent-name', 'agent-color'],
    ...['agent-setting', 'tag', 'mode', 'permission-mode', 'last-prompt', 'bridge-session', 'pr-link', 'frame-link'],
    ...['worktree-state', 'cost-state', 'tools-used', 'atis-latch', 'isolation-latch', 'session-owner'],
    ...['content-replacement', 'continued-in', 'ended-by-model', 'relocated', 'derived-from', 'fork-context-ref'],
    ...['observer-ref', 'attribution-snapshot', 'memory-mode', 'history-suppression', 'speculation-accept']
  ])('%s is known and means no event', (type) => {
    expect(ofTranscript(type, { message: { role: 'user', content: 'body' } })).toEqual([[], []])
  })

  test('an unknown type is a notice', () => {
    expect(ofTranscript('sky-written')).toEqual([[], ['UnknownType']])
  })

  test.each(['hook_progress', 'bash_progress', 'mcp_progress', 'waiting_for_task', 'query_update'])(
    'progress of kind %s means no event',
    (type) => {
      expect(ofTranscript('progress', { data: { type, message: 'x' } })).toEqual([[], []])
    }
  )

  test('a subagent’s message in a progress line is read as itself', () => {
    const message = { type: 'assistant', message: { role: 'assistant', content: 'Seen' }, uuid: 'inner' }
    const data = { type: 'agent_progress', agentId: 'a1', message }
    expect(ofTranscript('progress', { data, parentToolUseID: 't1' })[0]).toEqual([
      { type: 'text', text: 'Seen', role: 'assistant', category: 'assistant-message' }
    ])
  })

  test.each([
    ...['hook_success', 'hook_blocking_error', 'edited_text_file', 'file', 'nested_memory'],
    ...['plan_mode', 'skill_listing', 'environment', 'prompt_snapshot', 'a kind nobody knows']
  ])('attachment of kind %s means no event', (type) => {
    expect(ofTranscript('attachment', { attachment: { type, prompt: 'x', content: 'y' } })).toEqual([[], []])
  })

  test('a prompt typed while the agent worked is in an attachment alone', () => {
    const queued = (prompt: string | JsonObject[], commandMode = 'prompt'): readonly EventDraft[] =>
      ofTranscript('attachment', { attachment: { type: 'queued_command', prompt, commandMode } })[0]
    const prompt = (text: string): EventDraft => ({ type: 'text', text, role: 'user', category: 'user-message' })
    expect(queued('also this')).toEqual([prompt('also this')])
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    expect(queued([{ type: 'text', text: 'like this' }, image])).toEqual([prompt('like this\n[image/png, 3 B]')])
    expect(queued('<task-notification>', 'task-notification')).toEqual([])
  })

  test('too many turns end the turn', () => {
    expect(ofTranscript('attachment', { attachment: { type: 'max_turns_reached' } })[0]).toEqual([
      { type: 'turn.completed', finishReason: 'error' }
    ])
  })

  test.each([
    ...['microcompact_boundary', 'stop_hook_summary', 'local_command', 'informational', 'away_summary'],
    ...['scheduled_task_fire', 'bridge_status', 'model_refusal_fallback', 'api_error']
  ])('a system line of subtype %s says its text, if it has one', (subtype) => {
    expect(ofTranscript('system', { subtype, content: 'Words' })).toEqual([[status('Words')], []])
    expect(ofTranscript('system', { subtype })).toEqual([[], []])
  })

  test('so does one without a subtype, as up to 1.0.5x; an unknown subtype is a notice', () => {
    expect(ofTranscript('system', { content: 'Limit reached', level: 'warning' })).toEqual([
      [status('Limit reached')],
      []
    ])
    expect(ofTranscript('system', { subtype: 'quantum_flux' })).toEqual([[], ['UnknownSubtype']])
  })

  test('a retry of the API is no error: it usually succeeds', () => {
    const retry = { subtype: 'api_error', error: { status: 529 }, retryInMs: 500, retryAttempt: 1, maxRetries: 10 }
    expect(ofTranscript('system', retry)).toEqual([[], []])
  })

  test.each([
    ['user', {}, '$.message', 'expected an object, found nothing'],
    ['user', { message: { content: 7 } }, '$.message.content', 'expected a string or an array, found a number'],
    ['assistant', { message: null }, '$.message', 'expected an object, found null'],
    ['assistant', { message: {} }, '$.message.content', 'expected a string or an array, found nothing'],
    ['attachment', { attachment: [] }, '$.attachment', 'expected an object, found an array'],
    ['progress', {}, '$.data', 'expected an object, found nothing']
  ])('%s needs what it is read for: %j lacks it', (type, rest, path, message) => {
    const { issues } = claudeTranscript.decode({ type, sessionId: 's', ...rest }, at)
    expect(issues).toEqual([{ code: 'TypedParse', path, message }])
  })

  test.each([
    [42, '$', 'expected an object, found a number'],
    [['user'], '$', 'expected an object, found an array'],
    [{ type: 7 }, '$.type', 'expected a string, found a number']
  ])('every line is an object with a type: %j is not', (value, path, message) => {
    expect(claudeTranscript.decode(value, at).issues).toEqual([{ code: 'TypedParse', path, message }])
  })
})
