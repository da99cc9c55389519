import { useEffect, useState } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { useLost } from '../../stores/app-store.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { elapsedAt } from '../../stores/run-clock.ts'

/** The duration of a run in ms, so far or in total, updated every second. Null if unknown. */
export function useElapsed(run: LiveRun): number | null {
  const lost = useLost()
  const going = isOngoing(run) && !lost
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (!going) return
    const past = elapsedAt(run, performance.now())
    const timer = setTimeout(() => setNow(performance.now()), 1000 - (past % 1000))
    return () => clearTimeout(timer)
  }, [now, going, run])
  return going || run.endedAt !== null ? elapsedAt(run, now) : null
}
