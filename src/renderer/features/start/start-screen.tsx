import './start.css'
import { useId } from 'react'
import { agents, agentTypes } from '#core/formats/agents.ts'
import { useApp } from '../../stores/app-store.ts'
import { keyText, useWorkingKeys } from '../../ui/shown-keys.ts'
import { LostRuns } from '../live-runs/lost-runs.tsx'
import { NewRunForm } from '../new-run/new-run-form.tsx'
import { OpenForm } from './open-form.tsx'
import { RecentList } from './recent-list.tsx'
import { usePastedFiles } from './use-pasted-files.ts'

/** Shown while no log is open. */
export function StartScreen() {
  const [shortcut] = useWorkingKeys()('r')
  const sample = useApp((app) => app.capabilities?.sample ?? null)
  const openLog = useApp((app) => app.openLog)
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  const newRunTitle = useId()
  usePastedFiles()
  return (
    <div className="start fill" data-two={startsRuns || undefined}>
      <div className="start-column vstack">
        <h2 className="start-head">Open a log</h2>
        <p className="t2">
          Output or session files of {agentTypes.map((type) => agents[type].label).join(', ')}, or normalized JSONL.
          Playhead never changes them.
        </p>
        <OpenForm />
        {sample !== null && (
          <p className="t2 start-sample">
            New to Playhead?{' '}
            <button type="button" className="link" onClick={() => void openLog(sample)}>
              Open the sample log
            </button>
          </p>
        )}
        <LostRuns />
        <RecentList />
      </div>
      {startsRuns && (
        <section className="new-run-card" aria-labelledby={newRunTitle}>
          <header>
            <h2 id={newRunTitle}>New run</h2>
            {shortcut !== undefined && <kbd>{keyText(shortcut)}</kbd>}
          </header>
          <NewRunForm />
        </section>
      )}
    </div>
  )
}
