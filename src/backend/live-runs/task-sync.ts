import type { CallResult, SessionTodos, Told } from '#core/bridge/run-stream.ts'
import { TaskStore } from '../tasks/task-store.ts'

/** Who is told what was stored. */
export interface TaskListener {
  tasks(session: string): void
  result(session: string, tool: string): void
  /** Why it is not stored, a sentence. Said once. */
  problem(message: string): void
}

/** Stores an agent's todos and the results of its calls. Where there is no database, nothing is stored and all else goes on. */
export class TaskSync {
  readonly #store: TaskStore | null
  readonly #hear: TaskListener
  #failed = false

  private constructor(store: TaskStore | null, hear: TaskListener) {
    this.#store = store
    this.#hear = hear
  }

  /** `path` null: nothing is stored, and nothing said about it. */
  static async open(path: string | null, hear: TaskListener): Promise<TaskSync> {
    if (path === null) return new TaskSync(null, hear)
    try {
      return new TaskSync(await TaskStore.open(path, { say: (sentence) => hear.problem(sentence) }), hear)
    } catch (error) {
      hear.problem(`Tasks and tool results are not stored: ${messageOf(error)}`)
      return new TaskSync(null, hear)
    }
  }

  /** Stores what was told; of a call with several results all, in their order, since a later one does not always count. */
  take({ todos, results }: Told): void {
    for (const list of todos) this.#try(() => this.#sync(list))
    for (const result of results) this.#try(() => this.#report(result))
  }

  close(): void {
    this.#store?.close()
  }

  #sync({ session, todos }: SessionTodos): void {
    if (this.#store?.syncSdkTasks(session, todos) === true) this.#hear.tasks(session)
  }

  #report(result: CallResult): void {
    if (this.#store?.reportResult(result) === true) this.#hear.result(result.session, result.tool)
  }

  #try(store: () => void): void {
    try {
      store()
    } catch (error) {
      if (!this.#failed) this.#hear.problem(`Some tasks or tool results are not stored: ${messageOf(error)}`)
      this.#failed = true
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
