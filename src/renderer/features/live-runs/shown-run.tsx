import { createContext, type ReactNode, useContext } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { useApp } from '../../stores/app-store.ts'
import { useRunOf } from '../../stores/use-live-runs.ts'

const ShownRunContext = createContext<LiveRun | null>(null)

/** Provides the live run whose recording is shown. */
export function ShownRun({ children }: { children: ReactNode }) {
  const path = useApp((app) => app.logs.find(({ log }) => log === app.active)?.path)
  return <ShownRunContext value={useRunOf(path) ?? null}>{children}</ShownRunContext>
}

/** The live run whose recording is shown, else null. */
export function useShownRun(): LiveRun | null {
  return useContext(ShownRunContext)
}
