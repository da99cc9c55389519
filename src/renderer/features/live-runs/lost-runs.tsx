import { useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { canGoOn } from '../../stores/going-on.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatBytes, formatPlural, formatWhen } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { agentName, runName, runNote } from './run-words.ts'

const maxOffered = 3

/** On the start screen: runs that were running when Playhead ended, until the person handles them. */
export function LostRuns() {
  const { runs, seen, markSeen } = useLiveRuns('runs', 'seen', 'markSeen')
  const { openRun, runAgain, goOn } = useApp('openRun', 'runAgain', 'goOn')
  const [now] = useState(() => Date.now())
  const lost = runs.filter(({ run, state }) => state === 'lost' && !seen.has(run))
  if (lost.length === 0) return null
  return (
    <section className="lost-runs" aria-label="Lost runs">
      <h2 className="start-title">{formatPlural(lost.length, 'lost run')}</h2>
      <ul>
        {lost.slice(0, maxOffered).map((run) => (
          <li key={run.run} className="lost-run">
            <Icon name="lost" tone="s-violation" />
            <div className="grow">
              <p className="medium cut" title={run.prompt.slice(0, 1000)}>
                {runName(run)}
              </p>
              <p className="t2">{runNote(run)}</p>
              <p className="caption t3 cut">
                {agentName(run)} · {formatWhen(run.startedAt, now)} · {formatBytes(run.stdoutBytes)} · {run.cwd}
              </p>
              <p className="lost-choices">
                <button type="button" className="btn edged" onClick={() => void openRun(run)}>
                  Open the recording
                </button>
                {canGoOn(run.agent, run.sessionId) && (
                  <button type="button" className="btn edged" onClick={() => void goOn(run.recording)}>
                    Go on…
                  </button>
                )}
                <button type="button" className="btn edged" onClick={() => void runAgain(run)}>
                  Run again
                </button>
              </p>
            </div>
            <IconButton small icon="close" label={`Dismiss: ${runName(run)}`} onClick={() => markSeen(run.run)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
