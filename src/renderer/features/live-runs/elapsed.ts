import { useEffect, useState } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { useLost } from '../../stores/app-store.ts'
import { isGoing } from '../../stores/live-runs-store.ts'
import { elapsedAt } from '../../stores/run-clock.ts'

/** How long a run has taken so far, in ms; of one that has ended, how long it took. Told anew with each second. null: that is not known. */
export function useElapsed(run: LiveRun): number | null {
  const lost = useLost()
  const going = isGoing(run) && !lost
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (!going) return
    const past = elapsedAt(run, performance.now())
    const timer = setTimeout(() => setNow(performance.now()), 1000 - (past % 1000))
    return () => clearTimeout(timer)
  }, [now, going, run])
  return going || run.endedAt !== null ? elapsedAt(run, now) : null
}
