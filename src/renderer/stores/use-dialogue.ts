import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** What a person says to interactive runs. */
export const useDialogue = storeHook(function useStore() {
  return useApp((app) => app.dialogue)
})
