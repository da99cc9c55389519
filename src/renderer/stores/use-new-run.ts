import { useStore } from 'zustand'
import { useApp } from './app-store.ts'
import type { NewRunState } from './new-run-store.ts'

/** The form of a new run. */
export function useNewRun<T>(selector: (state: NewRunState) => T): T {
  return useStore(
    useApp((app) => app.newRun),
    selector
  )
}
