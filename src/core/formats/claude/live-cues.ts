import { arrayAt, isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { LiveCue } from '../live-cue.ts'
import { offerOf } from './dialogue.ts'
import { statedTodos, taskCall } from './todo-tools.ts'

const nothing: readonly LiveCue[] = []

/** The live cues of a stream-json record. */
export function claudeLiveCues(record: JsonObject): readonly LiveCue[] {
  switch (record['type']) {
    case 'stream_event':
      return partial(record, objectAt(record, 'event') ?? {})
    case 'assistant':
      return assistant(objectAt(record, 'message') ?? {})
    case 'user':
      return answers(record)
    case 'system':
      return system(record)
    case 'tool_progress':
      return progress(record)
    case 'control_request':
      return request(record, objectAt(record, 'request') ?? {})
    case 'result':
      return denials(record)
    default:
      return nothing
  }
}

/** A block may start with text. */
function partial(record: JsonObject, event: JsonObject): readonly LiveCue[] {
  const trackId = stringAt(record, 'parent_tool_use_id')
  if (event['type'] !== 'content_block_start' && event['type'] !== 'content_block_delta') return nothing
  const block = objectAt(event, 'content_block') ?? objectAt(event, 'delta') ?? {}
  const isText = block['type'] === 'text' || block['type'] === 'text_delta'
  const text = isText ? stringAt(block, 'text') : undefined
  return text === undefined || text === '' ? nothing : [{ kind: 'piece', trackId, text }]
}

function assistant(message: JsonObject): readonly LiveCue[] {
  const cues: LiveCue[] = []
  for (const block of arrayAt(message, 'content') ?? []) {
    if (!isJsonObject(block) || block['type'] !== 'tool_use') continue
    const toolId = stringAt(block, 'id')
    const name = stringAt(block, 'name')
    if (toolId === undefined || name === undefined) continue
    const input = objectAt(block, 'input') ?? {}
    if (name === 'TodoWrite') cues.push({ kind: 'todo-call', toolId, todos: statedTodos(input['todos']) })
    const tool = taskCall(name, input)?.tool
    if (tool !== 'TaskCreate' && tool !== 'TaskUpdate') continue
    cues.push({ kind: 'todo-call', toolId, todos: null })
    const [content, form] = [stringAt(input, 'subject'), stringAt(input, 'activeForm')]
    if (content !== undefined && form !== undefined) cues.push({ kind: 'active-form', content, form })
  }
  return cues
}

/** The result of TodoWrite has the list as the tool accepted it. */
function answers(record: JsonObject): readonly LiveCue[] {
  const answer = objectAt(record, 'tool_use_result')
  if (answer === undefined || !Array.isArray(answer['oldTodos'])) return nothing
  const todos = statedTodos(answer['newTodos'])
  const blocks = arrayAt(objectAt(record, 'message') ?? {}, 'content') ?? []
  const results = blocks.filter((block) => isJsonObject(block) && block['type'] === 'tool_result')
  const [only] = results
  const toolId = results.length === 1 && isJsonObject(only) ? stringAt(only, 'tool_use_id') : undefined
  return toolId === undefined || todos === null ? nothing : [{ kind: 'todo-call', toolId, todos }]
}

function system(record: JsonObject): readonly LiveCue[] {
  const mode = stringAt(record, 'permissionMode')
  if (mode !== undefined) return [{ kind: 'mode', mode }]
  if (record['subtype'] !== 'permission_denied') return nothing
  return [
    {
      kind: 'permission',
      toolId: stringAt(record, 'tool_use_id'),
      toolName: stringAt(record, 'tool_name'),
      input: objectAt(record, 'tool_input'),
      message: stringAt(record, 'message'),
      denied: true
    }
  ]
}

/** Older versions report denials only here. */
function denials(record: JsonObject): readonly LiveCue[] {
  return (arrayAt(record, 'permission_denials') ?? []).filter(isJsonObject).map((denial) => ({
    kind: 'permission',
    toolId: stringAt(denial, 'tool_use_id'),
    toolName: stringAt(denial, 'tool_name'),
    input: objectAt(denial, 'tool_input'),
    denied: true
  }))
}

function progress(record: JsonObject): readonly LiveCue[] {
  const toolId = stringAt(record, 'tool_use_id')
  const seconds = numberAt(record, 'elapsed_time_seconds')
  if (toolId === undefined || seconds === undefined) return nothing
  const trackId = stringAt(record, 'parent_tool_use_id')
  const toolName = stringAt(record, 'tool_name')
  return [{ kind: 'tool-progress', toolId, toolName, trackId, elapsedMs: seconds * 1000 }]
}

function request(record: JsonObject, asked: JsonObject): readonly LiveCue[] {
  if (asked['subtype'] !== 'can_use_tool') return nothing
  return [
    {
      kind: 'permission',
      requestId: stringAt(record, 'request_id'),
      toolId: stringAt(asked, 'tool_use_id'),
      toolName: stringAt(asked, 'tool_name'),
      input: objectAt(asked, 'input'),
      message: stringAt(asked, 'decision_reason') ?? stringAt(asked, 'description'),
      denied: false,
      ...offerOf(asked)
    }
  ]
}
