import { useStore } from 'zustand'
import type { LiveRun } from '#contract/live-runs.ts'
import { useApp } from './app-store.ts'
import type { LiveRunsState } from './live-runs-store.ts'

/** The agents, and the runs that were started here. */
export function useLiveRuns<T>(selector: (state: LiveRunsState) => T): T {
  return useStore(
    useApp((app) => app.liveRuns),
    selector
  )
}

/** The run whose recording is the file at `path`; undefined: it is none that is known. */
export function useRunOf(path: string | undefined): LiveRun | undefined {
  return useLiveRuns(({ runs }) => runs.find(({ recording }) => recording === path))
}
