import { arrayAt, isJsonObject, numberAt, objectAt, stated, stringAt, type JsonObject } from '../../json.ts'
import { maxTokens } from '../../requests/tokens.ts'
import { lineId } from '../log-format.ts'
import { parseJson } from '../json-text.ts'
import { textHash } from '../text-hash.ts'
import { mcpEnd } from './mcp-result.ts'
import {
  changesOf,
  commandFailed,
  addSearch,
  commandOf,
  hostedCall,
  imagePrompt,
  inputAt,
  linkThread,
  mcpToolName,
  addCompletedCall
} from './rollout-calls.ts'
import { silentEvents } from './rollout-contract.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'
import { addAnswer, addCompacted, addPrompt, addThought } from './rollout-texts.ts'
import { readTurnItem } from './rollout-turn-items.ts'
import { planItems } from './plan-items.ts'
import { promptOfEvent } from './user-prompt.ts'
import { lengthAt } from '../stated-amounts.ts'
import { tierIn } from './service-tier.ts'

type EventReader = (out: RolloutBuilder, event: JsonObject) => void

/** Reads an `event_msg`: docs/formats/codex-rollout.md#events-are-what-the-interface-was-told. */
export function readEvent(out: RolloutBuilder, event: JsonObject): void {
  const type = stringAt(event, 'type') ?? ''
  const read = readers.get(type)
  if (read !== undefined) read(out, event)
  else if (type !== '' && !silentEvents.has(type)) out.notice('UnknownSubtype', `${out.path}.type`, 'unknown event')
}

/** By `type`. Events of tools matter for calls without another record, such as those of a script. */
const readers: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['token_count', readTokenCount],
  ['user_message', (out, event) => addPrompt(out, promptOfEvent(event))],
  ['agent_message', (out, event) => addAnswer(out, stringAt(event, 'message'))],
  ['agent_reasoning', readReasoning],
  ['agent_reasoning_raw_content', readReasoning],
  ['item_completed', (out, event) => readTurnItem(out, objectAt(event, 'item') ?? {})],
  ['task_started', readTurnStart],
  ['turn_started', readTurnStart],
  ['task_complete', (out, event) => readTurnEnd(out, event, 'complete')],
  ['turn_complete', (out, event) => readTurnEnd(out, event, 'complete')],
  ['turn_aborted', (out, event) => readTurnEnd(out, event, 'aborted')],
  ['error', (out, event) => out.steps.push({ kind: 'error', ...errorOf(out, event) })],
  ['plan_update', readPlan],
  ['warning', readWarning],
  ['deprecation_notice', readWarning],
  [
    'thread_settings_applied',
    (out, event) => {
      const tier = tierIn(objectAt(event, 'thread_settings') ?? {})
      if (tier !== undefined) out.steps.push({ kind: 'context', model: undefined, tier })
    }
  ],
  ['context_compacted', (out) => addCompacted(out, '', true)],
  ['undo_completed', readUndo],
  ['thread_rolled_back', readRollback],
  ['exec_command_end', readCommandEnd],
  ['patch_apply_end', readPatchEnd],
  ['mcp_tool_call_end', readMcpEnd],
  ['web_search_end', (out, event) => addSearch(out, event)],
  ['image_generation_end', readImageEnd],
  [
    'collab_agent_spawn_end',
    (out, event) => linkThread(out, stringAt(event, 'call_id'), stringAt(event, 'new_thread_id'))
  ],
  [
    'sub_agent_activity',
    (out, event) => linkThread(out, stringAt(event, 'event_id'), stringAt(event, 'agent_thread_id'))
  ]
])

function readReasoning(out: RolloutBuilder, event: JsonObject): void {
  const text = stringAt(event, 'text')
  if (text !== undefined && text !== '') addThought(out, text, 'event')
}

function readTurnStart(out: RolloutBuilder): void {
  out.steps.push({ kind: 'turn-start' })
}

/** The list as it stands; mostly that of the call before. */
function readPlan(out: RolloutBuilder, event: JsonObject): void {
  const items = planItems(event['plan'])
  // Steps that cannot be read state nothing.
  if (items === null || (items.length === 0 && (arrayAt(event, 'plan') ?? []).length > 0)) return
  out.steps.push({
    kind: 'plan-stated',
    body: out.draft({ type: 'todo_list', todoId: lineId(out.line), items }),
    items
  })
}

function readWarning(out: RolloutBuilder, event: JsonObject): void {
  out.status(stringAt(event, 'message') ?? stringAt(event, 'summary') ?? '')
}

function readUndo(out: RolloutBuilder, event: JsonObject): void {
  out.status(stringAt(event, 'message') || (event['success'] === false ? 'Undo failed' : 'Undone'))
}

function readRollback(out: RolloutBuilder, event: JsonObject): void {
  const turns = Math.max(0, Math.floor(numberAt(event, 'num_turns') ?? 0))
  const text = turns === 0 ? 'Rolled back' : `Rolled back ${turns === 1 ? '1 turn' : `${turns} turns`}`
  const body = out.draft({ type: 'text', text, role: 'system', category: 'status' })
  out.steps.push({ kind: 'rollback', body, turns })
}

function readTurnEnd(out: RolloutBuilder, event: JsonObject, how: 'complete' | 'aborted'): void {
  const error = objectAt(event, 'error')
  const firstTokenMs = numberAt(event, 'time_to_first_token_ms') ?? -1
  out.steps.push({
    kind: 'turn-end',
    how,
    durationMs: lengthAt(event, 'duration_ms'),
    firstTokenMs: firstTokenMs >= 0 ? firstTokenMs : undefined,
    error: error === undefined ? undefined : errorOf(out, error),
    silent: stringAt(event, 'last_agent_message') === undefined
  })
}

/** Adds the draft of an error; returns it with the hash of its message. */
function errorOf(out: RolloutBuilder, error: JsonObject): { body: number; hash: number } {
  const text = innerMessage(stringAt(error, 'message') ?? 'the turn failed; the log does not say why')
  const info = error['codex_error_info']
  // Some kinds are objects with the kind as their only key.
  const code = typeof info === 'string' ? info : isJsonObject(info) ? Object.keys(info)[0] : undefined
  const body = out.draft({ type: 'error', error: text, ...stated({ code: code?.slice(0, 200) }) })
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
  const window = numberAt(info, 'model_context_window') ?? 0
  out.steps.push({
    kind: 'usage',
    total,
    last: objectAt(info, 'last_token_usage'),
    window: window >= 1 && window <= maxTokens ? Math.round(window) : undefined
  })
}

function readCommandEnd(out: RolloutBuilder, event: JsonObject): void {
  const text = stringAt(event, 'aggregated_output') ?? stringAt(event, 'stdout') ?? ''
  addCompletedCall(out, event, 'exec_command', { command: commandOf(event) }, text, commandFailed(event))
}

function readPatchEnd(out: RolloutBuilder, event: JsonObject): void {
  const failed = event['success'] === false || event['status'] === 'failed'
  const text = (failed ? stringAt(event, 'stderr') : undefined) || stringAt(event, 'stdout') || ''
  addCompletedCall(out, event, 'apply_patch', changesOf(out, event), text, failed)
}

function readImageEnd(out: RolloutBuilder, event: JsonObject): void {
  const text = stringAt(event, 'saved_path') ?? ''
  const hosted = hostedCall(event, 'image_generation', 'event')
  addCompletedCall(out, event, 'image_generation', imagePrompt(event), text, event['status'] === 'failed', hosted)
}

function readMcpEnd(out: RolloutBuilder, event: JsonObject): void {
  const invocation = objectAt(event, 'invocation') ?? {}
  const { text, failed } = mcpEnd(objectAt(event, 'result') ?? {})
  addCompletedCall(out, event, mcpToolName(invocation), inputAt(out, invocation, 'arguments'), text, failed)
}
