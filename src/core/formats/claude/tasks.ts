import type { TodoItem, TodoStatus } from '../../events/todo.ts'
import type { ResultStep } from './decoded.ts'
import type { Task, TaskAnswer, TaskCall } from './todo-tools.ts'

/** What a tool result means, now that its call is known. */
export interface TodoOutcome {
  /** The result is a tool row of its own; false for todo tools, whose `todo_list` says it all. */
  readonly ordinary: boolean
  readonly list: TodoChange | null
}

/** A list after a change. `body`: the draft that states it, -1 where it was folded. */
export interface TodoChange {
  readonly items: readonly TodoItem[]
  readonly body: number
  /** Task tools: the list is the session's, whoever made the call. */
  readonly ofSession: boolean
}

type OpenCall =
  { readonly tool: 'TodoWrite'; readonly track: string; readonly items: readonly TodoItem[] | null } | TaskCall

const ordinaryResult: TodoOutcome = { ordinary: true, list: null }
const settledResult: TodoOutcome = { ordinary: false, list: null }

/**
 * The todo lists of one log (formats.md 5): what `TodoWrite` wrote, a list for each track, and the Task tools' list, one for
 * each session, shared by the main agent and its subagents. Calls are told apart by id; where ids are redacted and many
 * calls share one, results answer the calls in order.
 */
export class TodoLists {
  readonly #written = new Map<string, WrittenList>()
  readonly #tasks = new Map<string, TaskList>()
  readonly #open = new Map<string, OpenCall[]>()
  /** Ids of todo calls that have been answered: the same result may be delivered twice. */
  readonly #settled = new Set<string>()

  /** A TodoWrite call. `items` null: the call has no list, so it has no event either. */
  write(track: string, id: string, items: readonly TodoItem[] | null): void {
    this.#push(id, { tool: 'TodoWrite', track, items })
    if (items !== null) this.#writtenBy(track).call(id, items)
  }

  call(id: string, call: TaskCall): void {
    this.#push(id, call)
  }

  result(track: string, session: string, result: ResultStep): TodoOutcome {
    const call = this.#take(result.id)
    if (call === undefined) {
      // Delivered twice. Where ids are redacted, other tools share the id: their answers are theirs.
      const again = this.#settled.has(result.id) && (result.aboutTodos || result.rejected)
      return again ? settledResult : this.#orphan(track, session, result)
    }
    if (call.tool === 'TodoWrite') {
      this.#settled.add(result.id)
      return this.#writeAnswered(call, result)
    }
    if (call.tool === 'TaskGet') {
      if (!result.rejected && result.tasks?.says === 'got') this.#tasksOf(session).learn(result.tasks.task)
      return ordinaryResult
    }
    if (call.tool === 'TaskList') return this.#listed(session, result)
    this.#settled.add(result.id)
    if (result.rejected || result.tasks === null) return settledResult
    return this.#taskChanged(session, call, result.tasks)
  }

  /** The list a user line states: true when it is news. */
  resync(track: string, items: readonly TodoItem[]): boolean {
    const list = this.#writtenBy(track)
    if (sameItems(list.current(), items)) return false
    list.settle(items)
    return true
  }

  #push(id: string, call: OpenCall): void {
    const calls = this.#open.get(id)
    if (calls === undefined) this.#open.set(id, [call])
    else calls.push(call)
  }

  #take(id: string): OpenCall | undefined {
    const calls = this.#open.get(id)
    const call = calls?.shift()
    if (calls?.length === 0) this.#open.delete(id)
    return call
  }

  #writeAnswered(call: OpenCall & { tool: 'TodoWrite' }, result: ResultStep): TodoOutcome {
    const list = this.#writtenBy(call.track)
    if (result.rejected) {
      const restored = call.items === null ? null : list.reject(result.id)
      return { ordinary: false, list: restored === null ? null : { items: restored, body: -1, ofSession: false } }
    }
    const stated = result.newTodos
    const news = stated !== null && (call.items === null || !sameItems(stated.items, call.items))
    const latest = list.accept(result.id, news ? stated.items : call.items, call.items !== null)
    return { ordinary: false, list: news && latest ? { ...stated, ofSession: false } : null }
  }

  /** A result without its call: the log starts late. Only shapes that no other tool has are believed. */
  #orphan(track: string, session: string, result: ResultStep): TodoOutcome {
    if (result.rejected) return ordinaryResult
    if (result.newTodos !== null) {
      this.#settled.add(result.id)
      const news = this.resync(track, result.newTodos.items)
      return { ordinary: false, list: news ? { ...result.newTodos, ofSession: false } : null }
    }
    const { tasks } = result
    if (tasks === null || !tasks.structured || tasks.says === 'got') return ordinaryResult
    if (tasks.says === 'listed') return tasks.tasks.length === 0 ? ordinaryResult : this.#listed(session, result)
    this.#settled.add(result.id)
    return this.#taskChanged(session, undefined, tasks)
  }

  /** A TaskList result is authoritative. Its call has a row of its own, so the result has one as well. */
  #listed(session: string, result: ResultStep): TodoOutcome {
    if (result.rejected || result.tasks?.says !== 'listed') return ordinaryResult
    const tasks = this.#tasksOf(session)
    const before = tasks.items()
    tasks.replace(result.tasks.tasks)
    const items = tasks.items()
    return { ordinary: true, list: sameItems(before, items) ? null : { items, body: -1, ofSession: true } }
  }

  #taskChanged(session: string, call: TaskCall | undefined, answer: TaskAnswer): TodoOutcome {
    const tasks = this.#tasksOf(session)
    if (answer.says === 'created') {
      tasks.create(answer.id, answer.subject)
    } else if (answer.says === 'updated' && answer.changed) {
      const asked = call?.tool === 'TaskUpdate' ? call : undefined
      tasks.update(answer.id, asked?.subject, answer.to ?? asked?.status)
    } else {
      return settledResult
    }
    return { ordinary: false, list: { items: tasks.items(), body: -1, ofSession: true } }
  }

  #writtenBy(track: string): WrittenList {
    let list = this.#written.get(track)
    if (list === undefined) this.#written.set(track, (list = new WrittenList()))
    return list
  }

  #tasksOf(session: string): TaskList {
    let list = this.#tasks.get(session)
    if (list === undefined) this.#tasks.set(session, (list = new TaskList()))
    return list
  }
}

/** The TodoWrite list of one track: what was accepted last, and calls not yet answered. */
class WrittenList {
  #settled: readonly TodoItem[] = []
  #pending: { id: string; items: readonly TodoItem[] }[] = []

  current(): readonly TodoItem[] {
    return this.#pending.at(-1)?.items ?? this.#settled
  }

  call(id: string, items: readonly TodoItem[]): void {
    this.#pending.push({ id, items })
  }

  settle(items: readonly TodoItem[]): void {
    this.#settled = items
    this.#pending = []
  }

  /** The list as it was before the call; null when a later call has replaced it meanwhile. */
  reject(id: string): readonly TodoItem[] | null {
    const index = this.#pending.findIndex((call) => call.id === id)
    if (index === -1) return null
    const latest = index === this.#pending.length - 1
    this.#pending.splice(index, 1)
    return latest ? this.current() : null
  }

  /** Settles the list of a call. False when a later call has replaced it meanwhile. */
  accept(id: string, items: readonly TodoItem[] | null, called: boolean): boolean {
    const index = this.#pending.findIndex((call) => call.id === id)
    if (called && index === -1) return false
    if (items !== null) this.#settled = items
    // Earlier calls that were never answered are history.
    this.#pending.splice(0, index + 1)
    return this.#pending.length === 0
  }
}

/** The Task tools' list of one session, by id. */
class TaskList {
  #tasks = new Map<string, TodoItem>()
  /** Ids met in an update before anything told their subject. */
  readonly #unnamed = new Set<string>()

  /** In the order of the ids, which count up. */
  items(): readonly TodoItem[] {
    const entries = [...this.#tasks]
    entries.sort(([a], [b]) => byNumber(a, b))
    return entries.map(([, item]) => item)
  }

  create(id: string, subject: string): void {
    // Ids only ever count up, so an id given anew means that the list was reset outside the log.
    if (this.#tasks.has(id) && !this.#unnamed.has(id)) this.#tasks.clear()
    this.#set(id, subject, 'pending')
  }

  update(id: string, subject: string | undefined, status: TodoStatus | 'deleted' | undefined): void {
    const known = this.#tasks.get(id)
    if (status === 'deleted') {
      this.#tasks.delete(id)
      return
    }
    this.#set(id, subject ?? (this.#unnamed.has(id) ? undefined : known?.text), status ?? known?.status ?? 'pending')
  }

  replace(tasks: readonly Task[]): void {
    const before = this.#tasks
    this.#tasks = new Map()
    for (const task of tasks) this.#set(task.id, task.subject, task.status ?? before.get(task.id)?.status ?? 'pending')
  }

  /** TaskGet changes nothing, but may tell the subject of a task that was made elsewhere. */
  learn(task: Task): void {
    const known = this.#tasks.get(task.id)
    if (known !== undefined && this.#unnamed.has(task.id)) this.#set(task.id, task.subject, known.status)
  }

  #set(id: string, subject: string | undefined, status: TodoStatus): void {
    const named = subject !== undefined && subject.trim() !== ''
    if (named) this.#unnamed.delete(id)
    else this.#unnamed.add(id)
    this.#tasks.set(id, { text: named ? subject : `Task #${id}`, status })
  }
}

function byNumber(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  // Ids that are no numbers come last, in the order they were met.
  if (!Number.isNaN(difference)) return difference
  return (Number.isNaN(Number(a)) ? 1 : 0) - (Number.isNaN(Number(b)) ? 1 : 0)
}

function sameItems(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  return (
    a.length === b.length && a.every((item, index) => item.text === b[index]?.text && item.status === b[index]?.status)
  )
}
