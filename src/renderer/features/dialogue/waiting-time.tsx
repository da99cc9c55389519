import { useEffect, useState } from 'react'
import { formatElapsed } from '../../ui/format.ts'

/** "waits 0:48". `since`: in ms since the epoch, by the host's clock. */
export function WaitingTime({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span className="num t2">waits {formatElapsed(Math.max(0, now - since))}</span>
}
