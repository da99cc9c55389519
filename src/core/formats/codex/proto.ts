import { arrayAt, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { type EventDraft, lineId, type LinePosition } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { textHash } from '../text-hash.ts'
import { errorDraft } from './error-text.ts'
import { type ExecDecoded, noIssues, threadStarted, withEvents, withoutEvents, withStep } from './exec-decoded.ts'
import { anyMessage, protoSchemas } from './exec-required.ts'
import { type ToolCall, toolCall } from './exec-call.ts'
import { argumentsOf, changesInput, commandEnd, type Outcome, serverTool } from './item-tools.ts'
import { mcpEnd } from './mcp-result.ts'
import { planItems } from './plan-items.ts'
import { durationOf } from './rollout-calls.ts'
import { tokenCounts } from './token-counts.ts'

/** Messages without an event: pieces of later messages, questions to the user, replies to requests. */
const silentMessages: ReadonlySet<string> = new Set([
  ...['turn_diff', 'exec_command_output_delta', 'agent_message_delta', 'agent_reasoning_delta'],
  ...['agent_reasoning_raw_content_delta', 'agent_reasoning_section_break', 'agent_message_content_delta'],
  ...['reasoning_content_delta', 'reasoning_raw_content_delta', 'stream_error', 'exec_approval_request'],
  ...['apply_patch_approval_request', 'elicitation_request', 'terminal_interaction', 'view_image_tool_call'],
  ...['mcp_startup_update', 'mcp_startup_complete', 'mcp_list_tools_response', 'get_history_entry_response'],
  ...['list_custom_prompts_response', 'list_skills_response', 'conversation_path', 'conversation_history'],
  ...['entered_review_mode', 'exited_review_mode', 'undo_started', 'undo_completed', 'raw_response_item'],
  ...['item_started', 'item_completed', 'shutdown_complete']
])

/** Line 1, the agent's configuration. */
export function isConfiguration(record: JsonObject): boolean {
  return (
    record['type'] === undefined &&
    stringAt(record, 'model') !== undefined &&
    stringAt(record, 'workdir') !== undefined &&
    stringAt(record, 'provider') !== undefined
  )
}

/** The configuration starts the session; this form has no other record for it. */
export function readConfiguration(record: JsonObject): ExecDecoded {
  const model = stringAt(record, 'model') ?? ''
  const cwd = stringAt(record, 'workdir') ?? ''
  return withStep([{ type: 'session.started', model, cwd }], noIssues, { kind: 'session', threadId: undefined })
}

/** Line 2, the prompt. */
export function readPrompt(prompt: string): ExecDecoded {
  const draft: EventDraft = { type: 'text', text: prompt, role: 'user', category: 'user-message' }
  return prompt === ''
    ? withoutEvents(noIssues)
    : withStep([draft], noIssues, { kind: 'prompt', hash: textHash(prompt) })
}

/** An event of the form before 0.44: docs/formats/codex-exec-json.md#messages-stand-in-msg. */
export function readMessage(record: JsonObject, at: LinePosition): ExecDecoded {
  const message = objectAt(record, 'msg') ?? {}
  const type = stringAt(message, 'type') ?? ''
  const issues = requiredIssues(protoSchemas.get(type) ?? anyMessage, record)
  switch (type) {
    case 'agent_message':
      return say(message, 'message', 'assistant', 'assistant-message', issues)
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return say(message, 'text', 'assistant', 'reasoning', issues)
    case 'background_event':
    case 'warning':
      return say(message, 'message', 'system', 'status', issues)
    case 'deprecation_notice':
      return say(message, 'summary', 'system', 'status', issues)
    case 'user_message':
      return readUserMessage(message, issues)
    case 'error':
      return readError(message, issues)
    case 'session_configured':
      return threadStarted(stringAt(message, 'session_id'), stringAt(message, 'model'), issues)
    case 'plan_update':
      return readPlan(message, issues, at)
    case 'token_count':
      return readTokenCount(message, issues)
    case 'task_started':
      return withStep([], issues, { kind: 'turn-start' })
    case 'task_complete':
      return withStep([{ type: 'turn.completed', finishReason: 'done' }], issues, {
        kind: 'task-end',
        cancelled: false
      })
    case 'turn_aborted':
      return withStep([{ type: 'turn.completed', finishReason: 'cancelled' }], issues, {
        kind: 'task-end',
        cancelled: true
      })
    default:
      return readCall(type, message, issues, at)
  }
}

function readCall(type: string, message: JsonObject, issues: readonly IssueDraft[], at: LinePosition): ExecDecoded {
  const call = callIn(type, message)
  if (call === null) {
    return withoutEvents(type === '' || silentMessages.has(type) ? issues : [...issues, unknownMessage])
  }
  const toolId = stringAt(message, 'call_id') || lineId(at.line)
  const phase = call.outcome === null ? 'started' : 'completed'
  return toolCall({ ...call, toolId, phase, path: '$.msg' }, issues, null)
}

/** The call that a message is about, with its outcome at its end; null for other messages. */
function callIn(type: string, message: JsonObject): Pick<ToolCall, 'toolName' | 'input' | 'outcome'> | null {
  switch (type) {
    case 'exec_command_begin':
      return { toolName: 'command_execution', input: commandInput(message), outcome: null }
    case 'exec_command_end': {
      const outcome = commandEnd(commandOutput(message), message['exit_code'], undefined)
      return { toolName: 'command_execution', input: {}, outcome: { ...outcome, took: durationOf(message) } }
    }
    case 'patch_apply_begin':
      return { toolName: 'file_change', input: changesInput(message), outcome: null }
    case 'patch_apply_end':
      return { toolName: 'file_change', input: {}, outcome: patchEnd(message) }
    case 'mcp_tool_call_begin':
    case 'mcp_tool_call_end': {
      const invocation = objectAt(message, 'invocation') ?? {}
      const outcome = type === 'mcp_tool_call_end' ? mcpOutcome(message) : null
      return { toolName: serverTool(invocation), input: argumentsOf(invocation['arguments']), outcome }
    }
    case 'web_search_begin':
      return { toolName: 'web_search', input: {}, outcome: null }
    case 'web_search_end': {
      const query = stringAt(message, 'query') ?? ''
      return { toolName: 'web_search', input: { query }, outcome: { text: query, failed: false } }
    }
    default:
      return null
  }
}

const unknownMessage: IssueDraft = { code: 'UnknownSubtype', path: '$.msg.type', message: 'unknown message type' }

function say(
  message: JsonObject,
  key: 'message' | 'text' | 'summary',
  role: 'assistant' | 'system',
  category: string,
  issues: readonly IssueDraft[]
): ExecDecoded {
  const text = stringAt(message, key)
  return text === undefined || text === ''
    ? withoutEvents(issues)
    : withEvents([{ type: 'text', text, role, category }], issues)
}

/** A typed text, or context in the user's name. */
function readUserMessage(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  const text = stringAt(message, 'message')
  if (text === undefined || text === '' || (stringAt(message, 'kind') ?? 'plain') !== 'plain')
    return withoutEvents(issues)
  const draft: EventDraft = { type: 'text', text, role: 'user', category: 'user-message' }
  return withStep([draft], issues, { kind: 'prompt-again', hash: textHash(text) })
}

function readError(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  const text = stringAt(message, 'message')
  if (text === undefined || text === '') return withoutEvents(issues)
  return withStep([errorDraft(text)], issues, { kind: 'error', hash: textHash(text) })
}

function readPlan(message: JsonObject, issues: readonly IssueDraft[], at: LinePosition): ExecDecoded {
  const items = planItems(message['plan'])
  return items === null
    ? withoutEvents(issues)
    : withEvents([{ type: 'todo_list', todoId: lineId(at.line), items }], issues)
}

function readTokenCount(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  // Older messages have the numbers themselves.
  const total = objectAt(objectAt(message, 'info') ?? {}, 'total_token_usage') ?? message
  const totals = tokenCounts(total)
  return Object.keys(totals).length === 0 ? withoutEvents(issues) : withStep([], issues, { kind: 'totals', totals })
}

function commandInput(message: JsonObject): JsonObject {
  const command = arrayAt(message, 'command') ?? stringAt(message, 'command')
  const cwd = stringAt(message, 'cwd')
  if (command === undefined) return {}
  return cwd === undefined ? { command } : { command, cwd }
}

/** The error text of a refused call may be empty; that of a failed one is not. */
function mcpOutcome(message: JsonObject): Outcome {
  const result = objectAt(message, 'result') ?? {}
  const { text, failed } = mcpEnd(result)
  const isUnexplained = failed && text === '' && typeof result['Err'] !== 'string'
  return { text: isUnexplained ? 'failed' : text, failed, took: durationOf(message) }
}

/** The command's output, interleaved if the log has it so. */
function commandOutput(message: JsonObject): string {
  const together = stringAt(message, 'aggregated_output') ?? stringAt(message, 'formatted_output')
  return together ?? `${stringAt(message, 'stdout') ?? ''}${stringAt(message, 'stderr') ?? ''}`
}

function patchEnd(message: JsonObject): Outcome {
  const stdout = stringAt(message, 'stdout') ?? ''
  const stderr = stringAt(message, 'stderr') ?? ''
  if (message['success'] !== false) return { text: stdout, failed: false }
  return { text: stderr || stdout || 'failed', failed: true }
}
