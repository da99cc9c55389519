import type { MessagePort } from 'node:worker_threads'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { type Counted, countSession, type CountTask } from './count-session.ts'
import { giveWay } from './give-way.ts'
import type { ParentsOf } from '../sources/run-files.ts'

type Parents = Awaited<ReturnType<ParentsOf>>

/** `workerData` of a thread that counts sessions, one after the other. */
export interface CountingTask {
  readonly role: 'library-count'
  /** As in all its `CountTask`s. */
  readonly givesWay: boolean
}

/** To the thread. `parents` answers `ask`. */
export type CountingCall =
  | { readonly kind: 'count'; readonly task: CountTask }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'parents'; readonly parents: Parents }

/** From the thread. `ask`: whose are these files? */
export type CountingReport =
  { readonly kind: 'ask'; readonly paths: readonly string[] } | { readonly kind: 'counted'; readonly counted: Counted }

/** A thread that gives way rests as long as it worked, at most this long, in ms. */
const longestRestMs = 50

export function serveCounting({ givesWay }: CountingTask, port: MessagePort): void {
  const post = (report: CountingReport): void => port.postMessage(report)
  if (givesWay) giveWay()
  let isCancelled = false
  let onParents: (parents: Parents) => void = () => {}
  const parentsOf: ParentsOf = async (paths) =>
    await new Promise((resolve) => {
      onParents = resolve
      post({ kind: 'ask', paths })
    })
  const count = async (task: CountTask): Promise<void> => {
    isCancelled = false
    let since = performance.now()
    const counted = await countSession(task, parentsOf, async () => {
      if (givesWay) await pause(Math.min(longestRestMs, performance.now() - since))
      else await setImmediate()
      since = performance.now()
      return !isCancelled
    })
    post({ kind: 'counted', counted })
  }
  port.on('message', (call: CountingCall) => {
    if (call.kind === 'count') void count(call.task)
    else if (call.kind === 'cancel') isCancelled = true
    else onParents(call.parents)
  })
}
