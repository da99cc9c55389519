import * as z from 'zod'
import { isJsonObject, jsonTypeName, type JsonObject, type JsonValue } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { requiredIssues } from '../required.ts'

/** Line types (codex-rs `RolloutItem`): docs/formats/codex-rollout.md#lines-have-an-envelope. */
export const lineTypes: ReadonlySet<string> = new Set([
  ...['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted', 'world_state', 'token_usage_record'],
  ...['inter_agent_communication', 'inter_agent_communication_metadata', 'retained_context', 'security_risk_score'],
  ...['realtime_item']
])

/** Payloads (codex-rs models.rs): docs/formats/codex-rollout.md#items-are-what-the-model-saw-and-said. */
export const itemTypes: ReadonlySet<string> = new Set([
  ...['message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['local_shell_call', 'web_search_call', 'tool_search_call', 'tool_search_output', 'image_generation_call'],
  ...['ghost_snapshot', 'compaction', 'compaction_summary', 'context_compaction', 'agent_message'],
  ...['additional_tools', 'other']
])

/** Without an event (`EventMsg`): docs/formats/codex-rollout.md#events-are-what-the-interface-was-told. */
export const silentEvents: ReadonlySet<string> = new Set([
  ...['entered_review_mode', 'exited_review_mode', 'thread_goal_updated'],
  ...['thread_name_updated', 'view_image_tool_call', 'guardian_assessment', 'dynamic_tool_call_request'],
  ...['dynamic_tool_call_response', 'collab_agent_interaction_end', 'collab_waiting_end', 'collab_close_end'],
  ...['collab_resume_end', 'collab_agent_spawn_begin', 'session_configured', 'mcp_startup_complete', 'turn_diff'],
  ...['exec_command_begin', 'exec_command_output_delta', 'plan_delta', 'background_event'],
  ...[
    'item_started',
    'stream_error',
    'image_generation_begin',
    'web_search_begin',
    'mcp_tool_call_begin',
    'patch_apply_begin',
    'shutdown_complete'
  ],
  ...['hook_started', 'hook_completed', 'raw_response_item', 'thread_goal_cleared', 'token_usage_record'],
  ...['terminal_interaction', 'model_verification', 'request_user_input', 'exec_approval_request']
])

/** Without an event (codex-rs items.rs): docs/formats/codex-rollout.md#items-of-turns-replace-events. */
export const silentTurnItems: ReadonlySet<string> = new Set([
  ...['CollabAgentToolCall', 'EnteredReviewMode', 'ExitedReviewMode', 'HookPrompt', 'Sleep', 'ImageView']
])

// Elements are checked where they are read.
const list = z.array(z.unknown())
const listOrText = z.union([list, z.string()])
const named = z.object({ name: z.string(), call_id: z.string() })
const answered = z.object({ call_id: z.string() })

/** Required paths of a payload of `response_item`, and of a line of the old format. */
const itemSchemas: Readonly<Record<string, z.ZodObject>> = {
  message: z.object({ role: z.string(), content: listOrText }),
  reasoning: z.object({ summary: list }),
  function_call: named,
  function_call_output: answered,
  custom_tool_call: named,
  custom_tool_call_output: answered,
  local_shell_call_output: answered,
  local_shell_call: z.object({ action: z.object({}) })
}

const eventSchemas: Readonly<Record<string, z.ZodObject>> = {
  user_message: z.object({ message: z.string() }),
  agent_message: z.object({ message: z.string() }),
  agent_reasoning: z.object({ text: z.string() }),
  agent_reasoning_raw_content: z.object({ text: z.string() }),
  error: z.object({ message: z.string() }),
  item_completed: z.object({ item: z.object({ type: z.string() }) })
}

const lineSchemas: Readonly<Record<string, z.ZodObject>> = {
  session_meta: z.object({ id: z.string() }),
  turn_context: z.object({ model: z.string() })
}

const typed = z.object({ type: z.string() })
const enveloped = z.object({ timestamp: z.string(), payload: z.object({}) })
const envelopes = {
  line: envelopesOf(lineSchemas),
  item: envelopesOf(itemSchemas),
  event: envelopesOf(eventSchemas)
}
const typedPayload = enveloped.extend({ payload: typed })

function envelopesOf(payloads: Readonly<Record<string, z.ZodObject>>): ReadonlyMap<string, z.ZodObject> {
  return new Map(Object.entries(payloads).map(([type, payload]) => [type, enveloped.extend({ payload })]))
}

const none: readonly IssueDraft[] = []

/** The first required path that a line in an envelope lacks. */
export function lineIssues(record: JsonObject, type: string): readonly IssueDraft[] {
  const payload = record['payload']
  const payloadType = isJsonObject(payload) ? payload['type'] : undefined
  if (type !== 'response_item' && type !== 'event_msg') {
    return requiredIssues(envelopes.line.get(type) ?? enveloped, record)
  }
  const known = type === 'event_msg' ? envelopes.event : envelopes.item
  const schema = typeof payloadType === 'string' ? known.get(payloadType) : undefined
  // Most lines are token counts without further requirements.
  if (schema === undefined && typeof payloadType === 'string' && typeof record['timestamp'] === 'string') return none
  return requiredIssues(schema ?? typedPayload, record)
}

/** As `lineIssues`, for a line of the old format without an envelope. */
export function bareItemIssues(record: JsonObject, type: string): readonly IssueDraft[] {
  const schema = Object.hasOwn(itemSchemas, type) ? itemSchemas[type] : undefined
  return schema === undefined ? [] : requiredIssues(schema, record)
}

/** The issue of a line that is no record. */
export function notARecord(value: JsonValue): IssueDraft {
  if (!isJsonObject(value))
    return { code: 'TypedParse', path: '$', message: `expected an object, found ${jsonTypeName(value)}` }
  return { code: 'TypedParse', path: '$.type', message: `expected a string, found ${jsonTypeName(value['type'])}` }
}
