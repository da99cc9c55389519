import { messageOf } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import type { Task, TaskStatus } from '#contract/tasks.ts'
import { Listeners } from './listeners.ts'

/** What went wrong: the tasks could not be read, or what a person did to them was refused. */
export interface TaskProblem {
  readonly what: 'read' | 'change'
  /** For people. */
  readonly message: string
}

/** So many removed tasks can be brought back. */
const maxRemoved = 50

/**
 * A person's own tasks for one session: as the host keeps them, and what the person does to them. What they do shows at once; the host is told
 * one thing after the other, and has the last word: after it, and after what others do, the tasks are read again.
 */
export class UserTasks {
  readonly changes = new Listeners()
  readonly session: string
  /** In their order. */
  tasks: readonly Task[] = []
  /** They have been read once. */
  isRead = false
  problem: TaskProblem | null = null
  /** What was removed since anything else was done, the last one last; it can be brought back. */
  removed: readonly Task[] = []
  readonly #host: Host
  #wanted = false
  #reading = false
  /** The tasks are others now than those that are being read. */
  #stale = false
  /** Changes that the host has not answered yet, and how many there were in all. */
  #sending = 0
  #sent = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(host: Host, session: string) {
    this.#host = host
    this.session = session
  }

  /** Somebody looks at them. */
  want(): void {
    if (this.#wanted) return
    this.#wanted = true
    void this.read()
  }

  /** Asks the host for them again, where somebody has looked at them. */
  async read(): Promise<void> {
    if (!this.#wanted) return
    this.#stale = true
    // While a change is on its way an answer could be of before it, or of after it.
    if (this.#reading || this.#sending > 0) return
    this.#reading = true
    while (this.#stale && this.#sending === 0) await this.#readOnce()
    this.#reading = false
  }

  /** Adds one as the last. False: it was not kept, and `problem` says why. */
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

  /** Puts it at a place, from 0; one beyond the ends is at the end. */
  move(task: string, place: number): void {
    const to = Math.max(0, Math.min(this.tasks.length - 1, place))
    const moved = movedTo(this.tasks, task, to)
    if (moved === this.tasks) return
    void this.#change({ tasks: moved }, () => this.#host.call('task.move', { task, place: to }))
  }

  /** Several that are removed one after the other can all be brought back. */
  remove(task: string): void {
    const tasks = this.tasks.filter(({ id }) => id !== task)
    if (tasks.length === this.tasks.length) return
    void this.#change({ tasks, removed: this.removed }, async () => {
      const was = await this.#host.call('task.remove', { task })
      this.removed = [...this.removed, was].slice(-maxRemoved)
    })
  }

  /** Brings back what was removed last. */
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

  /** `tasks`: how they are if the host agrees. False: it did not. */
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
      // What a person has done meanwhile is not in it.
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

/** `tasks` with one of them at `place`; the same list where it is there already, or is none of them. */
export function movedTo(tasks: readonly Task[], task: string, place: number): readonly Task[] {
  const from = tasks.findIndex(({ id }) => id === task)
  if (from < 0 || from === place) return tasks
  return tasks.toSpliced(from, 1).toSpliced(place, 0, ...tasks.slice(from, from + 1))
}
