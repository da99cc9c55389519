import { useEffect, useState } from 'react'
import { useApp, useLost } from '../../stores/app-store.ts'

/** How long after it last grew a log counts as live, in ms. */
const liveFor = 10_000

/** How long ago the log `id` last grew, in ms, while that is recent; null when it is not, or nobody can say. Told anew every second. */
export function useGrowth(id: string | undefined): number | null {
  const grownAt = useApp((app) => app.grownAt.get(id ?? '') ?? -Infinity)
  const lost = useLost()
  const [now, setNow] = useState(() => Date.now())
  const age = Math.max(0, now - grownAt)
  useEffect(() => {
    if (age >= liveFor) return
    // What is known of the time can be old where the log was not live.
    const timer = setTimeout(() => setNow(Date.now()), age === 0 ? 50 : 1000 - (age % 1000))
    return () => clearTimeout(timer)
  }, [age, now, grownAt])
  return age < liveFor && !lost ? age : null
}
