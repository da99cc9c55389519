import type { Handlers, Notice, NoticeName } from '#contract/methods.ts'
import type { taskMethods } from '#contract/tasks.ts'
import { TaskStore } from './task-store.ts'

export interface TaskHandlersOptions {
  /** The file with the tasks of this person; begun when it is first needed. */
  readonly path: string
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** Hears of what does not work, a sentence. */
  readonly problem: (sentence: string) => void
  readonly now: () => number
}

/** Of the sessions that pages asked for, the latest are looked after. */
const maxWatched = 100
/** How often is looked for what others changed: a hook, a live run, another Playhead. A look that finds nothing costs microseconds. */
const lookMs = 500
/** The host's own thread waits here, so not for long. */
const waitMs = 2000

/** The methods about tasks. Whoever asked for a session is told when anything of it changes, whoever changed it. */
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
  /** The last change that pages know of, for each session, the one asked for last at the end. */
  readonly #watched = new Map<string, number>()
  #version = ''
  #timer: NodeJS.Timeout | null = null
  #problem = ''

  constructor(options: TaskHandlersOptions) {
    this.#options = options
  }

  /** Looks no more and closes the file. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    const store = await this.#opening?.catch(() => null)
    store?.close()
  }

  /** Opened once; where that fails it is tried again with the next call, since what was wrong may be put right. */
  #store(): Promise<TaskStore> {
    const { path, problem, now } = this.#options
    this.#opening ??= TaskStore.open(path, { now, say: problem, waitMs }).catch((error: unknown) => {
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
    this.#timer = setInterval(() => this.#look(store), lookMs)
    this.#timer.unref()
  }

  #look(store: TaskStore): void {
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
      // Looked for again, and said once.
      const message = error instanceof Error ? error.message : String(error)
      if (message !== this.#problem) problem(message)
      this.#problem = message
    }
  }
}
