import './start.css'
import { useEffect } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { OpenForm } from './open-form.tsx'
import { RecentList } from './recent-list.tsx'

/** Shown while no log is open. */
export function StartScreen() {
  const sample = useApp((app) => app.capabilities?.sample ?? null)
  const openLog = useApp((app) => app.openLog)
  usePastedFiles()
  return (
    <div className="start">
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
        <RecentList />
      </div>
    </div>
  )
}

/** A file or a path pasted outside a field is opened; a field keeps its paste. */
function usePastedFiles(): void {
  const openFiles = useApp((app) => app.openFiles)
  const openLog = useApp((app) => app.openLog)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.clipboardData === null) return
      const files = [...event.clipboardData.files]
      const path = event.clipboardData.getData('text/plain').trim()
      if (files.length > 0) void openFiles(files)
      else if (path !== '' && !path.includes('\n')) void openLog(path)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [openFiles, openLog])
}
