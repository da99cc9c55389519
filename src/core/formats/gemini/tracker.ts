import type { TodoItem, TodoStatus } from '../../events/todo.ts'
import { type JsonObject, type JsonValue, isJsonObject, stringAt } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { todoItems } from './write-todos.ts'

/** A task's id and the call that created it. */
export interface TaskNote {
  readonly toolId: string
  readonly taskId: string
}

/** A call of a tracker tool: docs/formats/gemini-stream-json.md#the-tracker-changes-one-task-at-a-time. */
export type TrackerCall = { readonly tool: 'create'; readonly title: string | undefined } | TrackerUpdate

interface TrackerUpdate {
  readonly tool: 'update'
  readonly id: string | undefined
  readonly title: string | undefined
  readonly status: TodoStatus | undefined
}

/** Limit of titles in characters, as they are stored. */
const maxTitle = 500

/** Limit of tasks, as every change emits the whole list. */
const maxTasks = 200

/**
 * A call that changes the list; null for other tools, such as `tracker_get_task`, `tracker_list_tasks`,
 * `tracker_add_dependency` and `tracker_visualize` (packages/core/src/tools/trackerTools.ts, since 0.34).
 */
export function trackerCall(toolName: string, input: JsonValue | undefined): TrackerCall | null {
  const asked: JsonObject = isJsonObject(input) ? input : {}
  switch (toolName) {
    case 'tracker_create_task':
      return { tool: 'create', title: titleAt(asked) }
    case 'tracker_update_task':
      return { tool: 'update', id: stringAt(asked, 'id'), title: titleAt(asked), status: statusOf(asked['status']) }
    default:
      return null
  }
}

/** The id in the result of a creation, `Created task 9baa06: Write the tests`. */
export function madeTask(answer: string): string | undefined {
  return /^Created task ([\w-]{1,64}): /.exec(answer.slice(0, 100))?.[1]
}

function titleAt(asked: JsonObject): string | undefined {
  const title = stringAt(asked, 'title')
  if (title === undefined || title.trim() === '') return undefined
  return title.length <= maxTitle ? title : `${title.slice(0, maxTitle)}…`
}

function statusOf(status: JsonValue | undefined): TodoStatus | undefined {
  switch (status) {
    case 'open':
    case 'blocked':
      return 'pending'
    case 'in_progress':
      return 'in_progress'
    case 'closed':
      return 'completed'
    default:
      return undefined
  }
}

// `  task: Write the tests (4aba5d)`; before 0.36 `  [4aba5d] [TASK] Write the tests`. Indented by depth.
const displayedTask =
  /^\s*(?:(?:epic|task|bug): (.*) \([^()\s]{1,64}\)|\[[^[\]\s]{1,64}\] \[(?:EPIC|TASK|BUG)\] (.*))$/s

/** The list in a saved chat's `resultDisplay`, or null. Type, id and depth are removed from each text. */
export function displayedTasks(display: JsonValue | undefined): readonly TodoItem[] | null {
  const items = isJsonObject(display) ? todoItems(display['todos']) : null
  return items === null ? null : items.map((item) => ({ text: titleOf(item.text), status: item.status }))
}

function titleOf(text: string): string {
  const match = displayedTask.exec(text)
  const title = match?.[1] ?? match?.[2] ?? ''
  return title.trim() === '' ? text : title
}

/** The effect of a result. */
export interface TrackerChange {
  /** The whole list; null if unchanged. */
  readonly items: readonly TodoItem[] | null
  /** The call is about an unknown task. */
  readonly issue: IssueDraft | null
}

interface Task {
  /** The call that creates it; null if only an update names it. */
  readonly madeBy: string | null
  /** Null until stated by the result or a note, or inferred from an update. */
  id: string | null
  /** Its number by creation; 0 before the result. */
  made: number
  item: TodoItem
}

interface OpenCall {
  readonly call: TrackerCall
  /** The task that the call creates. */
  readonly task: Task | null
  /** Number of tasks created before the call, which cannot mean others. */
  readonly made: number
}

const nothingChanged: TrackerChange = { items: null, issue: null }

/**
 * The tracker's list of one session, in the order of the creating calls. Results with task ids are mostly missing in
 * stream-json; `TaskNote` has them for live runs. An update of an unknown id is about the only task without an id; if
 * there are several or none, about a task of its own.
 */
export class TrackerList {
  private readonly tasks: Task[] = []
  private readonly byId = new Map<string, Task>()
  private readonly open = new Map<string, OpenCall>()
  private made = 0

  call(callId: string, call: TrackerCall): void {
    const task = call.tool === 'create' ? this.add(callId, call.title ?? 'Task') : null
    this.open.set(callId, { call, task, made: this.made })
  }

  /** A result. `madeTask`: the id of the created task, if stated. */
  result(callId: string, rejected: boolean, madeTask?: string): TrackerChange {
    const open = this.open.get(callId)
    if (open === undefined) return nothingChanged
    this.open.delete(callId)
    if (rejected) {
      if (open.task !== null) this.tasks.splice(this.tasks.indexOf(open.task), 1)
      return nothingChanged
    }
    if (open.call.tool === 'update') return this.update(open.call, open.made)
    return this.create(open.task, madeTask)
  }

  /** Sets a task's id from another source. */
  note({ toolId, taskId }: TaskNote): void {
    const task = this.tasks.find(({ madeBy, made }) => madeBy === toolId && made > 0)
    if (task?.id === null && !this.byId.has(taskId)) this.name(task, taskId)
  }

  private create(task: Task | null, id: string | undefined): TrackerChange {
    if (task === null) return { items: null, issue: tooManyTasks }
    this.made += 1
    task.made = this.made
    if (id !== undefined) this.name(task, id)
    return { items: this.items(), issue: null }
  }

  private name(task: Task, id: string): void {
    task.id = id
    this.byId.set(id, task)
  }

  private update(call: TrackerUpdate, madeBefore: number): TrackerChange {
    if (call.id === undefined) return nothingChanged
    const known = this.byId.get(call.id) ?? this.onlyUnnamed(madeBefore)
    const task = known ?? this.add(null, `Task ${call.id.slice(0, maxTitle)}`)
    if (task === null) return { items: null, issue: tooManyTasks }
    this.name(task, call.id)
    const text = call.title ?? task.item.text
    const status = call.status ?? task.item.status
    const changed = known === undefined || text !== task.item.text || status !== task.item.status
    if (!changed) return nothingChanged
    task.item = { text, status }
    return { items: this.items(), issue: known === undefined ? unknownTask : null }
  }

  /** The only task without an id, created before the call. */
  private onlyUnnamed(madeBefore: number): Task | undefined {
    const unnamed = this.tasks.filter((task) => task.id === null && task.made > 0 && task.made <= madeBefore)
    return unnamed.length === 1 ? unnamed[0] : undefined
  }

  /** Null if the list is full. */
  private add(madeBy: string | null, text: string): Task | null {
    if (this.tasks.length >= maxTasks) return null
    const task: Task = { madeBy, id: null, made: 0, item: { text, status: 'pending' } }
    this.tasks.push(task)
    return task
  }

  /** Created tasks, and those that only an update names. */
  private items(): readonly TodoItem[] {
    return this.tasks.filter((task) => task.made > 0 || task.madeBy === null).map((task) => task.item)
  }
}

const unknownTask: IssueDraft = {
  code: 'UnknownTask',
  path: '$.tool_id',
  message: 'the task of this call is unknown: its creation, or its id, is not in the log'
}

const tooManyTasks: IssueDraft = {
  code: 'UnknownTask',
  path: '$.tool_id',
  message: `there are more than ${maxTasks} tasks; this one is not shown in the list`
}
