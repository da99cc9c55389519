import { HostError } from '#contract/host-error.ts'
import type { LibraryAccess } from './library-state.ts'

/** Shows what went wrong. What is lost with the connection is asked for again when it is back. */
export function showFault({ set }: LibraryAccess, error: unknown): void {
  if (error instanceof HostError && error.code === 'closed') return
  set({ fault: messageOf(error) })
}

/** Gives why it cannot; null where it can. */
export async function attempt(call: () => Promise<unknown>): Promise<string | null> {
  try {
    await call()
    return null
  } catch (error) {
    return messageOf(error)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
