import type { LiveRun } from '#contract/live-runs.ts'
import { useApp } from '../../stores/app-store.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { runName } from './run-words.ts'

/** A link to the run or session that a run goes on from; nothing for a run with a new session. */
export function RunOrigin({ run: { resumes } }: { run: LiveRun }) {
  const { openRun, openTyped } = useApp('openRun', 'openTyped')
  const before = useLiveRuns(({ runs }) => runs.find(({ run }) => run === resumes?.run))
  if (resumes === null) return null
  const name = before === undefined ? `session ${resumes.session}` : runName(before)
  return (
    <button
      type="button"
      className="link cut run-origin"
      title={before === undefined ? name : `${before.prompt.slice(0, 500)}\n\nSession ${resumes.session}`}
      onMouseDown={keepFocus}
      onClick={() => void (before === undefined ? openTyped(resumes.session) : openRun(before))}
    >
      {displayText(name)}
    </button>
  )
}
