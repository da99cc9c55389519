import { isFiniteNumber, isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import { maxTokens } from '../../requests/tokens.ts'
import { parseJson } from '../json-text.ts'
import { textHash } from '../text-hash.ts'
import { mcpResultFailed, mcpResultText } from './mcp-result.ts'
import { changesOf, commandFailed, commandOf, inputAt, linkThread, mcpToolName, sayDone } from './rollout-calls.ts'
import { silentEvents } from './rollout-contract.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'
import { sayAnswer, sayCompacted, sayThought } from './rollout-texts.ts'
import { readTurnItem } from './rollout-turn-items.ts'
import { promptOfEvent } from './user-prompt.ts'

/** Reads an `event_msg`: docs/formats/codex-rollout.md#events-are-what-the-interface-was-told. */
export function readEvent(out: RolloutBuilder, event: JsonObject): void {
  const type = stringAt(event, 'type') ?? ''
  switch (type) {
    case 'token_count':
      return readTokenCount(out, event)
    case 'user_message': {
      const text = promptOfEvent(event)
      const body = text === undefined ? -1 : out.draft({ type: 'text', text, role: 'user', category: 'user-message' })
      out.steps.push({ kind: 'prompt', body })
      return
    }
    case 'agent_message':
      return sayAnswer(out, stringAt(event, 'message'))
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content': {
      const text = stringAt(event, 'text')
      if (text !== undefined && text !== '') sayThought(out, text, 'event')
      return
    }
    case 'item_completed':
      return readTurnItem(out, objectAt(event, 'item') ?? {})
    case '':
      return
    default:
      if (!readTurnEvent(out, event, type) && !readToolEvent(out, event, type) && !silentEvents.has(type)) {
        out.notice('UnknownSubtype', `${out.path}.type`, 'unknown event')
      }
  }
}

/** Events about the turn and the whole conversation; false where it is none of them. */
function readTurnEvent(out: RolloutBuilder, event: JsonObject, type: string): boolean {
  switch (type) {
    case 'task_started':
    case 'turn_started':
      out.steps.push({ kind: 'turn-start' })
      return true
    case 'task_complete':
    case 'turn_complete':
      readTurnEnd(out, event, 'complete')
      return true
    case 'turn_aborted':
      readTurnEnd(out, event, 'aborted')
      return true
    case 'error':
      out.steps.push({ kind: 'error', ...errorOf(out, event) })
      return true
    case 'stream_error':
      return true
    case 'warning':
    case 'deprecation_notice':
      out.status(stringAt(event, 'message') ?? stringAt(event, 'summary') ?? '')
      return true
    case 'context_compacted':
      sayCompacted(out, '', true)
      return true
    case 'undo_completed':
      out.status(stringAt(event, 'message') || (event['success'] === false ? 'Undo failed' : 'Undone'))
      return true
    case 'thread_rolled_back': {
      const turns = event['num_turns']
      const count = isFiniteNumber(turns) && turns >= 1 ? Math.floor(turns) : 0
      const text = count === 0 ? 'Rolled back' : `Rolled back ${count === 1 ? '1 turn' : `${count} turns`}`
      const body = out.draft({ type: 'text', text, role: 'system', category: 'status' })
      out.steps.push({ kind: 'rollback', body, turns: count })
      return true
    }
    default:
      return false
  }
}

function readTurnEnd(out: RolloutBuilder, event: JsonObject, how: 'complete' | 'aborted'): void {
  const error = objectAt(event, 'error')
  const { duration_ms: durationMs, time_to_first_token_ms: firstTokenMs } = event
  out.steps.push({
    kind: 'turn-end',
    how,
    durationMs: isFiniteNumber(durationMs) ? durationMs : undefined,
    firstTokenMs: isFiniteNumber(firstTokenMs) && firstTokenMs >= 0 ? firstTokenMs : undefined,
    error: error === undefined ? undefined : errorOf(out, error),
    silent: stringAt(event, 'last_agent_message') === undefined
  })
}

/** The draft of an error and the hash of its message. */
function errorOf(out: RolloutBuilder, error: JsonObject): { body: number; hash: number } {
  const text = innerMessage(stringAt(error, 'message') ?? 'the turn failed; the log does not say why')
  const info = error['codex_error_info']
  // Some kinds of error are told as an object with the kind as its only name.
  const code = typeof info === 'string' ? info : isJsonObject(info) ? Object.keys(info)[0] : undefined
  const body = out.draft(
    code === undefined ? { type: 'error', error: text } : { type: 'error', error: text, code: code.slice(0, 200) }
  )
  return { body, hash: textHash(text) }
}

/** docs/formats/codex-exec-json.md#an-error-may-be-json-in-a-text */
function innerMessage(message: string): string {
  if (!message.startsWith('{')) return message
  const parsed = parseJson(message)
  if (!parsed.ok || !isJsonObject(parsed.value)) return message
  const error = objectAt(parsed.value, 'error')
  return stringAt(error ?? parsed.value, 'message') || message
}

function readTokenCount(out: RolloutBuilder, event: JsonObject): void {
  const info = objectAt(event, 'info')
  const total = info === undefined ? undefined : objectAt(info, 'total_token_usage')
  if (info === undefined || total === undefined) return
  const window = info['model_context_window']
  out.steps.push({
    kind: 'usage',
    total,
    last: objectAt(info, 'last_token_usage'),
    window: isFiniteNumber(window) && window >= 1 && window <= maxTokens ? Math.round(window) : undefined
  })
}

/**
 * What a tool did, told when it was done. Where a call of the same id is in the log it says nothing new; the tools that a script calls
 * are told of nowhere else.
 */
function readToolEvent(out: RolloutBuilder, event: JsonObject, type: string): boolean {
  switch (type) {
    case 'exec_command_end': {
      const text = stringAt(event, 'aggregated_output') ?? stringAt(event, 'stdout') ?? ''
      sayDone(out, event, 'exec_command', { command: commandOf(event) }, text, commandFailed(event))
      return true
    }
    case 'patch_apply_end': {
      const failed = event['success'] === false || event['status'] === 'failed'
      const text = (failed ? stringAt(event, 'stderr') : undefined) || stringAt(event, 'stdout') || ''
      sayDone(out, event, 'apply_patch', changesOf(out, event), text, failed)
      return true
    }
    case 'mcp_tool_call_end':
      readMcpEnd(out, event)
      return true
    case 'web_search_end':
      sayDone(out, event, 'web_search', inputAt(out, event, 'action'), '', false)
      return true
    case 'image_generation_end': {
      const failed = event['status'] === 'failed'
      const input = { prompt: stringAt(event, 'revised_prompt') ?? '' }
      sayDone(out, event, 'image_generation', input, stringAt(event, 'saved_path') ?? '', failed)
      return true
    }
    case 'collab_agent_spawn_end':
      linkThread(out, stringAt(event, 'call_id'), stringAt(event, 'new_thread_id'))
      return true
    case 'sub_agent_activity':
      linkThread(out, stringAt(event, 'event_id'), stringAt(event, 'agent_thread_id'))
      return true
    default:
      return false
  }
}

function readMcpEnd(out: RolloutBuilder, event: JsonObject): void {
  const invocation = objectAt(event, 'invocation') ?? {}
  const result = objectAt(event, 'result') ?? {}
  const refused = stringAt(result, 'Err')
  const answer = objectAt(result, 'Ok') ?? {}
  const failed = refused !== undefined || mcpResultFailed(answer)
  const name = mcpToolName(invocation)
  sayDone(out, event, name, inputAt(out, invocation, 'arguments'), refused ?? mcpResultText(answer), failed)
}
