import { useEffect, useState } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { isGoing } from '../../stores/live-runs-store.ts'
import { elapsedAt } from '../../stores/run-clock.ts'

/** How long a run has taken so far, in ms; of one that has ended, how long it took. Told anew with each second. */
export function useElapsed(run: LiveRun): number | null {
  const going = isGoing(run)
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (!going) return
    const past = elapsedAt(run, performance.now())
    const timer = setTimeout(() => setNow(performance.now()), 1000 - (past % 1000))
    return () => clearTimeout(timer)
  }, [now, going, run])
  return going || run.endedAt !== null ? elapsedAt(run, now) : null
}
