import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** The comparison of two logs, of which the page has one. */
export const useCompare = storeHook(function useStore() {
  return useApp((app) => app.compare)
})
