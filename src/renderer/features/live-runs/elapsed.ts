import { useEffect, useState } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { isGoing } from '../../stores/live-runs-store.ts'

/** How long a run has taken so far, in ms; of one that has ended, how long it took. Told anew with each second. */
export function useElapsed(run: LiveRun): number | null {
  const going = isGoing(run)
  const [now, setNow] = useState(() => Date.now())
  const elapsed = (run.endedAt ?? now) - run.startedAt
  useEffect(() => {
    if (!going) return
    const past = Date.now() - run.startedAt
    // The clock of the host may be ahead of the page's.
    const timer = setTimeout(() => setNow(Date.now()), 1000 - (Math.max(0, past) % 1000))
    return () => clearTimeout(timer)
  }, [now, going, run.startedAt])
  return going || run.endedAt !== null ? Math.max(0, elapsed) : null
}
