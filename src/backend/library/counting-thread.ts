import type { MessagePort } from 'node:worker_threads'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { type Counted, countSession, type CountTask } from './count-session.ts'
import { giveWay } from './give-way.ts'

/** `workerData` of a thread that counts sessions, one after the other. */
export interface CountingTask {
  readonly role: 'library-count'
}

/** To the thread. `alone` answers `ask`. */
export type CountingCall =
  | { readonly kind: 'count'; readonly task: CountTask }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'alone'; readonly paths: ReadonlySet<string> }

/** From the thread. `ask`: which of these stand alone? */
export type CountingReport =
  { readonly kind: 'ask'; readonly paths: readonly string[] } | { readonly kind: 'counted'; readonly counted: Counted }

/** The longest rest of a thread that cannot give way, in ms. */
const longestRestMs = 50

export function serveCounting(port: MessagePort): void {
  const post = (report: CountingReport): void => port.postMessage(report)
  const givesWay = giveWay()
  let isCancelled = false
  let onAlone: (paths: ReadonlySet<string>) => void = () => {}
  const standAlone = async (paths: readonly string[]): Promise<ReadonlySet<string>> =>
    await new Promise((resolve) => {
      onAlone = resolve
      post({ kind: 'ask', paths })
    })
  const count = async (task: CountTask): Promise<void> => {
    isCancelled = false
    let since = performance.now()
    const counted = await countSession(task, standAlone, async () => {
      if (givesWay) await setImmediate()
      // At most half of the processor time.
      else await pause(Math.min(longestRestMs, performance.now() - since))
      since = performance.now()
      return !isCancelled
    })
    post({ kind: 'counted', counted })
  }
  port.on('message', (call: CountingCall) => {
    if (call.kind === 'count') void count(call.task)
    else if (call.kind === 'cancel') isCancelled = true
    else onAlone(call.paths)
  })
}
