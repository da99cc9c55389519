import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, objectAt, stringAt } from '../../json.ts'
import type { StatedDuration } from '../stated-amounts.ts'
import { mcpResultFailed, mcpResultText } from './mcp-result.ts'

/** The end of a call: its output or error. */
export interface Outcome {
  readonly text: string
  readonly failed: boolean
  readonly took?: StatedDuration | undefined
}

/** Reads the item of a tool call; missing members are omitted. */
export interface ItemTool {
  name(item: JsonObject): string
  input(item: JsonObject): JsonObject
  outcome(item: JsonObject): Outcome
}

const command: ItemTool = { name: () => 'command_execution', input: commandInput, outcome: commandOutcome }
const fileChange: ItemTool = { name: () => 'file_change', input: changesInput, outcome: fileChangeOutcome }
const serverCall: ItemTool = {
  name: serverTool,
  input: ({ arguments: given }) => argumentsOf(given),
  outcome: mcpOutcome
}
const collaboration: ItemTool = { name: collabTool, input: collabInput, outcome: collabOutcome }
const search: ItemTool = { name: () => 'web_search', input: searchInput, outcome: searchOutcome }

/**
 * By an item's type, as `codex exec` prints it and as `codex app-server` does:
 * docs/formats/codex-exec-json.md#items-that-are-calls, docs/formats/codex-app-server.md#items-that-are-calls.
 */
export const itemTools: ReadonlyMap<string, ItemTool> = new Map<string, ItemTool>([
  ['command_execution', command],
  ['file_change', fileChange],
  ['mcp_tool_call', serverCall],
  ['collab_tool_call', collaboration],
  ['web_search', search],
  ['commandExecution', command],
  ['fileChange', fileChange],
  ['mcpToolCall', serverCall],
  ['collabAgentToolCall', collaboration],
  ['webSearch', search],
  [
    'dynamicToolCall',
    { name: clientTool, input: ({ arguments: given }) => argumentsOf(given), outcome: clientOutcome }
  ],
  ['imageView', { name: () => 'view_image', input: ({ path }) => stated({ path }), outcome: noOutput }],
  ['imageGeneration', { name: () => 'image_generation', input: imageInput, outcome: noOutput }],
  ['sleep', { name: () => 'sleep', input: ({ durationMs }) => stated({ duration_ms: durationMs }), outcome: noOutput }]
])

function commandInput({ command }: JsonObject): JsonObject {
  return command === undefined || command === null ? {} : { command }
}

/** The files of a patch, in both forms of the log. */
export function changesInput({ changes }: JsonObject): JsonObject {
  return changes === undefined || changes === null ? {} : { changes }
}

/** `server.tool`. */
export function serverTool(call: JsonObject): string {
  const tool = stringAt(call, 'tool') || 'unknown tool'
  const server = stringAt(call, 'server')
  return server === undefined || server === '' ? tool : `${server}.${tool}`
}

/** The arguments of a server's tool: an object, or `{arguments}` for another value. */
export function argumentsOf(given: JsonValue | undefined): JsonObject {
  if (isJsonObject(given)) return given
  return given === undefined || given === null ? {} : { arguments: given }
}

/** The outcome of a command: its output, and whether the exit code is an error. */
export function commandEnd(output: string, exitCode: JsonValue | undefined, status: string | undefined): Outcome {
  const code = isFiniteNumber(exitCode) ? exitCode : 0
  const failed = code !== 0 || isFailure(status)
  if (!failed || output !== '') return { text: output, failed }
  return { text: code === 0 ? (status ?? 'failed') : `exit code ${code}`, failed }
}

function isFailure(status: string | undefined): boolean {
  return status === 'failed' || status === 'declined'
}

function commandOutcome(item: JsonObject): Outcome {
  const output = stringAt(item, 'aggregated_output') ?? stringAt(item, 'aggregatedOutput') ?? ''
  return commandEnd(output, item['exit_code'] ?? item['exitCode'], stringAt(item, 'status'))
}

function fileChangeOutcome(item: JsonObject): Outcome {
  const lines: string[] = []
  for (const change of arrayAt(item, 'changes') ?? []) {
    if (!isJsonObject(change)) continue
    const kind = stringAt(change, 'kind') ?? stringAt(objectAt(change, 'kind') ?? {}, 'type')
    lines.push(`${kind ?? 'change'} ${stringAt(change, 'path') ?? ''}`)
  }
  return { text: lines.join('\n'), failed: isFailure(stringAt(item, 'status')) }
}

function mcpOutcome(item: JsonObject): Outcome {
  const error = objectAt(item, 'error')
  const result = objectAt(item, 'result') ?? {}
  const status = stringAt(item, 'status')
  const failed = error !== undefined || isFailure(status) || mcpResultFailed(result)
  const text = (error === undefined ? undefined : stringAt(error, 'message')) ?? mcpResultText(result)
  return { text: failed && text === '' ? (status ?? 'failed') : text, failed }
}

/** `spawn_agent`, also where it is printed as `spawnAgent`. */
export function collabTool(item: JsonObject): string {
  const tool = stringAt(item, 'tool') || 'collab_tool_call'
  return tool.length > 100 ? tool : tool.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function collabInput(item: JsonObject): JsonObject {
  return stated({
    prompt: item['prompt'],
    receiver_thread_ids: item['receiver_thread_ids'] ?? item['receiverThreadIds'],
    sender_thread_id: item['sender_thread_id'] ?? item['senderThreadId']
  })
}

/** The members that have a value. */
function stated(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
}

/** Each agent's state on a line, followed by its last message. */
function collabOutcome(item: JsonObject): Outcome {
  const lines: string[] = []
  for (const [thread, state] of Object.entries(
    objectAt(item, 'agents_states') ?? objectAt(item, 'agentsStates') ?? {}
  )) {
    if (!isJsonObject(state)) continue
    const message = stringAt(state, 'message')
    lines.push(`${thread}: ${stringAt(state, 'status') ?? 'unknown'}${message ? `\n${message}` : ''}`)
  }
  const status = stringAt(item, 'status')
  const failed = isFailure(status)
  return { text: failed && lines.length === 0 ? (status ?? 'failed') : lines.join('\n'), failed }
}

function searchInput({ query, action }: JsonObject): JsonObject {
  return stated({ query, action })
}

/** The search, which may be unknown at the start. The log has no results. */
function searchOutcome(item: JsonObject): Outcome {
  const action = objectAt(item, 'action') ?? {}
  const queries = (arrayAt(action, 'queries') ?? []).filter((query): query is string => typeof query === 'string')
  const wanted = [...queries, stringAt(action, 'query'), stringAt(item, 'query')].filter((text) => text)
  const place = [stringAt(action, 'url'), stringAt(action, 'pattern')].filter((text) => text)
  const text = [...new Set([...wanted, ...place])].join('\n')
  return { text, failed: isFailure(stringAt(item, 'status')) }
}

/** A tool of the program that runs Codex: `namespace.tool`. */
function clientTool(item: JsonObject): string {
  const tool = stringAt(item, 'tool') || 'unknown tool'
  const namespace = stringAt(item, 'namespace')
  return namespace === undefined || namespace === '' ? tool : `${namespace}.${tool}`
}

function clientOutcome(item: JsonObject): Outcome {
  const status = stringAt(item, 'status')
  const failed = item['success'] === false || isFailure(status)
  const text = mcpResultText({ content: (arrayAt(item, 'contentItems') ?? []).map(contentPart) })
  return { text: failed && text === '' ? (status ?? 'failed') : text, failed }
}

/** `inputText` and `inputImage`, as a result of a server has them. */
function contentPart(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part
  if (part['type'] === 'inputText') return { type: 'text', text: part['text'] }
  return part['type'] === 'inputImage' ? { type: 'image' } : part
}

function imageInput({ revisedPrompt }: JsonObject): JsonObject {
  return stated({ prompt: revisedPrompt })
}

function noOutput(item: JsonObject): Outcome {
  const status = stringAt(item, 'status')
  return isFailure(status) ? { text: status ?? 'failed', failed: true } : { text: '', failed: false }
}
