import type { TodoItem, TodoStatus } from '../../events/todo.ts'
import { type JsonObject, type JsonValue, isJsonObject, stringAt } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { todoItems } from './write-todos.ts'

/** The id of a tracker's task, and the call that made it. */
export interface TaskNote {
  readonly toolId: string
  readonly taskId: string
}

/** What a call of a tracker tool asks for: docs/formats/gemini-stream-json.md#the-tracker-changes-one-task-at-a-time. */
export type TrackerCall = { readonly tool: 'create'; readonly title: string | undefined } | TrackerUpdate

interface TrackerUpdate {
  readonly tool: 'update'
  readonly id: string | undefined
  readonly title: string | undefined
  readonly status: TodoStatus | undefined
}

/** A title is kept as long as its task: longer ones are cut. */
const maxTitle = 500

/** Tasks of one list at most: every change gives the whole list. */
const maxTasks = 200

/**
 * The call of a tracker tool that changes the list; null for every other tool, `tracker_get_task`, `tracker_list_tasks`,
 * `tracker_add_dependency` and `tracker_visualize` included: they are ordinary tools.
 * `input`: its `parameters`, `input` or `args` (packages/core/src/tools/trackerTools.ts, since 0.34).
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

/** The id of a task in the answer to its creation, `Created task 9baa06: Write the tests`, where the log has the answer. */
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

/**
 * The whole list after a call, as `resultDisplay` of a saved chat states it; null where it states none. The task's type, id and
 * depth are stripped from each text.
 */
export function displayedTasks(display: JsonValue | undefined): readonly TodoItem[] | null {
  const items = isJsonObject(display) ? todoItems(display['todos']) : null
  return items === null ? null : items.map((item) => ({ text: titleOf(item.text), status: item.status }))
}

function titleOf(text: string): string {
  const match = displayedTask.exec(text)
  const title = match?.[1] ?? match?.[2] ?? ''
  return title.trim() === '' ? text : title
}

/** What an answered call has done. */
export interface TrackerChange {
  /** The whole list now; null where the call changed nothing. */
  readonly items: readonly TodoItem[] | null
  /** The call is about a task that the list could not tell. */
  readonly issue: IssueDraft | null
}

interface Task {
  /** The call that makes it; null: an update told of it. */
  readonly madeBy: string | null
  /** Null until its answer, a note, or an update that can mean no other task tells it. */
  id: string | null
  /** How many tasks had been made when it was; 0 while its creation is not answered. */
  made: number
  item: TodoItem
}

interface OpenCall {
  readonly call: TrackerCall
  /** The place held for the task that the call is making. */
  readonly task: Task | null
  /** How many tasks had been made before the call: it can mean no other. */
  readonly made: number
}

const nothingChanged: TrackerChange = { items: null, issue: null }

/**
 * The tracker's list of one session, in the order of the calls that made its tasks. A task's id is in the answer to its
 * creation, which stream-json mostly does not have; `TaskNote` says it of live runs. Without it an update of an unknown id is of the one task whose id is not known yet, if there
 * is exactly one; otherwise it is of a task of its own.
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

  /** The result of a call. `madeTask`: the id that it gives a new task, where it says so. */
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

  /** The id of a task that a call has made is known from elsewhere, before an update names it. */
  note({ toolId, taskId }: TaskNote): void {
    const task = this.tasks.find(({ madeBy, made }) => madeBy === toolId && made > 0)
    if (task?.id === null && !this.byId.has(taskId)) this.name(task, taskId)
  }

  private create(task: Task | null, id: string | undefined): TrackerChange {
    if (task === null) return { items: null, issue: tooMany }
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
    if (task === null) return { items: null, issue: tooMany }
    this.name(task, call.id)
    const text = call.title ?? task.item.text
    const status = call.status ?? task.item.status
    const changed = known === undefined || text !== task.item.text || status !== task.item.status
    if (!changed) return nothingChanged
    task.item = { text, status }
    return { items: this.items(), issue: known === undefined ? notTold : null }
  }

  /** The one task whose id is not known, of those made before the call. */
  private onlyUnnamed(madeBefore: number): Task | undefined {
    const unnamed = this.tasks.filter((task) => task.id === null && task.made > 0 && task.made <= madeBefore)
    return unnamed.length === 1 ? unnamed[0] : undefined
  }

  /** Null where the list is full. */
  private add(madeBy: string | null, text: string): Task | null {
    if (this.tasks.length >= maxTasks) return null
    const task: Task = { madeBy, id: null, made: 0, item: { text, status: 'pending' } }
    this.tasks.push(task)
    return task
  }

  /** Tasks that are made, and those an update told of. */
  private items(): readonly TodoItem[] {
    return this.tasks.filter((task) => task.made > 0 || task.madeBy === null).map((task) => task.item)
  }
}

const notTold: IssueDraft = {
  code: 'UnknownTask',
  path: '$.tool_id',
  message: 'the task of this call is unknown: its creation, or its id, is not in the log'
}

const tooMany: IssueDraft = {
  code: 'UnknownTask',
  path: '$.tool_id',
  message: `there are more than ${maxTasks} tasks; this one is not shown in the list`
}
