import { arrayAt, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { type EventDraft, lineId, type LinePosition } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { textHash } from '../text-hash.ts'
import { errorDraft } from './error-text.ts'
import { type ExecDecoded, noIssues, said, silent, stepped } from './exec-decoded.ts'
import { anyMessage, protoSchemas } from './exec-required.ts'
import { argumentsOf, changesInput, commandEnd, serverTool } from './exec-tools.ts'
import { mcpResultFailed, mcpResultText } from './mcp-result.ts'
import { planItems } from './plan-items.ts'
import { durationOf } from './rollout-calls.ts'
import { threadTime } from './thread-time.ts'
import { tokenCounts } from './token-counts.ts'
import { type Outcome, toolCall } from './tool-call.ts'

/** Messages that mean no event: pieces of what a later one says whole, questions to the user, and what a program asked for itself. */
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

/** The first line: how the agent was set up. */
export function isConfiguration(record: JsonObject): boolean {
  return (
    record['type'] === undefined &&
    stringAt(record, 'model') !== undefined &&
    stringAt(record, 'workdir') !== undefined &&
    stringAt(record, 'provider') !== undefined
  )
}

/** The configuration as the start of a session: there is no other in this form. */
export function readConfiguration(record: JsonObject): ExecDecoded {
  const model = stringAt(record, 'model') ?? ''
  const cwd = stringAt(record, 'workdir') ?? ''
  return stepped([{ type: 'session.started', model, cwd }], noIssues, { kind: 'session', threadId: undefined })
}

/** The second line: what was asked. */
export function readPrompt(prompt: string): ExecDecoded {
  const draft: EventDraft = { type: 'text', text: prompt, role: 'user', category: 'user-message' }
  return prompt === '' ? silent(noIssues) : stepped([draft], noIssues, { kind: 'prompt', hash: textHash(prompt) })
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
      return readSession(message, issues)
    case 'plan_update':
      return readPlan(message, issues, at)
    case 'token_count':
      return readTokenCount(message, issues)
    case 'task_started':
      return stepped([], issues, { kind: 'turn-start' })
    case 'task_complete':
      return stepped([{ type: 'turn.completed', finishReason: 'done' }], issues, { kind: 'task-end', cancelled: false })
    case 'turn_aborted':
      return stepped([{ type: 'turn.completed', finishReason: 'cancelled' }], issues, {
        kind: 'task-end',
        cancelled: true
      })
    default:
      return readCall(type, message, issues, at)
  }
}

function readCall(type: string, message: JsonObject, issues: readonly IssueDraft[], at: LinePosition): ExecDecoded {
  const id = stringAt(message, 'call_id') || lineId(at.line)
  switch (type) {
    case 'exec_command_begin':
      return begun(id, 'command_execution', commandInput(message), issues)
    case 'exec_command_end':
      return ended(
        id,
        'command_execution',
        {},
        { ...commandEnd(commandOutput(message), message['exit_code'], undefined), took: durationOf(message) },
        issues
      )
    case 'patch_apply_begin':
      return begun(id, 'file_change', changesInput(message), issues)
    case 'patch_apply_end':
      return ended(id, 'file_change', {}, patchEnd(message), issues)
    case 'mcp_tool_call_begin':
    case 'mcp_tool_call_end': {
      const invocation = objectAt(message, 'invocation') ?? {}
      const name = serverTool(invocation)
      const input = argumentsOf(invocation['arguments'])
      return type === 'mcp_tool_call_begin'
        ? begun(id, name, input, issues)
        : ended(id, name, input, { ...mcpEnd(objectAt(message, 'result') ?? {}), took: durationOf(message) }, issues)
    }
    case 'web_search_begin':
      return begun(id, 'web_search', {}, issues)
    case 'web_search_end': {
      const query = stringAt(message, 'query') ?? ''
      return ended(id, 'web_search', { query }, { text: query, failed: false }, issues)
    }
    default:
      return silent(type === '' || silentMessages.has(type) ? issues : [...issues, unknownMessage])
  }
}

const unknownMessage: IssueDraft = {
  code: 'UnknownSubtype',
  path: '$.msg.type',
  message: 'unknown message type'
}

function say(
  message: JsonObject,
  key: 'message' | 'text' | 'summary',
  role: 'assistant' | 'system',
  category: string,
  issues: readonly IssueDraft[]
): ExecDecoded {
  const text = stringAt(message, key)
  return text === undefined || text === '' ? silent(issues) : said([{ type: 'text', text, role, category }], issues)
}

/** What was typed, or what the agent puts before it in the user's name. */
function readUserMessage(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  const text = stringAt(message, 'message')
  if (text === undefined || text === '' || (stringAt(message, 'kind') ?? 'plain') !== 'plain') return silent(issues)
  const draft: EventDraft = { type: 'text', text, role: 'user', category: 'user-message' }
  return stepped([draft], issues, { kind: 'prompt-again', hash: textHash(text) })
}

function readError(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  const text = stringAt(message, 'message')
  if (text === undefined || text === '') return silent(issues)
  return stepped([errorDraft(text)], issues, { kind: 'error', hash: textHash(text) })
}

function readSession(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  const threadId = stringAt(message, 'session_id')
  const model = stringAt(message, 'model')
  return {
    drafts: [model === undefined ? { type: 'session.started' } : { type: 'session.started', model }],
    issues,
    time: threadId === undefined ? undefined : threadTime(threadId),
    step: { kind: 'session', threadId },
    itemNumber: null
  }
}

function readPlan(message: JsonObject, issues: readonly IssueDraft[], at: LinePosition): ExecDecoded {
  const items = planItems(message['plan'])
  return items === null ? silent(issues) : said([{ type: 'todo_list', todoId: lineId(at.line), items }], issues)
}

function readTokenCount(message: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  // Before the totals and those of the last request were told apart, the message itself had the numbers.
  const total = objectAt(objectAt(message, 'info') ?? {}, 'total_token_usage') ?? message
  const totals = tokenCounts(total)
  return Object.keys(totals).length === 0 ? silent(issues) : stepped([], issues, { kind: 'totals', totals })
}

function begun(toolId: string, toolName: string, input: JsonObject, issues: readonly IssueDraft[]): ExecDecoded {
  return toolCall({ toolId, toolName, input, path: '$.msg', phase: 'started', outcome: null }, issues, null)
}

/** The end of a call, and its start in case the log has none. */
function ended(
  toolId: string,
  toolName: string,
  input: JsonObject,
  outcome: Outcome,
  issues: readonly IssueDraft[]
): ExecDecoded {
  return toolCall({ toolId, toolName, input, path: '$.msg', phase: 'completed', outcome }, issues, null)
}

function commandInput(message: JsonObject): JsonObject {
  const command = arrayAt(message, 'command') ?? stringAt(message, 'command')
  const cwd = stringAt(message, 'cwd')
  if (command === undefined) return {}
  return cwd === undefined ? { command } : { command, cwd }
}

/** What the command wrote, in the order it was written where the log has that. */
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

/** `{Ok: …}` or `{Err: …}`. */
function mcpEnd(result: JsonObject): Outcome {
  const error = stringAt(result, 'Err')
  if (error !== undefined) return { text: error, failed: true }
  const answer = objectAt(result, 'Ok') ?? {}
  const failed = mcpResultFailed(answer)
  const text = mcpResultText(answer)
  return { text: failed && text === '' ? 'failed' : text, failed }
}
