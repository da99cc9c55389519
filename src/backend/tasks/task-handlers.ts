import { messageOf } from '#contract/host-error.ts'
import type { Handlers, Notice, NoticeName } from '#contract/methods.ts'
import type { taskMethods } from '#contract/tasks.ts'
import { TaskStore } from './task-store.ts'

export interface TaskHandlersOptions {
  /** The database, created when it is first needed. */
  readonly path: string
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** Failures, as sentences for people. */
  readonly problem: (message: string) => void
  readonly now: () => number
}

/** Sessions that are watched for changes, the latest ones that pages asked for. */
const maxWatched = 100
/** Polls for changes by hooks, live runs and other hosts. An empty poll costs microseconds. */
const pollMs = 500
/** Short, because it blocks the host's main thread. */
const waitMs = 2000

/** The methods about tasks. Pages are notified of every change of a session they asked for. */
export class TaskHandlers {
  readonly handlers: Pick<Handlers, keyof typeof taskMethods> = {
    'task.list': async ({ session }) => {
      const store = await this.#store()
      this.#watch(store, session)
      return { tasks: store.tasks(session) }
    },
    'task.add': async (params) => this.#changed((await this.#store()).add(params)),
    'task.edit': async (params) => this.#changed((await this.#store()).edit(params)),
    'task.move': async (params) => this.#changed((await this.#store()).move(params)),
    'task.remove': async ({ task }) => this.#changed((await this.#store()).remove(task)),
    'task.restore': async ({ task }) => this.#changed((await this.#store()).restore(task)),
    'tool.result': async ({ session, tool }) => {
      const store = await this.#store()
      this.#watch(store, session)
      return { result: store.result(session, tool) }
    }
  }
  readonly #options: TaskHandlersOptions
  #opening: Promise<TaskStore> | null = null
  /** The last change sent to pages, by session; the session asked for last is at the end. */
  readonly #watched = new Map<string, number>()
  #version = ''
  #timer: NodeJS.Timeout | null = null
  #problem = ''

  constructor(options: TaskHandlersOptions) {
    this.#options = options
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    const store = await this.#opening?.catch(() => null)
    store?.close()
  }

  /** Opened once; a failure is tried again by the next call. */
  #store(): Promise<TaskStore> {
    const { path, problem, now } = this.#options
    this.#opening ??= TaskStore.open(path, { now, warn: problem, waitMs }).catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  #changed<T extends { session_id: string }>(task: T): T {
    this.#options.notify('task.changed', { session: task.session_id })
    return task
  }

  #watch(store: TaskStore, session: string): void {
    const known = this.#watched.get(session) ?? store.changes(session, null).at
    this.#watched.delete(session)
    this.#watched.set(session, known)
    for (const oldest of this.#watched.keys()) {
      if (this.#watched.size <= maxWatched) break
      this.#watched.delete(oldest)
    }
    if (this.#timer !== null) return
    this.#version = store.version()
    this.#timer = setInterval(() => this.#poll(store), pollMs)
    this.#timer.unref()
  }

  #poll(store: TaskStore): void {
    const { notify, problem } = this.#options
    try {
      const version = store.version()
      if (version === this.#version) return
      for (const [session, known] of this.#watched) {
        const { at, tasks, tools } = store.changes(session, known)
        this.#watched.set(session, at)
        if (tasks || at < known) notify('task.changed', { session })
        for (const tool of tools) notify('tool.reported', { session, tool })
      }
      this.#version = version
    } catch (error) {
      // The next poll tries again; each message is reported once.
      const message = messageOf(error)
      if (message !== this.#problem) problem(message)
      this.#problem = message
    }
  }
}
