import { isValidTodoItem, type TodoItem, type TodoStatus } from '../../events/todo.ts'
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { parseJson } from '../json-text.ts'

/** A task stated by a Task tool. Null: no status. */
export interface Task {
  readonly id: string
  readonly subject: string
  readonly status: TodoStatus | null
}

/** A call of a Task tool: docs/formats/claude-stream-json.md#task-tools-take-effect-at-their-result. */
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

/** Tasks in a result, by its shape. */
export type TaskResult =
  | { readonly kind: 'created'; readonly id: string; readonly subject: string; readonly structured: boolean }
  | {
      readonly kind: 'updated'
      readonly id: string
      /** False if no field changed. */
      readonly changed: boolean
      readonly to: TodoStatus | 'deleted' | undefined
      readonly structured: boolean
    }
  | { readonly kind: 'listed'; readonly tasks: readonly Task[]; readonly structured: boolean }
  | { readonly kind: 'got'; readonly task: Task; readonly structured: boolean }

/** Items of TodoWrite, or null: docs/formats/claude-stream-json.md#the-list-may-be-json-in-a-text. */
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

/** The elements of that list, also invalid ones; null without a list. */
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

/** The call of a Task tool; null for other tools (`TaskStop` and `TaskOutput` are about background tasks). */
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

/** The tasks of a list, without what is none; null if it is no list of tasks. */
export function statedTasks(list: JsonValue | undefined): readonly Task[] | null {
  if (!Array.isArray(list)) return null
  const tasks = (list as readonly JsonValue[]).flatMap((task) => (isJsonObject(task) ? (readTask(task) ?? []) : []))
  return tasks.length === 0 && list.length > 0 ? null : tasks
}

/** Tasks in a result, by its structured form or its text; null if there are none. */
export function taskResult(text: string, structured: JsonValue | undefined): TaskResult | null {
  return (isJsonObject(structured) ? structuredResult(structured) : null) ?? textResult(text)
}

function structuredResult(result: JsonObject): TaskResult | null {
  const single = objectAt(result, 'task')
  if (single !== undefined) {
    const task = readTask(single)
    if (task === null) return null
    if (task.status !== null) return { kind: 'got', task, structured: true }
    return { kind: 'created', id: task.id, subject: task.subject, structured: true }
  }
  const id = taskId(result['taskId'])
  const fields = arrayAt(result, 'updatedFields')
  if (id !== undefined && fields !== undefined) {
    const change = objectAt(result, 'statusChange')
    const to = fields.includes('deleted') ? 'deleted' : taskStatus(change?.['to'])
    return { kind: 'updated', id, changed: fields.length > 0, to, structured: true }
  }
  const tasks = arrayAt(result, 'tasks')
  if (tasks === undefined) return null
  const read = tasks.map((task) => (isJsonObject(task) ? readTask(task) : null))
  if (read.some((task) => task === null || task.status === null)) return null
  return { kind: 'listed', tasks: read.filter((task) => task !== null), structured: true }
}

function readTask(task: JsonObject): Task | null {
  const id = taskId(task['id'])
  const subject = stringAt(task, 'subject')
  if (id === undefined || subject === undefined) return null
  const status = taskStatus(task['status'])
  return { id, subject, status: status === undefined || status === 'deleted' ? null : status }
}

function textResult(text: string): TaskResult | null {
  if (text.startsWith('Task #')) {
    const line = firstLine(text)
    const created = /^Task #(\S+) created successfully: (.*)$/.exec(line)
    if (created !== null) {
      return { kind: 'created', id: created[1] ?? '', subject: created[2] ?? '', structured: false }
    }
    const got = /^Task #(\S+): (.*)$/.exec(line)
    if (got === null) return null
    return { kind: 'got', task: { id: got[1] ?? '', subject: got[2] ?? '', status: null }, structured: false }
  }
  if (text.startsWith('Updated task #')) {
    const updated = /^Updated task #(\S+)(.*)$/.exec(firstLine(text))
    if (updated === null) return null
    const fields = (updated[2] ?? '').trim()
    const to = /\bdeleted\b/.test(fields) ? ('deleted' as const) : undefined
    return { kind: 'updated', id: updated[1] ?? '', changed: fields !== '', to, structured: false }
  }
  if (text.startsWith('No tasks found')) return { kind: 'listed', tasks: [], structured: false }
  return text.startsWith('#') ? listedInText(text) : null
}

/** `#2 [completed] Write the module (owner) [blocked by #1]`, one task a line, up to the first blank line. */
function listedInText(text: string): TaskResult | null {
  const tasks: Task[] = []
  for (const line of text.slice(0, 100_000).split('\n')) {
    if (line.trim() === '') break
    const match = /^#(\S+) \[(\w+)\] (.*?)(?: \([^()]*\))?(?: \[blocked by [^\]]*\])?$/.exec(line)
    const status = taskStatus(match?.[2])
    if (match === null || status === undefined || status === 'deleted') return null
    tasks.push({ id: match[1] ?? '', subject: match[3] ?? '', status })
  }
  return { kind: 'listed', tasks, structured: false }
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
