import { isValidTodoItem, type TodoItem } from '../../events/todo.ts'
import { statedLines } from '../listed-items.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'

/** Whether a call replaces the list: docs/formats/gemini-stream-json.md#write_todos-replaces-the-list. */
export function isWriteTodos(toolName: string): boolean {
  return toolName === 'write_todos' || toolName === 'write_todos_list'
}

/** The list of a call; null without one, when the call is rejected. `input`: `parameters`, `input` or `args`. */
export function writtenItems(input: JsonValue | undefined): readonly TodoItem[] | null {
  return isJsonObject(input) ? todoItems(input['todos']) : null
}

/** The list that a result shows, `{todos}`, or says; null if it states none. */
export function statedTodos(display: JsonValue | undefined, output: string): readonly TodoItem[] | null {
  const shown = isJsonObject(display) ? display['todos'] : undefined
  const items = todoItems(shown)
  if (items !== null && (items.length > 0 || (Array.isArray(shown) && shown.length === 0))) return items
  return todoWords(output)
}

const listHead = 'Successfully updated the todo list. The current list is now:\n'

/** The list that the text of a result states (packages/core/src/tools/write-todos.ts); null if it states none. */
export function todoWords(output: string): readonly TodoItem[] | null {
  if (output.startsWith('Successfully cleared the todo list.')) return []
  return output.startsWith(listHead)
    ? statedLines(output.slice(listHead.length), new Map([['blocked', 'pending']]))
    : null
}

/** `{description, status}`, or null: docs/formats/README.md#a-todo-item-has-a-text-and-a-status. */
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
