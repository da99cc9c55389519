import { dropOldest } from '../drop-oldest.ts'
import { isValidTodoItem, sameTodoItems, type TodoItem } from '../events/todo.ts'
import { IdSet } from '../formats/id-set.ts'
import { isJsonObject, stringAt, type JsonObject, type JsonValue } from '../json.ts'
import { cutText } from './cut-text.ts'
import { maxStreamJson, type StreamData, type StreamTodo } from './stream-events.ts'

/** Limits; the oldest entries are dropped. */
const maxStatedLists = 100
const maxForms = 2000
/** Limit of todos in one event. */
const maxStreamTodos = 1000

/** The main agent's todo list, as its calls, their hooks and the events state it: each changed list is told once. */
export class StreamTodos {
  readonly #calls = new IdSet()
  /** The call that wrote the current list. */
  #lastCall: string | null = null
  /** By call. */
  readonly #stated = new Map<string, readonly JsonValue[]>()
  /** The "present-continuous" forms of todos, by content. */
  readonly #forms = new Map<string, string>()
  /** The session and the list that were told last, as JSON. */
  #told = ''

  isCall(tool: string): boolean {
    return this.#calls.has(tool)
  }

  /** A call of a todo tool, or its result. Null: it states no list. */
  call(tool: string, todos: readonly JsonValue[] | null): void {
    this.#calls.add(tool)
    if (todos === null) return
    this.#stated.set(tool, todos)
    dropOldest(this.#stated, this.#stated.size - maxStatedLists)
    for (const todo of todos) {
      const content = isJsonObject(todo) ? stringAt(todo, 'content') : undefined
      const form = isJsonObject(todo) ? stringAt(todo, 'activeForm') : undefined
      if (content !== undefined && form !== undefined) this.form(content, form)
    }
  }

  form(content: string, form: string): void {
    // The latest last.
    this.#forms.delete(content)
    this.#forms.set(content, form)
    dropOldest(this.#forms, this.#forms.size - maxForms)
  }

  /** The hook of a later call may have told the list already. */
  isLate(tool: string | undefined): boolean {
    return tool !== undefined && this.#calls.has(tool) && tool !== this.#lastCall
  }

  /** The list of an event. The call may state more than the event: `activeForm`, and entries that are invalid in events. */
  ofEvent(tool: string, items: readonly TodoItem[]): readonly JsonValue[] {
    this.#calls.add(tool)
    this.#lastCall = tool
    const stated = this.#stated.get(tool)
    return stated !== undefined && sameTodoItems(itemsOf(stated), items) ? stated : this.#entriesOf(items)
  }

  /** Null: this list was told last, as by the hook of the same call. */
  update(session_id: string | null, todos: readonly JsonValue[]): StreamData<'task_update'> | null {
    const entries = todos.map(entryOf)
    const told = JSON.stringify([session_id, entries])
    if (told === this.#told) return null
    this.#told = told
    const listed: StreamTodo[] = []
    let left = maxStreamJson
    for (const entry of entries) {
      if (entry === null) continue
      left -= entry.content.length + (entry.activeForm?.length ?? 0)
      if (left < 0 || listed.length === maxStreamTodos) return { session_id, todos: listed, cut: true }
      listed.push({ ...entry, status: cutText(entry.status).text })
    }
    return { session_id, todos: listed, cut: false }
  }

  #entriesOf(items: readonly TodoItem[]): readonly JsonObject[] {
    return items.map(({ text, status }) => {
      const activeForm = this.#forms.get(text)
      return activeForm === undefined ? { content: text, status } : { content: text, status, activeForm }
    })
  }
}

/** Null: it is left out, and keeps its place (`taskRows`). */
function entryOf(todo: JsonValue): StreamTodo | null {
  const content = isJsonObject(todo) ? stringAt(todo, 'content') : undefined
  if (!isJsonObject(todo) || content === undefined || content.trim() === '') return null
  return { content, status: stringAt(todo, 'status') ?? 'pending', activeForm: stringAt(todo, 'activeForm') ?? null }
}

function itemsOf(stated: readonly JsonValue[]): readonly TodoItem[] {
  return stated
    .map((todo) => (isJsonObject(todo) ? { text: todo['content'], status: todo['status'] } : null))
    .filter(isValidTodoItem)
}
