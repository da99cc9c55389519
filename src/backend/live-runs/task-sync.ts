import { messageOf } from '#contract/host-error.ts'
import type { CallResult, SessionTodos, StreamOutput } from '#core/bridge/run-stream.ts'
import { taskMethods } from '#contract/tasks.ts'
import { TaskStore } from '../tasks/task-store.ts'

/** Limits of stored ids. */
const Named = taskMethods['tool.result'].params

/** Callbacks after a store. */
export interface TaskListener {
  tasks(session: string): void
  result(session: string, tool: string): void
  /** Reports a failed store once, a sentence. */
  problem(message: string): void
}

/** Stores todos and tool results of an agent. Without a database nothing is stored. */
export class TaskSync {
  readonly #store: TaskStore | null
  readonly #listener: TaskListener
  #failed = false

  private constructor(store: TaskStore | null, listener: TaskListener) {
    this.#store = store
    this.#listener = listener
  }

  /** `path` null: nothing is stored or reported. */
  static async open(path: string | null, listener: TaskListener): Promise<TaskSync> {
    if (path === null) return new TaskSync(null, listener)
    try {
      return new TaskSync(await TaskStore.open(path, { warn: (sentence) => listener.problem(sentence) }), listener)
    } catch (error) {
      listener.problem(`Tasks and tool results are not stored: ${messageOf(error)}`)
      return new TaskSync(null, listener)
    }
  }

  /** Stores lists and results in order; a later result of a call does not always count. */
  store({ todos, results }: StreamOutput): void {
    for (const list of todos) this.#try(() => this.#sync(list))
    if (results.length > 0) this.#try(() => this.#report(results))
  }

  close(): void {
    this.#store?.close()
  }

  #sync({ session, todos }: SessionTodos): void {
    if (this.#store?.syncSdkTasks(session, todos) === true) this.#listener.tasks(session)
  }

  #report(results: readonly CallResult[]): void {
    // One with invalid ids does not prevent the others.
    const kept = results.filter(({ session, tool }) => Named.safeParse({ session, tool }).success)
    for (const { session, tool } of this.#store?.reportResults(kept) ?? []) this.#listener.result(session, tool)
    if (kept.length < results.length) this.#failedBy('the id of a call or of its session is empty, or too long')
  }

  #try(store: () => void): void {
    try {
      store()
    } catch (error) {
      this.#failedBy(messageOf(error))
    }
  }

  #failedBy(reason: string): void {
    if (!this.#failed) this.#listener.problem(`Some tasks or tool results are not stored: ${reason}`)
    this.#failed = true
  }
}
