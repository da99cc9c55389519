import { useApp } from './app-store.ts'
import type { LibraryState } from './library-store.ts'
import { storeHook } from './store-hook.ts'

/** All sessions on this machine. */
export const useLibrary = storeHook(function useStore() {
  return useApp((app) => app.library)
})

/** Whether the library is shown: instead of the start screen, and no log. */
export function useLibraryShown(): boolean {
  const none = useApp((app) => app.active === null && app.connection !== 'connecting')
  const there = useLibrary(({ presence }) => presence === 'there')
  return none && there
}

/** Whether the scan found no session. */
export function isLibraryEmpty({ overview, status }: LibraryState): boolean {
  return overview?.facets.all === 0 && status?.phase === 'idle' && status.sessions === 0
}
