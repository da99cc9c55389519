import { messageOf } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import type { Task, TaskStatus } from '#contract/tasks.ts'
import { Listeners } from './listeners.ts'

/** A read error, or a refused change. */
export interface TaskProblem {
  readonly what: 'read' | 'change'
  /** As a sentence. */
  readonly message: string
}

/** Removed tasks that can be restored. */
const maxRemoved = 50

/** A person's own tasks for a session. Changes show at once and are sent one by one; then the tasks are read again. */
export class UserTasks {
  readonly changes = new Listeners()
  readonly session: string
  /** In their order. */
  tasks: readonly Task[] = []
  /** Whether they were read once. */
  isRead = false
  problem: TaskProblem | null = null
  /** Tasks removed since the last other change, the latest last; they can be restored. */
  removed: readonly Task[] = []
  readonly #host: Host
  #wanted = false
  #reading = false
  /** The tasks have changed since the running request. */
  #stale = false
  /** Changes without an answer, and all changes so far. */
  #sending = 0
  #sent = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(host: Host, session: string) {
    this.#host = host
    this.session = session
  }

  /** A component shows the tasks. */
  show(): void {
    if (this.#wanted) return
    this.#wanted = true
    void this.read()
  }

  /** Reads the tasks again, if a component has shown them. */
  async read(): Promise<void> {
    if (!this.#wanted) return
    this.#stale = true
    // The answer could be older or newer than a pending change.
    if (this.#reading || this.#sending > 0) return
    this.#reading = true
    while (this.#stale && this.#sending === 0) await this.#readOnce()
    this.#reading = false
  }

  /** Adds a task at the end. False if it was refused: `problem` says why. */
  async add(title: string): Promise<boolean> {
    const { session } = this
    return await this.#change({}, async () => {
      const task = await this.#host.call('task.add', { session, title })
      this.tasks = [...this.tasks, task]
    })
  }

  setStatus(task: string, status: TaskStatus): void {
    this.#edit(task, { status })
  }

  /** An empty title changes nothing. */
  setTitle(task: string, title: string): void {
    const text = title.trim()
    if (text !== '') this.#edit(task, { title: text })
  }

  /** Moves a task to an index, at most to the ends. */
  move(task: string, place: number): void {
    const to = Math.max(0, Math.min(this.tasks.length - 1, place))
    const moved = movedTo(this.tasks, task, to)
    if (moved === this.tasks) return
    void this.#change({ tasks: moved }, () => this.#host.call('task.move', { task, place: to }))
  }

  /** Successive removals can all be undone. */
  remove(task: string): void {
    const tasks = this.tasks.filter(({ id }) => id !== task)
    if (tasks.length === this.tasks.length) return
    void this.#change({ tasks, removed: this.removed }, async () => {
      const was = await this.#host.call('task.remove', { task })
      this.removed = [...this.removed, was].slice(-maxRemoved)
    })
  }

  /** Restores the last removed task. */
  undoRemove(): void {
    void this.#change({ removed: this.removed }, async () => {
      const task = this.removed.at(-1)
      if (task === undefined) return
      await this.#host.call('task.restore', { task })
      this.removed = this.removed.slice(0, -1)
    })
  }

  dismissProblem(): void {
    this.problem = null
    this.changes.notify()
  }

  #edit(task: string, change: { title?: string; status?: TaskStatus }): void {
    const known = this.tasks.find(({ id }) => id === task)
    const isSame = known?.title === (change.title ?? known?.title) && known?.status === (change.status ?? known?.status)
    if (known === undefined || isSame) return
    const changed = this.tasks.map((each) => (each === known ? { ...known, ...change } : each))
    void this.#change({ tasks: changed }, () => this.#host.call('task.edit', { task, ...change }))
  }

  /** `tasks`: the list if the host accepts the change. False if it refuses. */
  async #change(
    { tasks = this.tasks, removed = [] }: Partial<Pick<UserTasks, 'tasks' | 'removed'>>,
    send: () => Promise<unknown>
  ): Promise<boolean> {
    this.#sending++
    this.#sent++
    this.tasks = tasks
    this.removed = removed
    if (this.problem?.what === 'change') this.problem = null
    this.changes.notify()
    const sent = this.#last.then(async () => {
      try {
        await send()
        return true
      } catch (error) {
        this.problem = { what: 'change', message: messageOf(error) }
        return false
      }
    })
    this.#last = sent
    const isKept = await sent
    this.#sending--
    this.changes.notify()
    void this.read()
    return isKept
  }

  async #readOnce(): Promise<void> {
    this.#stale = false
    const sent = this.#sent
    try {
      const { tasks } = await this.#host.call('task.list', { session: this.session })
      // The answer lacks later changes of the person.
      if (sent !== this.#sent) return
      this.tasks = tasks.filter(({ source }) => source === 'user')
      this.isRead = true
      if (this.problem?.what === 'read') this.problem = null
    } catch (error) {
      this.problem ??= { what: 'read', message: messageOf(error) }
    }
    this.changes.notify()
  }
}

/** `tasks` with a task at `place`; the same list if that changes nothing. */
export function movedTo(tasks: readonly Task[], task: string, place: number): readonly Task[] {
  const from = tasks.findIndex(({ id }) => id === task)
  if (from < 0 || from === place) return tasks
  return tasks.toSpliced(from, 1).toSpliced(place, 0, ...tasks.slice(from, from + 1))
}
