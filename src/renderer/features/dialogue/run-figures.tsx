import { useEffect, useState } from 'react'
import type { LiveRun, RunDialogue } from '#contract/live-runs.ts'
import { formatDuration } from '../../ui/format.ts'

/** "$0.12 of $2.50", as far as the agent states it. */
export function RunCost({ run, dialogue: { spent } }: { run: LiveRun; dialogue: RunDialogue }) {
  const most = run.limits?.usd ?? null
  if (spent.usd === null && most === null) return null
  const near = most !== null && spent.usd !== null && spent.usd >= 0.8 * most
  const text = `${spent.usd === null ? '–' : `$${spent.usd.toFixed(2)}`}${most === null ? '' : ` of $${most.toFixed(2)}`}`
  return (
    <span
      className={near ? 'num s-violation run-bar-cost' : 'num t2 run-bar-cost'}
      title="Cost so far, as the agent states it"
    >
      {text}
    </span>
  )
}

const silentMs = 120_000

/** "silent for 3m": how long a working agent has printed nothing. Nothing before two minutes. */
export function Silence({ dialogue: { turn, printedAt } }: { dialogue: RunDialogue }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  if (turn !== 'working' || printedAt === null || now - printedAt < silentMs) return null
  return (
    <span className="t2 run-bar-left" title="The agent has printed nothing since then">
      silent for {formatDuration(Math.floor((now - printedAt) / 60_000) * 60_000)}
    </span>
  )
}
