import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** The form of a new run. */
export const useNewRun = storeHook(function useStore() {
  return useApp((app) => app.newRun)
})
