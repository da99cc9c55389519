import type { Host } from '#contract/methods.ts'
import { UserTasks } from './user-tasks.ts'

/** A person's own tasks by session, because all logs of a session share them. */
export class TasksBySession {
  readonly #host: Host
  readonly #known = new Map<string, UserTasks>()

  constructor(host: Host) {
    this.#host = host
    host.on('task.changed', ({ session }) => void this.#known.get(session)?.read())
  }

  of(session: string): UserTasks {
    const known = this.#known.get(session) ?? new UserTasks(this.#host, session)
    this.#known.set(session, known)
    return known
  }

  /** Notices were missed while the connection was lost. */
  reload(): void {
    for (const tasks of this.#known.values()) void tasks.read()
  }
}
