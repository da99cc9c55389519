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

/** What such a list states; undefined where it cannot be read: no list, or elements of which none is an item. */
export function statedItems(list: JsonValue | undefined, ...names: readonly string[]): readonly TodoItem[] | undefined {
  const items = listedItems(list, ...names) ?? undefined
  return items?.length === 0 && Array.isArray(list) && list.length > 0 ? undefined : items
}

/**
 * What lines of a status and a text state, `[done] Read`, up to an empty line. Null if there are other lines, as a text
 * of several lines cannot be told from its neighbours. `words`: further words for a status.
 */
export function statedLines(text: string, words = statusWords): readonly TodoItem[] | null {
  const [block = ''] = text.split(/\n(?:\n|$)/, 1)
  const items: TodoItem[] = []
  for (const line of block.split('\n')) {
    const [, mark = '', item] = /^ *(?:- |\d+\. )?\[(\w{1,20})\] (.*)$/.exec(line) ?? []
    if (item === undefined) return null
    const read = { text: item, status: words.get(mark) ?? mark }
    if (isValidTodoItem(read)) items.push(read)
  }
  return items.length === 0 ? null : items
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
