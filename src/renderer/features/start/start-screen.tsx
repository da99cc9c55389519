import './start.css'
import { useEffect, useId } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { LostRuns } from '../live-runs/lost-runs.tsx'
import { NewRunForm } from '../new-run/new-run-form.tsx'
import { OpenForm } from './open-form.tsx'
import { RecentList } from './recent-list.tsx'

/** Shown while no log is open. */
export function StartScreen() {
  const sample = useApp((app) => app.capabilities?.sample ?? null)
  const openLog = useApp((app) => app.openLog)
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  const newRunTitle = useId()
  usePastedFiles()
  return (
    <div className="start" data-two={startsRuns || undefined}>
      <div className="start-column">
        <h2 className="start-head">Open a run</h2>
        <p className="t2">
          What Claude Code, Codex CLI, Gemini CLI or Cursor printed or saved, or normalized JSONL. Playhead never writes
          to it.
        </p>
        <OpenForm />
        {sample !== null && (
          <p className="t2 start-sample">
            Nothing at hand?{' '}
            <button type="button" className="link" onClick={() => void openLog(sample)}>
              Open the sample run
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
            <kbd>r</kbd>
          </header>
          <NewRunForm />
        </section>
      )}
    </div>
  )
}

/** A file or a path pasted outside a field is opened; a field keeps its paste. */
function usePastedFiles(): void {
  const openFiles = useApp((app) => app.openFiles)
  const openLog = useApp((app) => app.openLog)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (isField || clipboardData === null) return
      const files = [...clipboardData.files]
      const path = clipboardData.getData('text/plain').trim()
      if (files.length > 0) void openFiles(files)
      else if (path !== '' && !path.includes('\n')) void openLog(path)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [openFiles, openLog])
}
