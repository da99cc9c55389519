import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** How the page is laid out, which is the same for all logs. */
export const useLayout = storeHook(function useStore() {
  return useApp((app) => app.layout)
})
