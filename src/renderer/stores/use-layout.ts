import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** The layout of the page, the same for all logs. */
export const useLayout = storeHook(function useStore() {
  return useApp((app) => app.layout)
})
