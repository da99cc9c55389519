import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, jsonTypeName, objectAt, stringAt } from '../../json.ts'
import { isTooDeep, tooDeepIssue } from '../json-depth.ts'
import { type EventDraft, lineId } from '../log-format.ts'
import { contentText, leadingText, mediaPlaceholder, serverToolError } from './content-text.ts'
import type { DecodedBuilder, SaidMessage, SpokenBlock } from './decoded.ts'
import { statedDuration } from '../stated-duration.ts'
import { textHash } from '../text-hash.ts'
import { taskAnswer, taskCall, todoItems } from './todo-tools.ts'
import { userTextDraft, userVoice, type UserFlags } from './user-text.ts'

/** Where a message stands: its line names calls that have no id, its path names what is wrong in it. */
export interface MessagePlace {
  readonly line: number
  /** JSON path of the message, e.g. `$.message`. */
  readonly path: string
}

/** How the text of an assistant message is to be taken: docs/formats/claude-stream-json.md#an-error-may-look-like-an-answer. */
export type AssistantVoice =
  | { readonly kind: 'model' }
  /** `<synthetic>` without an error: the harness speaks. */
  | { readonly kind: 'notice' }
  | { readonly kind: 'error'; readonly code: string | undefined }

/** Reads the content of an assistant message and gives the blocks that may have been streamed before. */
function readAssistantMessage(
  out: DecodedBuilder,
  message: JsonObject,
  voice: AssistantVoice,
  place: MessagePlace
): readonly SpokenBlock[] {
  const content = message['content']
  if (typeof content === 'string') {
    sayAssistantText(out, content, voice)
    return ['text']
  }
  const spoken: SpokenBlock[] = []
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
      else if (text !== '') sayAssistantText(out, text, voice)
      return
    }
    case 'thinking': {
      const text = stringAt(block, 'thinking')
      if (text !== undefined && text !== '') out.say({ type: 'text', text, role: 'assistant', category: 'reasoning' })
      return
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readToolUse(out, block, place, index)
    case 'tool_result':
      // Claude Code says it as the user; other writers of this format do not.
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

function sayAssistantText(out: DecodedBuilder, text: string, voice: AssistantVoice): void {
  if (voice.kind === 'model') out.say({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
  else if (voice.kind === 'notice') out.say({ type: 'text', text, role: 'system', category: 'status' })
  else out.say({ type: 'error', error: text, ...(voice.code === undefined ? undefined : { code: voice.code }) })
}

/** A tool call: of a todo tool (docs/formats/claude-stream-json.md#todo-tools), of a subagent, or of any other. */
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
  if (!isTooDeep(input)) return input
  out.issues.push(tooDeepIssue(`${place.path}.input`))
  return {}
}

/** A server tool answers inside the assistant message, as an object with an error code or as a list. */
function serverToolResult(out: DecodedBuilder, block: JsonObject): void {
  const toolId = stringAt(block, 'tool_use_id') ?? ''
  const error = serverToolError(block['content'])
  const text = contentText(block['content'])
  const failed = error !== undefined || block['is_error'] === true
  out.say(
    failed ? { type: 'tool.completed', toolId, error: error ?? text } : { type: 'tool.completed', toolId, output: text }
  )
}

/** How a user record is read: its flags, the tool's structured answer, and whether pictures are shown as text. */
export interface UserRecord extends UserFlags {
  /** `tool_use_result` or `toolUseResult`: belongs to the record's only tool result. */
  readonly structured: JsonValue | undefined
  readonly showsMedia: boolean
}

/** Reads the content of a user message: tool results, and text of the user or of the harness. */
export function readUserMessage(
  out: DecodedBuilder,
  message: JsonObject,
  record: UserRecord,
  place: MessagePlace
): void {
  const content = message['content']
  if (typeof content === 'string') {
    return sayUserText(out, content, record, false)
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
        else if (text !== '') sayUserText(out, text, record, results > 0)
        break
      }
      case 'image':
      case 'document':
        if (record.showsMedia) sayUserText(out, mediaPlaceholder(block), record, results > 0)
        break
      default:
        unknownBlock(out, `${path}.type`, block['type'])
    }
  }
}

/** A slash command is a prompt as well. Text that stands beside a tool result is an addition to it: no new turn. */
function sayUserText(out: DecodedBuilder, text: string, flags: UserFlags, besideResult: boolean): void {
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
  const draft: EventDraft = isError
    ? { type: 'tool.completed', toolId, error: text }
    : { type: 'tool.completed', toolId, output: text }
  // Assigned, not spread: a spread costs ten times as much.
  const took = twin === undefined ? undefined : durationOf(twin)
  const body = out.draft(took === undefined ? draft : Object.assign(draft, took))
  const leading = leadingText(block['content'])
  const tasks = taskAnswer(leading, twin)
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

/** How long the tool says it took: searches in seconds, subagents in all, other tools in ms. */
function durationOf(twin: JsonObject): ReturnType<typeof statedDuration> {
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
  out.unknownBlock(path, `unexpected content in a message: found ${what}`)
}

/** An assistant message, as the fold needs to know it. Its content is read into `out`. `lineBytes`: of its line. */
export function readAssistant(
  out: DecodedBuilder,
  record: JsonObject,
  message: JsonObject,
  place: MessagePlace,
  lineBytes: number
): SaidMessage {
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
    requestId: stringAt(record, 'requestId'),
    written: usage === undefined ? undefined : writtenBeyond(usage, message, lineBytes),
    blocks
  }
}

/** What stands on a line beside its message takes more than this. */
const leastEnvelope = 500

/**
 * The characters that the model wrote on this line, where the line is long enough for more of them than the stated output allows. Only then
 * they have to be read: of most lines an index has the texts cut.
 */
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

/** The uuids of earlier lines that a record takes back: docs/formats/claude-stream-json.md#retracted-lines-are-marked. */
export function retractedBy(record: JsonObject): readonly string[] {
  const uuids =
    arrayAt(record, 'supersedes') ??
    arrayAt(record, 'retracted_message_uuids') ??
    arrayAt(record, 'retractedMessageUuids')
  return uuids?.filter((uuid): uuid is string => typeof uuid === 'string') ?? nothingRetracted
}

/** How the text of an assistant record is to be taken. `code` is the record's own error, `status` the API's. */
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
