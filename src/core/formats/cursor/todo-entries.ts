import { isValidTodoItem, type TodoItem, type TodoStatus, todoStatuses } from '../../events/todo.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'

/** The tool that writes the list: `updateTodosToolCall`. */
export const todoTool = 'updateTodos'

/** The tool that shows the list, or a part of it: `readTodosToolCall`. */
export const todoReader = 'readTodos'

/** One entry of Cursor's list. Merging calls name its id. */
export interface TodoEntry {
  readonly id: string
  readonly item: TodoItem
}

/** A call's entry; when merging, only the changed members. */
export interface TodoPatch {
  readonly id: string
  readonly text: string | undefined
  readonly status: TodoStatus | undefined
}

const statuses: Readonly<Record<string, TodoStatus>> = {
  TODO_STATUS_PENDING: 'pending',
  TODO_STATUS_IN_PROGRESS: 'in_progress',
  TODO_STATUS_COMPLETED: 'completed',
  TODO_STATUS_CANCELLED: 'cancelled'
}

/** The entries of `updateTodos`; null without a list. */
export function todoPatches(todos: readonly JsonValue[] | undefined): readonly TodoPatch[] | null {
  if (todos === undefined) return null
  return todos.filter(isJsonObject).map((todo) => {
    const status = stringAt(todo, 'status') ?? ''
    const known = Object.hasOwn(statuses, status) ? statuses[status] : status
    return {
      id: stringAt(todo, 'id') ?? '',
      text: stringAt(todo, 'content'),
      status: todoStatuses.find((one) => one === known)
    }
  })
}

/** The list of these entries, without invalid ones. */
export function writtenEntries(patches: readonly TodoPatch[]): readonly TodoEntry[] {
  return mergedEntries([], patches)
}

/** The entries that a result states: `{success: {todos}}`; null if it states none that can be read. */
export function statedEntries(result: JsonObject): readonly TodoEntry[] | null {
  const patches = todoPatches(arrayAt(objectAt(result, 'success') ?? {}, 'todos'))
  const entries = patches === null ? null : writtenEntries(patches)
  return entries?.length === 0 && patches !== null && patches.length > 0 ? null : entries
}

/** Merges patches into `list` by id; new valid entries are appended. */
export function mergedEntries(list: readonly TodoEntry[], patches: readonly TodoPatch[]): readonly TodoEntry[] {
  const merged = [...list]
  const places = new Map(list.flatMap(({ id }, place) => (id === '' ? [] : [[id, place] as const])))
  for (const { id, text, status } of patches) {
    const place = id === '' ? undefined : places.get(id)
    const known = place === undefined ? undefined : merged[place]?.item
    const item = { text: text ?? known?.text, status: status ?? known?.status }
    if (!isValidTodoItem(item)) continue
    if (id !== '' && place === undefined) places.set(id, merged.length)
    merged[place ?? merged.length] = { id, item: { text: item.text, status: item.status } }
  }
  return merged
}
