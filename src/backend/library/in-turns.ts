import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long nobody else has a turn, in ms. */
const sliceMs = 10

/** Does work that yields often, and lets others have their turns between. Gives its result; `isOver`: it is given up then, and the result is null. */
export async function inTurns<T>(work: Generator<void, T>, isOver: () => boolean): Promise<T | null> {
  for (;;) {
    const end = performance.now() + sliceMs
    do {
      const { done, value } = work.next()
      if (done === true) return value
    } while (performance.now() < end)
    await nextTurn()
    if (isOver()) return null
  }
}
