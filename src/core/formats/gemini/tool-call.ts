import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import { instantOf } from '../instant.ts'
import { callInput, jsonText } from '../json-depth.ts'
import { type EventDraft, lineId } from '../log-format.ts'
import type { CallState, ChatAnswer, ChatBuilder, ChatCall } from './chat-decoded.ts'
import { displayedTasks, trackerCall } from './tracker.ts'
import { isWriteTodos, statedTodos, writtenItems } from './write-todos.ts'

const noDraft = -1

/** A call's JSON path, and its index in the message. */
export interface CallPlace {
  readonly path: string
  readonly index: number
}

/**
 * Reads an element of `toolCalls` (docs/formats/gemini-chat.md#a-call-has-its-result-beside-it), or a `functionCall`
 * part, which has no result. The call of a todo tool has no `tool.started`, unless its result shows no list.
 */
export function readCall(out: ChatBuilder, call: JsonObject, { path, index }: CallPlace): ChatCall {
  const id = stringAt(call, 'id') || lineId(out.line, index)
  const toolName = stringAt(call, 'name') ?? 'unknown tool'
  const state = stateOf(out, call, path)
  const input = readArgs(out, call['args'], `${path}.args`)
  const displayed = displayedTasks(call['resultDisplay'])
  const todo = todoTool(toolName, input, state, displayed !== null)
  const items = todo === 'write' ? writtenItems(input) : todo === 'tracker' || isTracker(toolName) ? displayed : null
  const started = todo === null ? out.draft({ type: 'tool.started', toolName, toolId: id, input }) : noDraft
  const result = state === 'open' ? null : resultOf(call, id)
  return {
    id,
    toolName,
    started,
    completed: result === null ? noDraft : out.draft(completedDraft(id, result, state)),
    state,
    time: instantOf(call['timestamp']),
    todo,
    list: items === null ? null : { items, body: out.draft({ type: 'todo_list', todoId: id, items }) },
    stated: todo === 'write' && state === 'done' ? statedTodos(call['resultDisplay'], result?.output ?? '') : null,
    agentId: stringAt(call, 'agentId')
  }
}

function todoTool(name: string, input: JsonObject, state: CallState, displayed: boolean): ChatCall['todo'] {
  if (isWriteTodos(name)) return 'write'
  if (trackerCall(name, input) === null) return null
  return state === 'done' && !displayed ? null : 'tracker'
}

function isTracker(toolName: string): boolean {
  return toolName.startsWith('tracker_')
}

/** The tool's name in a `functionResponse`, in case it writes todos. */
function writeTodosName(name: string | undefined): string {
  return name !== undefined && isWriteTodos(name) ? name : 'write_todos'
}

function stateOf(out: ChatBuilder, call: JsonObject, path: string): CallState {
  switch (call['status']) {
    case 'success':
      return 'done'
    case 'error':
      return 'failed'
    case 'cancelled':
      return 'cancelled'
    case 'validating':
    case 'scheduled':
    case 'executing':
    case 'awaiting_approval':
    case undefined:
      return 'open'
    default:
      // The schema reports other types.
      if (typeof call['status'] === 'string') {
        out.issues.push({ code: 'UnknownSubtype', path: `${path}.status`, message: 'unknown status of a tool call' })
      }
      return Array.isArray(call['result']) ? 'done' : 'open'
  }
}

function readArgs(out: ChatBuilder, args: JsonValue | undefined, path: string): JsonObject {
  return isJsonObject(args) ? callInput(args, path, out.issues) : {}
}

/** A result; an error excludes an output. */
interface CallResult {
  readonly output: string
  readonly error: string | undefined
}

/** The result of call `id`. After the history was masked, `result` also has results of other calls. */
function resultOf(call: JsonObject, id: string): CallResult {
  const { result } = call
  const response = responseTo(result, id)
  if (response !== undefined) return readResponse(response)
  const display = stringAt(call, 'resultDisplay') ?? ''
  return { output: typeof result === 'string' ? result : textOfParts(result) || display, error: undefined }
}

/** The response to call `id` in a `result`. */
export function responseTo(result: JsonValue | undefined, id: string): JsonObject | undefined {
  const parts = Array.isArray(result) ? (result as readonly JsonValue[]) : [result]
  let only: JsonObject | undefined
  for (const part of parts) {
    const response = isJsonObject(part) ? objectAt(part, 'functionResponse') : undefined
    if (response === undefined) continue
    if (response['id'] === id) return response
    // Another id belongs to another call.
    if (response['id'] === undefined) only = response
  }
  return only
}

function readResponse(functionResponse: JsonObject): CallResult {
  const response = objectAt(functionResponse, 'response') ?? {}
  const { output, error } = response
  if (error !== undefined && error !== null) return { output: '', error: asText(error) }
  if (output !== undefined && output !== null) return { output: asText(output), error: undefined }
  return { output: Object.keys(response).length === 0 ? '' : asText(response), error: undefined }
}

function textOfParts(result: JsonValue | undefined): string {
  let text = ''
  for (const part of Array.isArray(result) ? (result as readonly JsonValue[]) : [result]) {
    if (typeof part === 'string') text += part
    else if (isJsonObject(part)) text += stringAt(part, 'text') ?? ''
  }
  return text
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value)
}

/** Reads a `functionResponse` part; null without an id. */
export function readAnswer(out: ChatBuilder, functionResponse: JsonObject): ChatAnswer | null {
  const id = stringAt(functionResponse, 'id') || undefined
  if (id === undefined) return null
  const { output, error } = readResponse(functionResponse)
  const completed = out.draft(completedDraft(id, { output, error }, 'done'))
  return { id, toolName: writeTodosName(stringAt(functionResponse, 'name')), failed: error !== undefined, completed }
}

function completedDraft(toolId: string, { output, error }: CallResult, state: CallState): EventDraft {
  if (error === undefined && state === 'done') return { type: 'tool.completed', toolId, output }
  const reason = output || (state === 'cancelled' ? 'cancelled' : 'failed; the log does not say why')
  return { type: 'tool.completed', toolId, error: error ?? reason }
}
