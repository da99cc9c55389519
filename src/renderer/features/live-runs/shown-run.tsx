import { createContext, type ReactNode, useContext } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { useApp } from '../../stores/app-store.ts'
import { useRunOf } from '../../stores/use-live-runs.ts'

const ShownRunContext = createContext<LiveRun | null>(null)

/** Around what shows a log: of which live run that is the recording. */
export function ShownRun({ children }: { children: ReactNode }) {
  const path = useApp((app) => app.logs.find(({ log }) => log === app.active)?.path)
  return <ShownRunContext value={useRunOf(path) ?? null}>{children}</ShownRunContext>
}

/** The live run whose recording is shown; null: what is shown is none. */
export function useShownRun(): LiveRun | null {
  return useContext(ShownRunContext)
}
