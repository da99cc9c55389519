import { isValidTodoItem, type TodoItem, type TodoStatus } from '../../events/todo.ts'
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { parseJson } from '../json-text.ts'

/** A task as a Task tool states it. Status is null where the tool does not say. */
export interface Task {
  readonly id: string
  readonly subject: string
  readonly status: TodoStatus | null
}

/** What a call of a Task tool asks for: docs/formats/claude-stream-json.md#task-tools-take-effect-at-their-result. */
export type TaskCall =
  | { readonly tool: 'TaskCreate'; readonly subject: string | undefined }
  | {
      readonly tool: 'TaskUpdate'
      readonly taskId: string | undefined
      readonly subject: string | undefined
      readonly status: TodoStatus | 'deleted' | undefined
    }
  | { readonly tool: 'TaskList' }
  | { readonly tool: 'TaskGet' }

/** What a result says about tasks, read from its shape. */
export type TaskAnswer =
  | { readonly says: 'created'; readonly id: string; readonly subject: string; readonly structured: boolean }
  | {
      readonly says: 'updated'
      readonly id: string
      /** False when no field was changed. */
      readonly changed: boolean
      readonly to: TodoStatus | 'deleted' | undefined
      readonly structured: boolean
    }
  | { readonly says: 'listed'; readonly tasks: readonly Task[]; readonly structured: boolean }
  | { readonly says: 'got'; readonly task: Task; readonly structured: boolean }

/**
 * The items of a TodoWrite input or result; null when there is no list. docs/formats/README.md#a-todo-item-has-a-text-and-a-status,
 * docs/formats/claude-stream-json.md#the-list-may-be-json-in-a-text.
 */
export function todoItems(todos: JsonValue | undefined): readonly TodoItem[] | null {
  const list = statedTodos(todos)
  if (list === null) return null
  const items: TodoItem[] = []
  for (const element of list) {
    const item = isJsonObject(element) ? { text: element['content'], status: element['status'] } : null
    if (isValidTodoItem(item)) items.push(item)
  }
  return items
}

/** The elements of that list as they are stated, valid or not; null when there is no list. */
export function statedTodos(todos: JsonValue | undefined): readonly JsonValue[] | null {
  const list = typeof todos === 'string' ? jsonInText(todos) : todos
  if (!Array.isArray(list)) return null
  return (list as readonly JsonValue[]).map((element) =>
    typeof element === 'string' ? (jsonInText(element) ?? element) : element
  )
}

function jsonInText(text: string): JsonValue | undefined {
  const start = text.trimStart()[0]
  if (start !== '[' && start !== '{') return undefined
  const parsed = parseJson(text)
  return parsed.ok ? parsed.value : undefined
}

/** The call of a Task tool, or null for every other tool (`TaskStop` and `TaskOutput` are about background tasks). */
export function taskCall(toolName: string, input: JsonObject): TaskCall | null {
  switch (toolName) {
    case 'TaskCreate':
      return { tool: 'TaskCreate', subject: stringAt(input, 'subject') }
    case 'TaskUpdate':
      return {
        tool: 'TaskUpdate',
        taskId: taskId(input['taskId']),
        subject: stringAt(input, 'subject'),
        status: taskStatus(input['status'])
      }
    case 'TaskList':
    case 'TaskGet':
      return { tool: toolName }
    default:
      return null
  }
}

/** What a tool result says about tasks: from its structured twin, else from its text; null when it is about something else. */
export function taskAnswer(text: string, structured: JsonValue | undefined): TaskAnswer | null {
  return (isJsonObject(structured) ? structuredAnswer(structured) : null) ?? textAnswer(text)
}

function structuredAnswer(result: JsonObject): TaskAnswer | null {
  const single = objectAt(result, 'task')
  if (single !== undefined) {
    const task = readTask(single)
    if (task === null) return null
    if (task.status !== null) return { says: 'got', task, structured: true }
    return { says: 'created', id: task.id, subject: task.subject, structured: true }
  }
  const id = taskId(result['taskId'])
  const fields = arrayAt(result, 'updatedFields')
  if (id !== undefined && fields !== undefined) {
    const change = objectAt(result, 'statusChange')
    const to = fields.includes('deleted') ? 'deleted' : taskStatus(change?.['to'])
    return { says: 'updated', id, changed: fields.length > 0, to, structured: true }
  }
  const tasks = arrayAt(result, 'tasks')
  if (tasks === undefined) return null
  const read = tasks.map((task) => (isJsonObject(task) ? readTask(task) : null))
  if (read.some((task) => task === null || task.status === null)) return null
  return { says: 'listed', tasks: read.filter((task) => task !== null), structured: true }
}

function readTask(task: JsonObject): Task | null {
  const id = taskId(task['id'])
  const subject = stringAt(task, 'subject')
  if (id === undefined || subject === undefined) return null
  const status = taskStatus(task['status'])
  return { id, subject, status: status === undefined || status === 'deleted' ? null : status }
}

function textAnswer(text: string): TaskAnswer | null {
  if (text.startsWith('Task #')) {
    const line = firstLine(text)
    const created = /^Task #(\S+) created successfully: (.*)$/.exec(line)
    if (created !== null) {
      return { says: 'created', id: created[1] ?? '', subject: created[2] ?? '', structured: false }
    }
    const got = /^Task #(\S+): (.*)$/.exec(line)
    if (got === null) return null
    return { says: 'got', task: { id: got[1] ?? '', subject: got[2] ?? '', status: null }, structured: false }
  }
  if (text.startsWith('Updated task #')) {
    const updated = /^Updated task #(\S+)(.*)$/.exec(firstLine(text))
    if (updated === null) return null
    const fields = (updated[2] ?? '').trim()
    const to = /\bdeleted\b/.test(fields) ? ('deleted' as const) : undefined
    return { says: 'updated', id: updated[1] ?? '', changed: fields !== '', to, structured: false }
  }
  if (text.startsWith('No tasks found')) return { says: 'listed', tasks: [], structured: false }
  return text.startsWith('#') ? listedInText(text) : null
}

/** `#2 [completed] Write the module (owner) [blocked by #1]`, one task a line, up to the first blank line. */
function listedInText(text: string): TaskAnswer | null {
  const tasks: Task[] = []
  for (const line of text.slice(0, 100_000).split('\n')) {
    if (line.trim() === '') break
    const match = /^#(\S+) \[(\w+)\] (.*?)(?: \([^()]*\))?(?: \[blocked by [^\]]*\])?$/.exec(line)
    const status = taskStatus(match?.[2])
    if (match === null || status === undefined || status === 'deleted') return null
    tasks.push({ id: match[1] ?? '', subject: match[3] ?? '', status })
  }
  return { says: 'listed', tasks, structured: false }
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}

function taskId(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value.replace(/^#/, '') : undefined
}

function taskStatus(value: JsonValue | undefined): TodoStatus | 'deleted' | undefined {
  return value === 'pending' || value === 'in_progress' || value === 'completed' || value === 'deleted'
    ? value
    : undefined
}
