import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import { mcpResultFailed, mcpResultText } from './mcp-result.ts'
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
import { silentTurnItems } from './rollout-contract.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'
import { addAnswer, addCompacted, addPrompt, addThought } from './rollout-texts.ts'
import { textsIn } from './tool-output.ts'
import { promptOfTurnItem } from './user-prompt.ts'

type ItemReader = (out: RolloutBuilder, item: JsonObject) => void

/** Reads an item of a turn: docs/formats/codex-rollout.md#items-of-turns-replace-events. */
export function readTurnItem(out: RolloutBuilder, item: JsonObject): void {
  const type = stringAt(item, 'type') ?? ''
  const read = readers.get(type)
  if (read !== undefined) read(out, item)
  else if (type !== '' && !silentTurnItems.has(type)) {
    out.notice('UnknownSubtype', `${out.path}.item.type`, 'unknown turn item')
  }
}

/** By `type`. */
const readers: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ['UserMessage', (out, item) => addPrompt(out, promptOfTurnItem(item['content']))],
  ['AgentMessage', (out, item) => addAnswer(out, textsIn(item, 'content').join('\n'))],
  ['Reasoning', readReasoning],
  // Markdown of plan mode, no todos.
  ['Plan', (out, item) => out.status(stringAt(item, 'text') ?? '')],
  ['ContextCompaction', (out) => addCompacted(out, '', true)],
  ['SubAgentActivity', (out, item) => linkThread(out, stringAt(item, 'id'), stringAt(item, 'agent_thread_id'))],
  ['CommandExecution', readCommand],
  ['FileChange', readFileChange],
  ['McpToolCall', readServerCall],
  ['WebSearch', (out, item) => addSearch(out, item)],
  ['ImageGeneration', readImage],
  ['Extension', readExtension]
])

function readReasoning(out: RolloutBuilder, item: JsonObject): void {
  for (const text of textsIn(item, 'summary_text')) addThought(out, text, 'event')
  for (const text of textsIn(item, 'raw_content')) addThought(out, text, 'event')
}

function readCommand(out: RolloutBuilder, item: JsonObject): void {
  const text = stringAt(item, 'aggregated_output') ?? ''
  addCompletedCall(out, item, 'exec_command', { command: commandOf(item) }, text, commandFailed(item))
}

function readFileChange(out: RolloutBuilder, item: JsonObject): void {
  const failed = item['status'] === 'failed' || item['status'] === 'declined'
  const text = (failed ? stringAt(item, 'stderr') : undefined) || stringAt(item, 'stdout') || ''
  addCompletedCall(out, item, 'apply_patch', changesOf(out, item), text, failed)
}

function readServerCall(out: RolloutBuilder, item: JsonObject): void {
  const result = objectAt(item, 'result') ?? {}
  const error = objectAt(item, 'error')
  const refused = stringAt(item, 'error') ?? (error === undefined ? undefined : (stringAt(error, 'message') ?? ''))
  const failed = refused !== undefined || item['status'] === 'failed' || mcpResultFailed(result)
  const text = refused ?? mcpResultText(result)
  addCompletedCall(out, item, mcpToolName(item), inputAt(out, item, 'arguments'), text, failed)
}

function readImage(out: RolloutBuilder, item: JsonObject): void {
  const hosted = hostedCall(item, 'image_generation', 'event')
  addCompletedCall(out, item, 'image_generation', imagePrompt(item), '', false, hosted)
}

function readExtension(out: RolloutBuilder, item: JsonObject): void {
  const name = stringAt(item, 'kind') ?? 'extension'
  addCompletedCall(out, item, name, extensionInput(out, item), extensionText(item), false)
}

/** A tool of an extension, so far only searches with `query` and `action`. */
function extensionInput(out: RolloutBuilder, item: JsonObject): JsonObject {
  const query = stringAt(item, 'query')
  const action = inputAt(out, item, 'action')
  return query === undefined ? { action } : { query, action }
}

/** Titles and addresses of the results. */
function extensionText(item: JsonObject): string {
  const lines: string[] = []
  for (const result of arrayAt(item, 'results') ?? []) {
    if (!isJsonObject(result)) continue
    const words = [stringAt(result, 'title'), stringAt(result, 'url')].filter((word) => word !== undefined)
    if (words.length > 0) lines.push(words.join(' '))
  }
  return lines.join('\n')
}
