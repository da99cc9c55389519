import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import { mcpResultFailed, mcpResultText } from './mcp-result.ts'
import { changesOf, commandFailed, commandOf, inputAt, linkThread, mcpToolName, sayDone } from './rollout-calls.ts'
import { silentTurnItems } from './rollout-contract.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'
import { sayAnswer, sayCompacted, sayThought } from './rollout-texts.ts'
import { textsIn } from './tool-output.ts'
import { promptOfTurnItem } from './user-prompt.ts'

/** Reads an item of a turn: docs/formats/codex-rollout.md#items-of-turns-replace-events. */
export function readTurnItem(out: RolloutBuilder, item: JsonObject): void {
  const type = stringAt(item, 'type') ?? ''
  switch (type) {
    case 'UserMessage': {
      const text = promptOfTurnItem(item['content'])
      const body = text === undefined ? -1 : out.draft({ type: 'text', text, role: 'user', category: 'user-message' })
      out.steps.push({ kind: 'prompt', body })
      return
    }
    case 'AgentMessage':
      return sayAnswer(out, textsIn(item, 'content').join('\n'))
    case 'Reasoning':
      for (const text of textsIn(item, 'summary_text')) sayThought(out, text, 'event')
      for (const text of textsIn(item, 'raw_content')) sayThought(out, text, 'event')
      return
    case 'Plan':
      // What plan mode proposes: markdown, no todos.
      return out.status(stringAt(item, 'text') ?? '')
    case 'ContextCompaction':
      return sayCompacted(out, '', true)
    case 'SubAgentActivity':
      return linkThread(out, stringAt(item, 'id'), stringAt(item, 'agent_thread_id'))
    default:
      if (!readToolItem(out, item, type) && type !== '' && !silentTurnItems.has(type)) {
        out.notice('UnknownSubtype', `${out.path}.item.type`, 'unknown turn item')
      }
  }
}

/** What a tool did; false where the item is of no tool. */
function readToolItem(out: RolloutBuilder, item: JsonObject, type: string): boolean {
  switch (type) {
    case 'CommandExecution': {
      const text = stringAt(item, 'aggregated_output') ?? ''
      sayDone(out, item, 'exec_command', { command: commandOf(item) }, text, commandFailed(item))
      return true
    }
    case 'FileChange': {
      const failed = item['status'] === 'failed' || item['status'] === 'declined'
      const text = (failed ? stringAt(item, 'stderr') : undefined) || stringAt(item, 'stdout') || ''
      sayDone(out, item, 'apply_patch', changesOf(out, item), text, failed)
      return true
    }
    case 'McpToolCall': {
      const result = objectAt(item, 'result') ?? {}
      const error = objectAt(item, 'error')
      const refused = stringAt(item, 'error') ?? (error === undefined ? undefined : (stringAt(error, 'message') ?? ''))
      const failed = refused !== undefined || item['status'] === 'failed' || mcpResultFailed(result)
      const text = refused ?? mcpResultText(result)
      sayDone(out, item, mcpToolName(item), inputAt(out, item, 'arguments'), text, failed)
      return true
    }
    case 'WebSearch':
      sayDone(out, item, 'web_search', inputAt(out, item, 'action'), '', false)
      return true
    case 'ImageGeneration':
      sayDone(out, item, 'image_generation', { prompt: stringAt(item, 'revised_prompt') ?? '' }, '', false)
      return true
    case 'Extension':
      sayDone(out, item, stringAt(item, 'kind') ?? 'extension', extensionInput(out, item), extensionText(item), false)
      return true
    default:
      return false
  }
}

/** A tool of an extension, so far only searches: what was asked is in `query` and `action`. */
function extensionInput(out: RolloutBuilder, item: JsonObject): JsonObject {
  const query = stringAt(item, 'query')
  const action = inputAt(out, item, 'action')
  return query === undefined ? { action } : { query, action }
}

/** Titles and addresses of what was found. */
function extensionText(item: JsonObject): string {
  const lines: string[] = []
  for (const result of arrayAt(item, 'results') ?? []) {
    if (!isJsonObject(result)) continue
    const words = [stringAt(result, 'title'), stringAt(result, 'url')].filter((word) => word !== undefined)
    if (words.length > 0) lines.push(words.join(' '))
  }
  return lines.join('\n')
}
