import type { Decision } from '../../dialogue/permission-text.ts'
import { toolSummary } from '../../index/tool-summary.ts'
import { arrayAt, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { Text } from '../../events/agent-event.ts'
import type { IssueDraft } from '../issue.ts'
import { callInput } from '../json-depth.ts'
import { type EventDraft, lineId } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { statedDuration } from '../stated-amounts.ts'
import { toolCompleted } from '../tool-completed.ts'
import { emitAll, type Meaning, nothing, step, type ToolStep } from './app-server-decoded.ts'
import { anyItem, itemSchemas } from './app-server-required.ts'
import { collabTool, type ItemTool, itemTools } from './item-tools.ts'
import { promptOfTurnItem } from './user-prompt.ts'

/** Reads `item/started` or `item/completed`: docs/formats/codex-app-server.md#items. */
export function readItem(record: JsonObject, item: JsonObject, isCompleted: boolean, line: number): Meaning {
  const type = stringAt(item, 'type') ?? ''
  const issues = itemIssues(record, type)
  const id = stringAt(item, 'id') || lineId(line)
  const tool = itemTools.get(type)
  if (tool !== undefined) return readCall(tool, item, id, isCompleted, issues)
  if (type === 'subAgentActivity') {
    const thread = stringAt(item, 'agentThreadId')
    return thread === undefined ? nothing(issues) : step({ kind: 'link', callId: id, thread }, [], issues)
  }
  if (!isCompleted) return nothing(issues)
  if (type === 'contextCompaction') {
    return step({ kind: 'compacted' }, [text('Conversation compacted', 'system', 'status')], issues)
  }
  const drafts = textDrafts(type, item)
  if (spoken.has(type)) return step({ kind: 'text', itemId: id }, drafts, issues)
  return drafts.length === 0 ? nothing(issues) : step(emitAll, drafts, issues)
}

function itemIssues(record: JsonObject, type: string): readonly IssueDraft[] {
  const schema = itemSchemas.get(type)
  const issues = requiredIssues(schema ?? anyItem, record)
  if (schema !== undefined || issues.length > 0) return issues
  return [{ code: 'UnknownSubtype', path: '$.params.item.type', message: 'unknown item type' }]
}

function readCall(
  tool: ItemTool,
  item: JsonObject,
  toolId: string,
  isCompleted: boolean,
  issues: readonly IssueDraft[]
): Meaning {
  const found = [...issues]
  const input = callInput(tool.input(item), '$.params.item', found)
  const toolName = tool.name(item)
  const drafts: EventDraft[] = [{ type: 'tool.started', toolName, toolId, input }]
  if (isCompleted) {
    const { failed, text: said } = tool.outcome(item)
    // The length of a pause is no measure of it.
    const took = item['type'] === 'sleep' ? undefined : statedDuration(item['durationMs'])
    drafts.push(toolCompleted(toolId, failed, said, took))
  }
  const call: ToolStep = {
    kind: 'tool',
    id: toolId,
    about: askedAbout.has(item['type']) ? words(input) : undefined,
    decision: decisionIn(item),
    spawns: item['type'] === 'collabAgentToolCall' ? spawnedBy(item) : undefined
  }
  return step(call, drafts, found)
}

/** A request for an approval does not say which files, and in older versions not which command. */
const askedAbout: ReadonlySet<unknown> = new Set(['commandExecution', 'fileChange'])

/** A call fails if its ask was answered by an error, as it does if it was allowed. */
function decisionIn({ status, exitCode }: JsonObject): Decision {
  if (status === 'declined') return { kind: 'refused', message: '' }
  const ran = status === 'completed' || typeof exitCode === 'number'
  return ran ? { kind: 'allowed', scope: 'unsaid' } : { kind: 'answered', text: '' }
}

function words(input: JsonObject): string {
  const { text: first, detail } = toolSummary(input)
  return detail === '' ? first : `${first} ${detail}`
}

/** Threads that a call started; undefined if it starts none. */
function spawnedBy(item: JsonObject): readonly string[] | undefined {
  if (collabTool(item) !== 'spawn_agent') return undefined
  return (arrayAt(item, 'receiverThreadIds') ?? []).filter((thread): thread is string => typeof thread === 'string')
}

/** Items whose text comes in pieces before. */
const spoken: ReadonlySet<string> = new Set(['agentMessage', 'reasoning', 'plan'])

function textDrafts(type: string, item: JsonObject): readonly EventDraft[] {
  switch (type) {
    case 'userMessage':
      return texts([promptOfTurnItem(item['content'])], 'user', 'user-message')
    case 'agentMessage':
      return texts([stringAt(item, 'text')], 'assistant', 'assistant-message')
    case 'plan':
      // Markdown of plan mode, no todos.
      return texts([stringAt(item, 'text')], 'assistant', 'status')
    case 'reasoning': {
      const summary = arrayAt(item, 'summary') ?? []
      const thoughts = summary.length > 0 ? summary : (arrayAt(item, 'content') ?? [])
      return texts(thoughts, 'assistant', 'reasoning')
    }
    case 'hookPrompt':
      return texts(
        (arrayAt(item, 'fragments') ?? []).map((part) => stringAt(objectAt({ part }, 'part') ?? {}, 'text')),
        'system',
        'status'
      )
    case 'enteredReviewMode':
    case 'exitedReviewMode':
      return texts([stringAt(item, 'review')], 'system', 'status')
    default:
      return []
  }
}

function texts(given: readonly unknown[], role: NonNullable<Text['role']>, category: string): readonly EventDraft[] {
  return given.flatMap((one) => (typeof one === 'string' && one !== '' ? [text(one, role, category)] : []))
}

function text(said: string, role: NonNullable<Text['role']>, category: string): Text {
  return { type: 'text', text: said, role, category }
}
