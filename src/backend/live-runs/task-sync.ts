import type { CallResult, SessionTodos, Told } from '#core/bridge/run-stream.ts'
import { taskMethods } from '#contract/tasks.ts'
import { TaskStore } from '../tasks/task-store.ts'

/** What results are kept by. */
const Named = taskMethods['tool.result'].params

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
    if (results.length > 0) this.#try(() => this.#report(results))
  }

  close(): void {
    this.#store?.close()
  }

  #sync({ session, todos }: SessionTodos): void {
    if (this.#store?.syncSdkTasks(session, todos) === true) this.#hear.tasks(session)
  }

  #report(results: readonly CallResult[]): void {
    // One that cannot be kept does not take the others with it.
    const kept = results.filter(({ session, tool }) => Named.safeParse({ session, tool }).success)
    for (const { session, tool } of this.#store?.reportResults(kept) ?? []) this.#hear.result(session, tool)
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
    if (!this.#failed) this.#hear.problem(`Some tasks or tool results are not stored: ${reason}`)
    this.#failed = true
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
