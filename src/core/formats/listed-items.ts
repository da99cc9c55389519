import { isValidTodoItem, type TodoItem } from '../events/todo.ts'
import { isJsonObject, type JsonValue, stringAt } from '../json.ts'

/** Words that agents have for a status, beside the usual ones. */
const statusWords: Readonly<Record<string, TodoItem['status']>> = {
  todo: 'pending',
  not_started: 'pending',
  'in-progress': 'in_progress',
  done: 'completed',
  canceled: 'cancelled'
}

/** The items of a list whose texts are in one of the members `names`; null if it is no list. */
export function listedItems(list: JsonValue | undefined, ...names: readonly string[]): readonly TodoItem[] | null {
  if (!Array.isArray(list)) return null
  return (list as readonly JsonValue[]).flatMap((element) => {
    if (!isJsonObject(element)) return []
    const text = names.map((name) => stringAt(element, name)).find((found) => found !== undefined)
    const status = stringAt(element, 'status') ?? ''
    const item = { text, status: statusWords[status] ?? status }
    return isValidTodoItem(item) ? [item] : []
  })
}
