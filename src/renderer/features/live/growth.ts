import { useEffect, useState } from 'react'
import { useApp, useLost } from '../../stores/app-store.ts'

/** A log counts as live for this time after it grew, in ms. */
const liveForMs = 10_000

/** How long ago the log `id` last grew, in ms, updated every second; null if that is not recent or unknown. */
export function useGrowth(id: string | undefined): number | null {
  const grownAt = useApp((app) => app.grownAt.get(id ?? '') ?? -Infinity)
  const lost = useLost()
  const [now, setNow] = useState(() => Date.now())
  const age = Math.max(0, now - grownAt)
  useEffect(() => {
    if (age >= liveForMs) return
    // Without a live log, `now` may be out of date.
    const timer = setTimeout(() => setNow(Date.now()), age === 0 ? 50 : 1000 - (age % 1000))
    return () => clearTimeout(timer)
  }, [age, now, grownAt])
  return age < liveForMs && !lost ? age : null
}
