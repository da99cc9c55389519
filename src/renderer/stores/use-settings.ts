import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** Saved views, keys and the history. */
export const useSettings = storeHook(function useStore() {
  return useApp((app) => app.settings)
})
