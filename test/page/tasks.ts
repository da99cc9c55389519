import { HostError } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import type { Task } from '#contract/tasks.ts'
import type { TestHost } from './host.ts'

type TaskHandlers = Pick<Handlers, Extract<keyof Handlers, `task.${string}`>>

/** Tasks as a host keeps them, for tests of the page. */
export interface CannedTasks {
  readonly handlers: TaskHandlers
  /** Of the session, in their order. */
  titles(): string[]
  /** The next call of this method is refused with `message`. */
  refuse(method: keyof TaskHandlers, message: string): void
  /** Calls that come from now on are answered when the function is called that this gives. */
  hold(): () => void
  /** Another window does something: the page is told. */
  byOthers(change: (tasks: Task[]) => void): void
}

/** `first`: titles of a person's tasks that are there. `host`: who tells the page of changes, as soon as there is one. */
export function cannedTasks(first: readonly string[], host: () => Pick<TestHost, 'say'>): CannedTasks {
  const session = 's'
  let count = 0
  let held = Promise.resolve()
  const refusals = new Map<string, string>()
  const task = (title: string): Task => ({
    id: `user-${count++}`,
    session_id: session,
    title,
    status: 'pending',
    description: null,
    sort_order: 0,
    source: 'user',
    created_at: 0,
    updated_at: 0
  })
  const tasks = first.map(task)
  const sdk: Task = { ...task('Of the agent'), id: `sdk-${session}-0`, source: 'sdk' }
  const tell = () => host().say('task.changed', { session })
  const placeOf = (id: string) => {
    const place = tasks.findIndex((each) => each.id === id)
    if (place < 0) throw new HostError('not-found', 'There is no such task.')
    return place
  }

  function answering<P, R>(method: keyof TaskHandlers, change: (params: P) => R): (params: P) => Promise<R> {
    return async (params) => {
      await held
      const refusal = refusals.get(method)
      refusals.delete(method)
      if (refusal !== undefined) throw new HostError('internal', refusal)
      const answer = change(params)
      if (method !== 'task.list') tell()
      return answer
    }
  }

  return {
    handlers: {
      'task.list': answering('task.list', () => ({ tasks: [sdk, ...tasks] })),
      'task.add': answering('task.add', ({ title }) => {
        const added = task(title)
        tasks.push(added)
        return added
      }),
      'task.edit': answering('task.edit', ({ task: id, title, status }) => {
        const place = placeOf(id)
        const before = tasks[place]!
        return (tasks[place] = { ...before, title: title ?? before.title, status: status ?? before.status })
      }),
      'task.move': answering('task.move', ({ task: id, place }) => {
        const [moved] = tasks.splice(placeOf(id), 1)
        tasks.splice(place, 0, moved!)
        return moved!
      }),
      'task.remove': answering('task.remove', ({ task: id }) => {
        const place = placeOf(id)
        const [removed] = tasks.splice(place, 1)
        return { ...removed!, sort_order: place }
      }),
      'task.restore': answering('task.restore', ({ task: removed }) => {
        tasks.splice(removed.sort_order, 0, removed)
        return removed
      })
    },
    titles: () => tasks.map(({ title }) => title),
    refuse: (method, message) => void refusals.set(method, message),
    hold() {
      let release = () => {}
      held = new Promise((resolve) => (release = resolve))
      return () => release()
    },
    byOthers(change) {
      change(tasks)
      tell()
    }
  }
}
