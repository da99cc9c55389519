import { setImmediate as nextTurn } from 'node:timers/promises'

/** The event loop is blocked this long at most. */
const sliceMs = 10

/** Runs work that yields often, in slices. Resolves with its result, or with null after `isCancelled` returned true. */
export async function runInSlices<T>(work: Generator<void, T>, isCancelled: () => boolean): Promise<T | null> {
  for (;;) {
    const end = performance.now() + sliceMs
    do {
      const { done, value } = work.next()
      if (done === true) return value
    } while (performance.now() < end)
    await nextTurn()
    if (isCancelled()) return null
  }
}
