import type { LiveRun } from '#contract/live-runs.ts'
import { useApp } from './app-store.ts'
import { storeHook } from './store-hook.ts'

/** The agents, and the runs started on this machine. */
export const useLiveRuns = storeHook(function useStore() {
  return useApp((app) => app.liveRuns)
})

/** The run whose recording is the file at `path`; undefined for none. */
export function useRunOf(path: string | undefined): LiveRun | undefined {
  return useLiveRuns(({ runs }) => runs.find(({ recording }) => recording === path))
}
