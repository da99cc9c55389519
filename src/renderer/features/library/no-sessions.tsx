import { useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { LostRuns } from '../live-runs/lost-runs.tsx'
import { RootList } from './root-list.tsx'

const fewRoots = 8

/** No sessions found: the searched folders, why each is empty, and what to do. */
export function NoSessions() {
  const roots = useLibrary(({ status }) => status?.roots ?? [])
  const lookAgain = useLibrary((state) => state.lookAgain)
  const { setDialog, showRunForm, openLog } = useApp('setDialog', 'showRunForm', 'openLog')
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  const sample = useApp((app) => app.capabilities?.sample ?? null)
  const [all, setAll] = useState(false)
  // Folders with an error come before missing ones.
  const sorted = roots.toSorted((one, other) => Number(one.isMissing) - Number(other.isMissing))
  const shown = all ? sorted : sorted.slice(0, fewRoots)
  return (
    <div className="nothing">
      <div>
        <h2>No sessions found on this machine</h2>
        <p className="t2">Playhead scanned the folders where agents keep their logs. It only reads them.</p>
        <RootList roots={shown} />
        <div className="nothing-actions">
          <button type="button" className="btn big edged" onClick={() => setDialog('folders')}>
            <Icon name="add-folder" />
            Add a folder…
          </button>
          <button type="button" className="btn big edged" onClick={() => setDialog('open')}>
            <Icon name="open" />
            Open a log…
          </button>
          {startsRuns && (
            <button type="button" className="btn big edged" onClick={showRunForm}>
              <Icon name="add" />
              New run
            </button>
          )}
          <button type="button" className="btn big" onClick={() => void lookAgain()}>
            Scan again
          </button>
        </div>
        <p className="t2">
          {shown.length < roots.length && (
            <>
              {formatPlural(roots.length - shown.length, 'more folder was', 'more folders were')} scanned:{' '}
              <button type="button" className="link" onClick={() => setAll(true)}>
                show all
              </button>
              .{' '}
            </>
          )}
          {sample !== null && (
            <>
              New to Playhead?{' '}
              <button type="button" className="link" onClick={() => void openLog(sample)}>
                Open the sample log
              </button>
            </>
          )}
        </p>
        <LostRuns />
      </div>
    </div>
  )
}
