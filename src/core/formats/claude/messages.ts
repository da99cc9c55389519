import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, jsonTypeName, objectAt, stated, stringAt } from '../../json.ts'
import { callInput, isTooDeep } from '../json-depth.ts'
import { lineId } from '../log-format.ts'
import { contentText, leadingText, mediaPlaceholder, serverToolError } from './content-text.ts'
import type { DecodedBuilder, MessageFacts, TextBlockKind } from './decoded.ts'
import { type StatedDuration, statedDuration } from '../stated-amounts.ts'
import { textHash } from '../text-hash.ts'
import { toolCompleted } from '../tool-completed.ts'
import { taskResult, taskCall, todoItems } from './todo-tools.ts'
import { userTextDraft, userVoice, type UserFlags } from './user-text.ts'

/** The position of a message: its line names calls without an id, its path names faults. */
export interface MessagePlace {
  readonly line: number
  /** JSON path of the message, e.g. `$.message`. */
  readonly path: string
}

/** How to read an assistant text: docs/formats/claude-stream-json.md#an-error-may-look-like-an-answer. */
export type AssistantVoice =
  | { readonly kind: 'model' }
  /** `<synthetic>` without an error: text of the harness. */
  | { readonly kind: 'notice' }
  | { readonly kind: 'error'; readonly code: string | undefined }

/** Reads an assistant message. Returns the blocks that may have been streamed before. */
function readAssistantMessage(
  out: DecodedBuilder,
  message: JsonObject,
  voice: AssistantVoice,
  place: MessagePlace
): readonly TextBlockKind[] {
  const content = message['content']
  if (typeof content === 'string') {
    addAssistantText(out, content, voice)
    return ['text']
  }
  const spoken: TextBlockKind[] = []
  for (const [index, block] of blocksOf(out, message, place).entries()) {
    const path = `${place.path}.content[${index}]`
    const type = isJsonObject(block) ? block['type'] : undefined
    if (type === 'text' || type === 'thinking') spoken.push(type)
    if (isJsonObject(block)) assistantBlock(out, block, voice, { line: place.line, path }, index)
    else unknownBlock(out, path, block)
  }
  return spoken
}

function assistantBlock(
  out: DecodedBuilder,
  block: JsonObject,
  voice: AssistantVoice,
  place: MessagePlace,
  index: number
): void {
  const type = stringAt(block, 'type') ?? ''
  switch (type) {
    case 'text': {
      const text = stringAt(block, 'text')
      if (text === undefined) unknownBlock(out, `${place.path}.text`, block['text'])
      else if (text !== '') addAssistantText(out, text, voice)
      return
    }
    case 'thinking': {
      const text = stringAt(block, 'thinking')
      if (text !== undefined && text !== '') out.event({ type: 'text', text, role: 'assistant', category: 'reasoning' })
      return
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readToolUse(out, block, place, index)
    case 'tool_result':
      // Other writers of this format; Claude Code has it in user records.
      return readToolResult(out, block, undefined, place, index)
    case 'redacted_thinking':
    case 'image':
    case 'document':
    case 'fallback':
    case 'container_upload':
    case 'connector_text':
      return
    default:
      if (type.endsWith('_tool_result') && typeof block['tool_use_id'] === 'string') serverToolResult(out, block)
      else unknownBlock(out, `${place.path}.type`, block['type'])
  }
}

function addAssistantText(out: DecodedBuilder, text: string, voice: AssistantVoice): void {
  if (voice.kind === 'model') out.event({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
  else if (voice.kind === 'notice') out.event({ type: 'text', text, role: 'system', category: 'status' })
  else out.event({ type: 'error', error: text, ...stated({ code: voice.code }) })
}

/** A tool call. */
export function readToolUse(out: DecodedBuilder, block: JsonObject, place: MessagePlace, index: number): void {
  const name = stringAt(block, 'name')
  if (name === undefined) unknownBlock(out, `${place.path}.name`, block['name'])
  const toolName = name ?? 'unknown tool'
  const toolId = stringAt(block, 'id') || lineId(place.line, index)
  const input = readInput(out, block['input'], place)
  if (toolName === 'TodoWrite') {
    const items = todoItems(input['todos'])
    const body = items === null ? -1 : out.draft({ type: 'todo_list', todoId: toolId, items })
    out.steps.push({ kind: 'todo-write', body, id: toolId, items })
    return
  }
  const call = taskCall(toolName, input)
  if (call?.tool === 'TaskCreate' || call?.tool === 'TaskUpdate') {
    out.steps.push({ kind: 'task-call', body: -1, id: toolId, call })
    return
  }
  const body = out.draft({ type: 'tool.started', toolName, toolId, input })
  if (call !== null) {
    out.steps.push({ kind: 'task-call', body, id: toolId, call })
  } else if (toolName === 'Task' || toolName === 'Agent') {
    const prompt = stringAt(input, 'prompt')
    const promptHash = prompt === undefined ? undefined : textHash(prompt)
    out.steps.push({ kind: 'agent-call', body, id: toolId, promptHash })
  } else {
    out.steps.push({ kind: 'event', body })
  }
}

function readInput(out: DecodedBuilder, input: JsonValue | undefined, place: MessagePlace): JsonObject {
  if (!isJsonObject(input)) {
    if (input !== undefined && input !== null) unknownBlock(out, `${place.path}.input`, input)
    return {}
  }
  return callInput(input, `${place.path}.input`, out.issues)
}

/** A server tool's result is in the assistant message: an object with an error code, or a list. */
function serverToolResult(out: DecodedBuilder, block: JsonObject): void {
  const toolId = stringAt(block, 'tool_use_id') ?? ''
  const error = serverToolError(block['content'])
  const text = contentText(block['content'])
  out.event(toolCompleted(toolId, error !== undefined || block['is_error'] === true, error ?? text))
}

/** The envelope of a user message. `showsMedia`: images appear as text. */
export interface UserRecord extends UserFlags {
  /** `tool_use_result` or `toolUseResult`, of the record's only result. */
  readonly structured: JsonValue | undefined
  readonly showsMedia: boolean
}

/** Reads a user message: results, and texts by the user or the harness. */
export function readUserMessage(
  out: DecodedBuilder,
  message: JsonObject,
  record: UserRecord,
  place: MessagePlace
): void {
  const content = message['content']
  if (typeof content === 'string') {
    return addUserText(out, content, record, false)
  }
  const blocks = blocksOf(out, message, place)
  const results = blocks.filter((block) => isJsonObject(block) && block['type'] === 'tool_result').length
  for (const [index, block] of blocks.entries()) {
    const path = `${place.path}.content[${index}]`
    if (!isJsonObject(block)) {
      unknownBlock(out, path, block)
      continue
    }
    switch (block['type']) {
      case 'tool_result':
        readToolResult(out, block, results === 1 ? record.structured : undefined, { line: place.line, path }, index)
        break
      case 'text': {
        const text = stringAt(block, 'text')
        if (text === undefined) unknownBlock(out, `${path}.text`, block['text'])
        else if (text !== '') addUserText(out, text, record, results > 0)
        break
      }
      case 'image':
      case 'document':
        if (record.showsMedia) addUserText(out, mediaPlaceholder(block), record, results > 0)
        break
      default:
        unknownBlock(out, `${path}.type`, block['type'])
    }
  }
}

/** A slash command is a prompt. Text beside a result starts no turn. */
function addUserText(out: DecodedBuilder, text: string, flags: UserFlags, besideResult: boolean): void {
  const voice = userVoice(text, flags)
  const body = out.draft(userTextDraft(text, voice))
  const prompts = (voice === 'prompt' || voice === 'command') && !besideResult
  if (voice === 'interrupt') out.steps.push({ kind: 'interrupt', body })
  else out.steps.push({ kind: prompts ? 'prompt' : 'event', body })
}

/** docs/formats/claude-stream-json.md#results-pair-with-calls-by-tool_use_id */
export function readToolResult(
  out: DecodedBuilder,
  block: JsonObject,
  structured: JsonValue | undefined,
  place: MessagePlace,
  index: number
): void {
  const stated = stringAt(block, 'tool_use_id')
  if (stated === undefined) unknownBlock(out, `${place.path}.tool_use_id`, block['tool_use_id'])
  const toolId = stated || lineId(place.line, index)
  const isError = block['is_error'] === true
  const text = contentText(block['content'])
  const twin = isJsonObject(structured) ? structured : undefined
  const body = out.draft(toolCompleted(toolId, isError, text, twin && durationOf(twin)))
  const leading = leadingText(block['content'])
  const tasks = taskResult(leading, twin)
  const newItems = twin !== undefined && Array.isArray(twin['oldTodos']) ? todoItems(twin['newTodos']) : null
  const newTodos =
    newItems === null
      ? null
      : { items: newItems, body: out.draft({ type: 'todo_list', todoId: toolId, items: newItems }) }
  out.steps.push({
    kind: 'result',
    body,
    id: toolId,
    rejected: isError || twin?.['success'] === false,
    newTodos,
    tasks,
    aboutTodos: newTodos !== null || tasks !== null || leading.startsWith('Todos have been modified'),
    agentId: twin === undefined ? undefined : stringAt(twin, 'agentId')
  })
}

/** The stated duration: seconds for searches, ms for others. */
function durationOf(twin: JsonObject): StatedDuration | undefined {
  return (
    statedDuration(twin['durationMs']) ??
    statedDuration(twin['totalDurationMs']) ??
    statedDuration(twin['durationSeconds'], 1000)
  )
}

function blocksOf(out: DecodedBuilder, message: JsonObject, place: MessagePlace): readonly JsonValue[] {
  const blocks = arrayAt(message, 'content')
  if (blocks !== undefined) return blocks
  unknownBlock(out, `${place.path}.content`, message['content'])
  return []
}

function unknownBlock(out: DecodedBuilder, path: string, found: JsonValue | undefined): void {
  const unknownType = path.endsWith('.type') && typeof found === 'string'
  const what = unknownType ? 'unknown type' : jsonTypeName(found)
  out.unknownPart(path, `unexpected content in a message: found ${what}`, 'blocks in this line')
}

/** Reads an assistant record. `lineBytes`: length of its line. */
export function readAssistant(
  out: DecodedBuilder,
  record: JsonObject,
  message: JsonObject,
  place: MessagePlace,
  lineBytes: number
): MessageFacts {
  const voice = assistantVoice(record, message)
  const blocks = readAssistantMessage(out, message, voice, place)
  const model = stringAt(message, 'model')
  const usage = objectAt(message, 'usage')
  return {
    id: stringAt(message, 'id'),
    stopReason: stringAt(message, 'stop_reason'),
    voice: voice.kind,
    model: model === '<synthetic>' ? undefined : model,
    usage,
    requestId: stringAt(record, 'requestId') ?? stringAt(record, 'request_id'),
    written: usage === undefined ? undefined : writtenBeyond(usage, message, lineBytes),
    blocks
  }
}

/** Minimum bytes of a line beside its message. */
const leastEnvelope = 500

/** Characters by the model, counted only on lines long enough to exceed the stated output. */
function writtenBeyond(
  { output_tokens: output }: JsonObject,
  message: JsonObject,
  lineBytes: number
): number | undefined {
  if (!isFiniteNumber(output) || output * 10 >= lineBytes - leastEnvelope) return undefined
  const content = message['content']
  if (typeof content === 'string') return content.length
  let written = 0
  for (const block of arrayAt(message, 'content') ?? []) {
    if (!isJsonObject(block)) continue
    written += (stringAt(block, 'text') ?? '').length + (stringAt(block, 'thinking') ?? '').length
    const { input } = block
    if (isJsonObject(input) && !isTooDeep(input)) written += JSON.stringify(input).length
  }
  return written
}

const nothingRetracted: readonly string[] = []

/** Uuids of earlier lines that a record retracts: docs/formats/claude-stream-json.md#retracted-lines-are-marked. */
export function retractedBy(record: JsonObject): readonly string[] {
  const uuids =
    arrayAt(record, 'supersedes') ??
    arrayAt(record, 'retracted_message_uuids') ??
    arrayAt(record, 'retractedMessageUuids')
  return uuids?.filter((uuid): uuid is string => typeof uuid === 'string') ?? nothingRetracted
}

/** How to read an assistant record. `code` is its own error, `status` the API's. */
function assistantVoice(record: JsonObject, message: JsonObject): AssistantVoice {
  const error = stringAt(record, 'error')
  const flagged = record['isApiErrorMessage'] === true || record['is_api_error_message'] === true
  if (error !== undefined || flagged) {
    const status = record['apiErrorStatus'] ?? record['api_error_status']
    return { kind: 'error', code: error ?? (typeof status === 'number' ? `api_error_${status}` : undefined) }
  }
  if (message['model'] !== '<synthetic>') return { kind: 'model' }
  return leadingText(message['content']).startsWith('API Error')
    ? { kind: 'error', code: undefined }
    : { kind: 'notice' }
}
