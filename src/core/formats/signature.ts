import { agentEventTypes, agentTypes } from '../events/agent-event.ts'
import { isJsonObject, objectAt, type JsonObject, type JsonValue } from '../json.ts'
import { ClaudeStreamJsonParser } from './claude/contract.ts'
import type { FormatId, Head } from './log-format.ts'

/** Whose log a record is. `id` null: a program whose logs Playhead has no format for. */
export interface Signature {
  readonly id: FormatId | null
  /** As a person would call it. */
  readonly name: string
}

const signatures = {
  normalized: { id: 'normalized', name: 'a normalized Playhead export' },
  claudeStream: { id: 'claude-stream-json', name: 'a Claude Code stream-json log' },
  claudeTranscript: { id: 'claude-transcript', name: 'a Claude Code transcript' },
  claudeArray: { id: null, name: 'a Claude Code log written as one JSON array (--output-format json)' },
  codexExec: { id: 'codex-exec-json', name: 'a Codex exec log' },
  codexRollout: { id: 'codex-rollout', name: 'a Codex rollout' },
  geminiStream: { id: 'gemini-stream-json', name: 'a Gemini CLI stream-json log' },
  geminiChat: { id: 'gemini-chat', name: 'a saved Gemini CLI chat' },
  cursor: { id: null, name: 'a Cursor agent log' },
  qwen: { id: null, name: 'a Qwen Code log' },
  droid: { id: null, name: 'a Factory Droid log' },
  opencode: { id: null, name: 'an opencode log' },
  copilot: { id: null, name: 'a Copilot CLI log' }
} as const satisfies Record<string, Signature>

/**
 * Whose log this is, decided by the first conclusive record (formats.md 2); undefined when none is. Every format asks this one
 * question, so no two can claim the same log, and the order of registration means nothing.
 */
export function signatureOf(head: Head): Signature | undefined {
  for (const record of head.records) {
    const signature = recordSignature(record)
    if (signature !== undefined) return signature
  }
  return markerSignature(head.text) ?? (head.records.some(keepsContract) ? signatures.claudeStream : undefined)
}

function recordSignature(value: JsonValue): Signature | undefined {
  if (Array.isArray(value)) return arraySignature(value as readonly JsonValue[])
  if (!isJsonObject(value)) return undefined
  return ownSignature(value) ?? foreignSignature(value) ?? geminiOrCodex(value) ?? claude(value) ?? oldCodex(value)
}

function arraySignature(values: readonly JsonValue[]): Signature | undefined {
  for (const value of values) {
    if (!isJsonObject(value)) continue
    if (isString(value['sessionId']) && isString(value['messageId']) && isString(value['message'])) {
      return signatures.geminiChat
    }
    const signature = claude(value)
    if (signature !== undefined) return signatures.claudeArray
  }
  return undefined
}

function ownSignature(r: JsonObject): Signature | undefined {
  const { eventId, agentType, type } = r
  const own =
    isString(eventId) &&
    agentTypes.some((known) => known === agentType) &&
    agentEventTypes.some((known) => known === type)
  return own ? signatures.normalized : undefined
}

/** Programs that imitate one of the formats below, by what gives them away (formats.md 2 "Lookalikes", 11). */
function foreignSignature(r: JsonObject): Signature | undefined {
  const t = r['type']
  if (isString(r['sessionID']) && isString(t)) return signatures.opencode
  if (isString(t) && t.includes('.') && isJsonObject(r['data']) && 'parentId' in r) return signatures.copilot
  if (t === 'tool_call' && isJsonObject(r['tool_call'])) return signatures.cursor
  if (t === 'result' && 'request_id' in r && !('num_turns' in r)) return signatures.cursor
  if (isString(r['session_id']) && typeof r['timestamp'] === 'number') return signatures.droid
  if ('qwen_code_version' in r || (t === 'system' && r['subtype'] === 'session_start')) return signatures.qwen
  const message = objectAt(r, 'message')
  if ('parentUuid' in r && message !== undefined && Array.isArray(message['parts'])) return signatures.qwen
  if ('parentUuid' in r && (r['subtype'] === 'ui_telemetry' || r['subtype'] === 'chat_compression'))
    return signatures.qwen
  return undefined
}

const rolloutTypes = new Set([
  ...['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted', 'world_state', 'token_usage_record'],
  ...['inter_agent_communication', 'inter_agent_communication_metadata', 'retained_context', 'security_risk_score'],
  ...['realtime_item']
])
const execTypes = new Set([
  ...['thread.started', 'turn.started', 'turn.completed', 'turn.failed'],
  ...['item.started', 'item.updated', 'item.completed']
])

/** Rules 1 to 5, 8 and 9. */
function geminiOrCodex(r: JsonObject): Signature | undefined {
  const t = r['type']
  if ('$set' in r || '$rewindTo' in r) return signatures.geminiChat
  if (isString(r['sessionId']) && isString(r['projectHash'])) return signatures.geminiChat
  if (r['record_type'] === 'state') return signatures.codexRollout
  if (!isString(t)) return undefined
  if (rolloutTypes.has(t) && isJsonObject(r['payload'])) return signatures.codexRollout
  // Our own `turn.completed` has been told apart by its ids.
  if (execTypes.has(t)) return signatures.codexExec
  if ('parentUuid' in r) return undefined
  const dated = isString(r['timestamp'])
  if (t === 'init' && isString(r['session_id']) && isString(r['model']) && dated) return signatures.geminiStream
  if (t === 'tool_use' && isString(r['tool_name']) && isString(r['tool_id'])) return signatures.geminiStream
  if (t === 'tool_result' && isString(r['tool_id']) && isString(r['status'])) return signatures.geminiStream
  if (t === 'result' && isString(r['status']) && dated) return signatures.geminiStream
  const message = t === 'message' && isString(r['role']) && isString(r['content']) && dated && !('id' in r)
  return message ? signatures.geminiStream : undefined
}

const transcriptBooks = new Set([
  ...[
    'last-prompt',
    'mode',
    'permission-mode',
    'bridge-session',
    'custom-title',
    'ai-title',
    'agent-name',
    'agent-color'
  ],
  ...['agent-setting', 'tag', 'pr-link', 'frame-link', 'worktree-state', 'cost-state', 'tools-used', 'atis-latch'],
  ...['isolation-latch', 'session-owner', 'content-replacement', 'continued-in', 'ended-by-model', 'relocated'],
  ...['derived-from', 'fork-context-ref', 'observer-ref', 'attribution-snapshot', 'memory-mode', 'history-suppression'],
  ...['speculation-accept', 'api-request', 'api-request-shape', 'api-request-blob']
])

/** Rules 6 and 7, and 10 to 13. */
function claude(r: JsonObject): Signature | undefined {
  const t = r['type']
  const session = isString(r['sessionId'])
  if ('parentUuid' in r || ('isSidechain' in r && session)) return signatures.claudeTranscript
  if (!isString(t)) return undefined
  if (t === 'summary' && isString(r['leafUuid'])) return signatures.claudeTranscript
  if ((t === 'file-history-snapshot' || t === 'file-history-delta') && 'messageId' in r)
    return signatures.claudeTranscript
  if (t === 'queue-operation' && 'operation' in r) return signatures.claudeTranscript
  if (transcriptBooks.has(t) && session) return signatures.claudeTranscript
  return isStreamJson(t, r) ? signatures.claudeStream : undefined
}

function isStreamJson(t: string, r: JsonObject): boolean {
  if (t === 'stream_event') return isJsonObject(r['event'])
  if (t === 'assistant' || t === 'user') return isJsonObject(r['message']) && 'parent_tool_use_id' in r
  if (!isString(r['subtype']) || !isString(r['session_id'])) return false
  if (t === 'result') return true
  return t === 'system' && (isString(r['uuid']) || (isString(r['cwd']) && Array.isArray(r['tools'])))
}

const contract = new ClaudeStreamJsonParser()

/**
 * The last resort: a record with no more in it than the strict contract asks for, as hand-written logs have. Programs that
 * imitate Claude Code write such records too, so anything else in the head that is conclusive goes first.
 */
function keepsContract(value: JsonValue): boolean {
  const checked = contract.parseJson(value)
  if (!checked.ok || checked.event === null || checked.event.kind === 'Unknown') return false
  const { kind, raw } = checked.event
  return (kind !== 'UserMessage' && kind !== 'AssistantMessage') || isJsonObject(raw['message'])
}

const oldRolloutTypes = new Set([
  ...['message', 'reasoning', 'function_call', 'function_call_output', 'local_shell_call'],
  ...['custom_tool_call', 'custom_tool_call_output', 'web_search_call']
])

/** Rules 14 to 16: Codex before it had an envelope. */
function oldCodex(r: JsonObject): Signature | undefined {
  const t = r['type']
  const message = objectAt(r, 'msg')
  if (message !== undefined && isString(message['type']) && isString(r['id'])) return signatures.codexExec
  if (t === undefined && isString(r['id']) && isString(r['timestamp']) && 'instructions' in r)
    return signatures.codexRollout
  const enveloped = 'session_id' in r || 'uuid' in r || 'timestamp' in r
  // A bare Messages API message also has type "message"; its model gives it away.
  if (isString(t) && oldRolloutTypes.has(t) && !enveloped && !('model' in r)) return signatures.codexRollout
  return undefined
}

/** For a first line longer than the head, and for documents: what stands in the bytes (formats.md 2). */
function markerSignature(text: string): Signature | undefined {
  const has = (marker: RegExp): boolean => marker.test(text)
  // Our own export puts its keys in one order, and what follows may quote any of the markers below.
  const own = /^\{"type":"([a-z._]+)","eventId":"/.exec(text)?.[1]
  if (agentEventTypes.some((known) => known === own)) return signatures.normalized
  if (has(/"parentUuid"\s*:/) && has(/"sessionId"\s*:/)) return signatures.claudeTranscript
  if (has(/"type"\s*:\s*"session_meta"/)) return signatures.codexRollout
  if (has(/"sessionId"\s*:/) && has(/"projectHash"\s*:/)) return signatures.geminiChat
  const stream =
    has(/"parent_tool_use_id"\s*:/) ||
    (has(/"session_id"\s*:/) && (has(/"subtype"\s*:\s*"init"/) || has(/"type"\s*:\s*"stream_event"/)))
  if (stream) return text.trimStart().startsWith('[') ? signatures.claudeArray : signatures.claudeStream
  // A very long message whose envelope comes after it: transcripts put theirs first.
  return has(/^\s*\{"type":"(?:user|assistant)","message":\{/) ? signatures.claudeStream : undefined
}

function isString(value: JsonValue | undefined): value is string {
  return typeof value === 'string'
}
