import { isValidTodoItem, type TodoItem } from '../../events/todo.ts'
import { isJsonObject, type JsonValue } from '../../json.ts'

/** Words for a status that todos do not have. */
const words: ReadonlyMap<unknown, TodoItem['status']> = new Map([
  ['blocked', 'pending'],
  // In the notifications of `codex app-server`.
  ['inProgress', 'in_progress']
])

/** The items of a plan (docs/formats/codex-rollout.md#update_plan-replaces-the-list); null if it is no list. */
export function planItems(plan: JsonValue | undefined): readonly TodoItem[] | null {
  if (!Array.isArray(plan)) return null
  const items: TodoItem[] = []
  for (const element of plan as readonly JsonValue[]) {
    if (!isJsonObject(element)) continue
    const { step, status } = element
    const item = { text: step, status: words.get(status) ?? status }
    if (isValidTodoItem(item)) items.push(item)
  }
  return items
}
