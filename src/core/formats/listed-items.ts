import { isValidTodoItem, type TodoItem } from '../events/todo.ts'
import { isJsonObject, type JsonValue, stringAt } from '../json.ts'

/** Words that agents have for a status, beside the usual ones. */
const statusWords: ReadonlyMap<string, TodoItem['status']> = new Map(
  Object.entries({
    todo: 'pending',
    not_started: 'pending',
    'in-progress': 'in_progress',
    done: 'completed',
    canceled: 'cancelled'
  })
)

/** The items of a list whose texts are in one of the members `names`; null if it is no list. */
export function listedItems(list: JsonValue | undefined, ...names: readonly string[]): readonly TodoItem[] | null {
  if (!Array.isArray(list)) return null
  return (list as readonly JsonValue[]).flatMap((element) => {
    if (!isJsonObject(element)) return []
    const text = names.map((name) => stringAt(element, name)).find((found) => found !== undefined)
    const status = stringAt(element, 'status') ?? ''
    const item = { text, status: statusWords.get(status) ?? status }
    return isValidTodoItem(item) ? [item] : []
  })
}

/** The items of a checklist in Markdown, or of numbered lines with a status: `- [x] Read`, `1. [in_progress] Read`. */
export function checklistItems(text: JsonValue | undefined): readonly TodoItem[] | null {
  if (typeof text !== 'string') return null
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(?:[-*+]|\d+[.)])?\s*\[([^\]]{0,20})\]\s*(.*)$/.exec(line)
    if (found === null) return []
    const [, mark = '', item = ''] = found
    const status = boxes.get(mark.toLowerCase()) ?? statusWords.get(mark) ?? mark
    const read = { text: item.trim(), status }
    return isValidTodoItem(read) ? [read] : []
  })
}

const boxes: ReadonlyMap<string, TodoItem['status']> = new Map(
  Object.entries({
    '': 'pending',
    ' ': 'pending',
    x: 'completed',
    '~': 'in_progress',
    '-': 'in_progress'
  })
)
