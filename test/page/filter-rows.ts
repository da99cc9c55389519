import { expect } from 'vitest'
import type { LogStore } from '#renderer/stores/log-store.ts'

/** Shows the rows of a query, and waits until they are found. */
export async function filterRows(store: LogStore, text: string): Promise<void> {
  const { filtering } = store.getState()
  filtering.set(text)
  const isFound = () => {
    const { search } = store.getState().filter
    return text === '' || (search.found !== null && !search.searching)
  }
  await expect.poll(isFound).toBe(true)
}
