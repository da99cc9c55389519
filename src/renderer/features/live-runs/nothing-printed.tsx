import type { LiveRun } from '#contract/live-runs.ts'
import { useLost } from '../../stores/app-store.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { LiveDot } from '../live/live-dot.tsx'
import { agentName } from './run-words.ts'

/** Shown instead of the rows of a run without output. */
export function NothingPrinted({ run }: { run: LiveRun }) {
  const agent = agentName(run)
  const lost = useLost()
  if (lost && isOngoing(run)) return <p className="empty-note">No output received from {agent}.</p>
  if (!isOngoing(run)) {
    return (
      <p className="empty-note">
        {agent} printed nothing{run.stderrBytes > 0 ? ' on standard output. See “stderr” above.' : '.'}
      </p>
    )
  }
  return (
    <p className="empty-note hstack">
      <LiveDot />
      Waiting for the first line from {agent}…
    </p>
  )
}
