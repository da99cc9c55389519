import { HostError, messageOf } from '#contract/host-error.ts'
import type { LibraryAccess } from './library-state.ts'

/** Shows an error. After a lost connection everything is requested again. */
export function showFault({ set }: LibraryAccess, error: unknown): void {
  if (error instanceof HostError && error.code === 'closed') return
  set({ fault: messageOf(error) })
}

/** Resolves to the error; null for none. */
export async function attempt(call: () => Promise<unknown>): Promise<string | null> {
  try {
    await call()
    return null
  } catch (error) {
    return messageOf(error)
  }
}
