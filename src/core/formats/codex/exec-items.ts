import { isValidTodoItem, type TodoItem } from '../../events/todo.ts'
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { type EventDraft, lineId, type LinePosition } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { type ExecDecoded, type ItemPhase, withEvents, withoutEvents, withStep } from './exec-decoded.ts'
import { anyItem, itemSchemas } from './exec-required.ts'
import { toolCall } from './exec-call.ts'
import { itemTools } from './item-tools.ts'

/** Reads the record of an item: docs/formats/codex-exec-json.md#items. */
export function readItem(record: JsonObject, phase: ItemPhase, at: LinePosition): ExecDecoded {
  const item = objectAt(record, 'item') ?? {}
  // `item_type` in builds of September and October 2025.
  const type = stringAt(item, 'type') ?? stringAt(item, 'item_type')
  const issues = itemIssues(record, type, item)
  const id = stringAt(item, 'id') || lineId(at.line)
  const number = itemNumber(id)
  const tool = itemTools.get(type ?? '')
  if (tool !== undefined) {
    const outcome = phase === 'completed' ? tool.outcome(item) : null
    const call = { toolId: id, toolName: tool.name(item), input: tool.input(item), path: '$.item', phase, outcome }
    return toolCall(call, issues, number)
  }
  if (type === 'todo_list') return readTodoList(item, id, phase, issues, number)
  const draft = phase === 'completed' ? textDraft(item, type) : undefined
  return draft === undefined ? withoutEvents(issues, number) : withEvents([draft], issues, number)
}

function itemIssues(record: JsonObject, type: string | undefined, item: JsonObject): readonly IssueDraft[] {
  const schema = itemSchemas.get(type ?? '')
  const issues = requiredIssues(schema ?? anyItem, record)
  if (schema !== undefined || issues.length > 0) return issues
  if (type === undefined) {
    return [
      { code: 'TypedParse', path: '$.item.type', message: 'expected a string, found nothing that names the item' }
    ]
  }
  const path = typeof item['type'] === 'string' ? '$.item.type' : '$.item.item_type'
  return [{ code: 'UnknownSubtype', path, message: 'unknown item type' }]
}

/** n of `item_<n>` (`itm_<n>` in builds of September 2025); -1 for other ids. */
function itemNumber(id: string): number {
  const start = id.startsWith('item_') ? 5 : id.startsWith('itm_') ? 4 : id.length
  const number = start < id.length ? Number(id.slice(start)) : -1
  return Number.isSafeInteger(number) && number >= 0 ? number : -1
}

/** docs/formats/codex-exec-json.md#the-todo-list-does-not-say-what-is-under-way */
function readTodoList(
  item: JsonObject,
  id: string,
  phase: ItemPhase,
  issues: readonly IssueDraft[],
  number: number
): ExecDecoded {
  const list = arrayAt(item, 'items')
  if (list === undefined) return withoutEvents(issues, number)
  const items = todoItems(list)
  return withStep([{ type: 'todo_list', todoId: id, items }], issues, { kind: 'todo', id, phase, items }, number)
}

function todoItems(list: readonly JsonValue[]): readonly TodoItem[] {
  const items: TodoItem[] = []
  for (const element of list) {
    if (!isJsonObject(element)) continue
    const item = { text: element['text'], status: element['completed'] === true ? 'completed' : 'pending' }
    if (isValidTodoItem(item)) items.push(item)
  }
  return items
}

function textDraft(item: JsonObject, type: string | undefined): EventDraft | undefined {
  const text = stringAt(item, type === 'error' ? 'message' : 'text')
  if (text === undefined || text === '') return undefined
  switch (type) {
    case 'agent_message':
    case 'assistant_message':
      return { type: 'text', text, role: 'assistant', category: 'assistant-message' }
    case 'reasoning':
      return { type: 'text', text, role: 'assistant', category: 'reasoning' }
    case 'plan':
      return { type: 'text', text, role: 'assistant', category: 'status' }
    case 'error':
      // A warning; errors that end a turn are events.
      return { type: 'text', text, role: 'system', category: 'status' }
    default:
      return undefined
  }
}
