import type { StateClass } from '../../state/saved-state.ts'
import { sameTodoItems, type TodoItem, type TodoStatus } from '../../events/todo.ts'
import { IdSet } from '../id-set.ts'
import type { IssueDraft } from '../issue.ts'
import { WrittenList } from '../written-list.ts'
import type { ResultStep } from './decoded.ts'
import type { Task, TaskResult, TaskCall } from './todo-tools.ts'
import { KeyedQueue } from './keyed-queue.ts'

/** The effect of a result on the lists. */
export interface TodoOutcome {
  /** The todo tool, if its call has no `tool.started`. */
  readonly toolName: 'TodoWrite' | 'TaskCreate' | 'TaskUpdate' | undefined
  readonly list: TodoChange | null
  readonly issue?: IssueDraft
}

/** A changed list. `body`: its draft, -1 if the fold made it. */
export interface TodoChange {
  readonly items: readonly TodoItem[]
  readonly body: number
  /** From a Task tool: the list belongs to the session. */
  readonly ofSession: boolean
}

/** Without the items, which are in the track's list: unanswered calls would accumulate them. */
type OpenCall = { readonly tool: 'TodoWrite'; readonly track: string; readonly hasItems: boolean } | TaskCall

const todoTools = ['TodoWrite', 'TaskCreate', 'TaskUpdate'] as const

const ordinaryResult: TodoOutcome = { toolName: undefined, list: null }

/**
 * The todo lists of a log: docs/formats/claude-stream-json.md#todo-tools. Calls that share an id are answered in order.
 */
export class TodoLists {
  private readonly written = new Map<string, WrittenList>()
  private readonly tasks = new Map<string, TaskList>()
  private readonly open = new KeyedQueue<string, OpenCall>()
  /** Ids of answered todo calls by tool, as results may be repeated. */
  private readonly settled = { TodoWrite: new IdSet(), TaskCreate: new IdSet(), TaskUpdate: new IdSet() }

  /** A TodoWrite call. Without a list, `items` is null and there is no event. */
  write(track: string, id: string, items: readonly TodoItem[] | null): void {
    this.open.push(id, { tool: 'TodoWrite', track, hasItems: items !== null })
    if (items !== null) this.writtenBy(track).call(id, items)
  }

  call(id: string, call: TaskCall): void {
    this.open.push(id, call)
  }

  result(track: string, session: string, result: ResultStep): TodoOutcome {
    const call = this.open.shift(result.id)
    if (call === undefined) {
      // A repeated result. A redacted id may be that of another tool.
      const toolName = result.aboutTodos || result.rejected ? this.settledTool(result.id) : undefined
      return toolName === undefined ? this.orphan(track, session, result) : { toolName, list: null }
    }
    if (call.tool === 'TodoWrite') {
      this.settled.TodoWrite.add(result.id)
      return this.writeResult(call, result)
    }
    if (call.tool === 'TaskGet') {
      if (!result.rejected && result.tasks?.kind === 'got') this.tasksOf(session).learn(result.tasks.task)
      return ordinaryResult
    }
    if (call.tool === 'TaskList') return this.listed(session, result)
    this.settled[call.tool].add(result.id)
    if (result.rejected || result.tasks === null) return { toolName: call.tool, list: null }
    return { ...this.taskChanged(session, call, result.tasks), toolName: call.tool }
  }

  private settledTool(id: string): TodoOutcome['toolName'] {
    return todoTools.find((tool) => this.settled[tool].has(id))
  }

  /** Sets the list stated by a user line. True if it differs. */
  resync(track: string, items: readonly TodoItem[]): boolean {
    return this.writtenBy(track).stand(items)
  }

  /** Sets the session's tasks, which a reminder states. Null if the list is the same. */
  stated(session: string, tasks: readonly Task[]): readonly TodoItem[] | null {
    const list = this.tasksOf(session)
    const before = list.items()
    list.replace(tasks)
    const items = list.items()
    return sameTodoItems(before, items) ? null : items
  }

  private writeResult(call: OpenCall & { tool: 'TodoWrite' }, result: ResultStep): TodoOutcome {
    const list = this.writtenBy(call.track)
    const outcome = (change: Omit<TodoChange, 'ofSession'> | null): TodoOutcome => ({
      toolName: call.tool,
      list: change === null ? null : { ...change, ofSession: false }
    })
    const stated = result.newTodos
    const items = list.settle(result.id, result.rejected, stated?.items ?? null)
    if (items === null) return outcome(null)
    return outcome(items === stated?.items ? stated : { items, body: -1 })
  }

  /** A result without its call, as the log starts late. Only unambiguous shapes count. */
  private orphan(track: string, session: string, result: ResultStep): TodoOutcome {
    if (result.rejected) return ordinaryResult
    if (result.newTodos !== null) {
      this.settled.TodoWrite.add(result.id)
      const news = this.resync(track, result.newTodos.items)
      return { toolName: 'TodoWrite', list: news ? { ...result.newTodos, ofSession: false } : null }
    }
    const { tasks } = result
    if (tasks === null || !tasks.structured || tasks.kind === 'got') return ordinaryResult
    if (tasks.kind === 'listed') return tasks.tasks.length === 0 ? ordinaryResult : this.listed(session, result)
    this.settled[tasks.kind === 'created' ? 'TaskCreate' : 'TaskUpdate'].add(result.id)
    return this.taskChanged(session, undefined, tasks)
  }

  /** docs/formats/claude-stream-json.md#tasklist-is-authoritative. The call is an event, so the result is one. */
  private listed(session: string, result: ResultStep): TodoOutcome {
    if (result.rejected || result.tasks?.kind !== 'listed') return ordinaryResult
    const items = this.stated(session, result.tasks.tasks)
    return { toolName: undefined, list: items === null ? null : { items, body: -1, ofSession: true } }
  }

  /** An update that leaves the list equal, such as one of dependencies, has no list. */
  private taskChanged(session: string, call: TaskCall | undefined, answer: TaskResult): TodoOutcome {
    const tasks = this.tasksOf(session)
    const before = tasks.items()
    let issue: IssueDraft | null = null
    if (answer.kind === 'created') {
      issue = tasks.create(answer.id, answer.subject)
    } else if (answer.kind === 'updated' && answer.changed) {
      const asked = call?.tool === 'TaskUpdate' ? call : undefined
      issue = tasks.update(answer.id, asked?.subject, answer.to ?? asked?.status)
    } else {
      return { toolName: undefined, list: null }
    }
    const toolName = answer.kind === 'created' ? 'TaskCreate' : 'TaskUpdate'
    const items = tasks.items()
    const list = sameTodoItems(before, items) ? null : { items, body: -1, ofSession: true }
    return issue === null ? { toolName, list } : { toolName, list, issue }
  }

  private writtenBy(track: string): WrittenList {
    let list = this.written.get(track)
    if (list === undefined) this.written.set(track, (list = new WrittenList()))
    return list
  }

  private tasksOf(session: string): TaskList {
    let list = this.tasks.get(session)
    if (list === undefined) this.tasks.set(session, (list = new TaskList()))
    return list
  }
}

/** Limit of tasks, as every change emits the whole list. */
const maxTasks = 500

const tooManyTasks: IssueDraft = {
  code: 'UnknownTask',
  path: '$',
  message: `there are more than ${maxTasks} tasks; this one is not shown in the list`
}
const neverCreated: IssueDraft = {
  code: 'UnknownTask',
  path: '$',
  message: 'update of a task whose creation is not in the log'
}

/** The Task tools' list of one session, by id. */
class TaskList {
  private tasks = new Map<string, TodoItem>()
  /** Ids without a known subject. */
  private readonly unnamed = new Set<string>()

  /** In the order of the ids, which are ascending. */
  items(): readonly TodoItem[] {
    const entries = [...this.tasks]
    entries.sort(([a], [b]) => byNumber(a, b))
    return entries.map(([, item]) => item)
  }

  create(id: string, subject: string): IssueDraft | null {
    // Ids are ascending, so a reused id means that the list was reset outside the log.
    if (this.tasks.has(id) && !this.unnamed.has(id)) this.tasks.clear()
    return this.set(id, subject, 'pending') ? null : tooManyTasks
  }

  update(id: string, subject: string | undefined, status: TodoStatus | 'deleted' | undefined): IssueDraft | null {
    const known = this.tasks.get(id)
    if (status === 'deleted') {
      this.tasks.delete(id)
      return null
    }
    const text = subject ?? (this.unnamed.has(id) ? undefined : known?.text)
    if (!this.set(id, text, status ?? known?.status ?? 'pending')) return tooManyTasks
    return known === undefined ? neverCreated : null
  }

  replace(tasks: readonly Task[]): void {
    const before = this.tasks
    this.tasks = new Map()
    for (const task of tasks) this.set(task.id, task.subject, task.status ?? before.get(task.id)?.status ?? 'pending')
  }

  /** TaskGet may state the subject of a task created elsewhere. */
  learn(task: Task): void {
    const known = this.tasks.get(task.id)
    if (known !== undefined && this.unnamed.has(task.id)) this.set(task.id, task.subject, known.status)
  }

  /** False if the list is full. */
  private set(id: string, subject: string | undefined, status: TodoStatus): boolean {
    if (this.tasks.size >= maxTasks && !this.tasks.has(id)) return false
    const named = subject !== undefined && subject.trim() !== ''
    if (named) this.unnamed.delete(id)
    else this.unnamed.add(id)
    this.tasks.set(id, { text: named ? subject : `Task #${id}`, status })
    return true
  }
}

function byNumber(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  // Other ids come last, in order of appearance.
  if (!Number.isNaN(difference)) return difference
  return (Number.isNaN(Number(a)) ? 1 : 0) - (Number.isNaN(Number(b)) ? 1 : 0)
}

/** `LogFormat.stateClasses` of the lists. */
export const todoListClasses: readonly StateClass[] = [TodoLists, TaskList, WrittenList, KeyedQueue, IdSet]
