import { expect } from 'vitest'
import type { LogStore } from '#renderer/stores/log-store.ts'

/** Shows the rows of a query, or all, and waits until they are found and laid out: on a busy machine that takes several slices. */
export async function filterRows(store: LogStore, text: string): Promise<void> {
  const { filtering, layout } = store.getState()
  filtering.set(text)
  const isShown = () => {
    const { search } = store.getState().filter
    const isFound = text === '' || (search.found !== null && !search.searching)
    return isFound && !layout.isBehind
  }
  await expect.poll(isShown).toBe(true)
}
