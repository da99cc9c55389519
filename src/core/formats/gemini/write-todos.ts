import { isValidTodoItem, type TodoItem } from '../../events/todo.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'

/**
 * Whether a tool replaces the list (packages/core/src/tools/write-todos.ts):
 * docs/formats/gemini-stream-json.md#write_todos-replaces-the-list.
 */
export function isWriteTodos(toolName: string): boolean {
  return toolName === 'write_todos' || toolName === 'write_todos_list'
}

/**
 * The list in a call of `write_todos`; null without one, when the call has no event and is rejected. `input`: its
 * `parameters`, `input` or `args`.
 */
export function writtenItems(input: JsonValue | undefined): readonly TodoItem[] | null {
  return isJsonObject(input) ? todoItems(input['todos']) : null
}

/**
 * Items of Gemini CLI, `{description, status}`, in a call or a result's display; null without a list.
 * docs/formats/README.md#a-todo-item-has-a-text-and-a-status.
 */
export function todoItems(todos: JsonValue | undefined): readonly TodoItem[] | null {
  if (!Array.isArray(todos)) return null
  const items: TodoItem[] = []
  for (const todo of todos as readonly JsonValue[]) {
    const item = isJsonObject(todo) ? todoItem(todo) : undefined
    if (isValidTodoItem(item)) items.push(item)
  }
  return items
}

function todoItem(todo: JsonObject): { text: unknown; status: unknown } {
  const { description, status } = todo
  // docs/formats/gemini-stream-json.md#a-blocked-item-is-still-to-be-done
  return { text: description, status: status === 'blocked' ? 'pending' : status }
}
