import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, objectAt, stringAt } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { callInput } from '../json-depth.ts'
import type { EventDraft } from '../log-format.ts'
import type { StatedDuration } from '../stated-amounts.ts'
import { toolCompleted } from '../tool-completed.ts'
import { type ExecDecoded, type ItemPhase, withStep } from './exec-decoded.ts'
import { mcpResultFailed, mcpResultText } from './mcp-result.ts'

/** The end of a call: its output or error. */
export interface Outcome {
  readonly text: string
  readonly failed: boolean
  readonly took?: StatedDuration | undefined
}

export interface ToolCall {
  readonly toolId: string
  readonly toolName: string
  readonly input: JsonObject
  /** JSON path of the input's source. */
  readonly path: string
  readonly phase: ItemPhase
  /** Null before the end. */
  readonly outcome: Outcome | null
}

/** The record of a call: its start, in case no earlier record has it, and its end, if known. */
export function toolCall(call: ToolCall, issues: readonly IssueDraft[], itemNumber: number | null): ExecDecoded {
  const { toolId, toolName, input, path, phase, outcome } = call
  const step = { kind: 'tool', id: toolId, phase } as const
  const found = [...issues]
  const started: EventDraft = { type: 'tool.started', toolName, toolId, input: callInput(input, path, found) }
  if (outcome === null) return withStep([started], found, step, itemNumber)
  const completed = toolCompleted(toolId, outcome.failed, outcome.text, outcome.took)
  return withStep([started, completed], found, step, itemNumber)
}

/** Reads the item of a tool call; missing members are omitted. */
export interface ExecTool {
  name(item: JsonObject): string
  input(item: JsonObject): JsonObject
  outcome(item: JsonObject): Outcome
}

/** docs/formats/codex-exec-json.md#items-that-are-calls */
export const execTools: ReadonlyMap<string, ExecTool> = new Map<string, ExecTool>([
  ['command_execution', { name: () => 'command_execution', input: commandInput, outcome: commandOutcome }],
  ['file_change', { name: () => 'file_change', input: changesInput, outcome: fileChangeOutcome }],
  ['mcp_tool_call', { name: serverTool, input: ({ arguments: given }) => argumentsOf(given), outcome: mcpOutcome }],
  [
    'collab_tool_call',
    { name: (item) => stringAt(item, 'tool') || 'collab_tool_call', input: collabInput, outcome: collabOutcome }
  ],
  ['web_search', { name: () => 'web_search', input: searchInput, outcome: searchOutcome }]
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
  return commandEnd(stringAt(item, 'aggregated_output') ?? '', item['exit_code'], stringAt(item, 'status'))
}

function fileChangeOutcome(item: JsonObject): Outcome {
  const lines: string[] = []
  for (const change of arrayAt(item, 'changes') ?? []) {
    if (isJsonObject(change)) lines.push(`${stringAt(change, 'kind') ?? 'change'} ${stringAt(change, 'path') ?? ''}`)
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

function collabInput(item: JsonObject): JsonObject {
  return stated({
    prompt: item['prompt'],
    receiver_thread_ids: item['receiver_thread_ids'],
    sender_thread_id: item['sender_thread_id']
  })
}

/** The members that have a value. */
function stated(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
}

/** Each agent's state on a line, followed by its last message. */
function collabOutcome(item: JsonObject): Outcome {
  const lines: string[] = []
  for (const [thread, state] of Object.entries(objectAt(item, 'agents_states') ?? {})) {
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
