import { folderPart, lastName } from '#core/paths/path-names.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import { useApp } from '../../stores/app-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatBytes } from '../../ui/format.ts'
import { runName } from './run-words.ts'

/** Asks first, because a deleted recording cannot be restored. */
export function RemoveRunDialog({ run, onClose }: { run: LiveRun; onClose: () => void }) {
  const removeRun = useApp((app) => app.removeRun)
  const isOwn = isInOwnFolder(run)
  return (
    <Dialog title="Delete this run?" className="remove-run" onClose={onClose}>
      <div className="remove-run-said">
        <p className="medium cut">{runName(run)}</p>
        <p className="t2">
          {isOwn
            ? `This deletes the recording (${formatBytes(run.stdoutBytes)}), the prompt and the standard error. This cannot be undone.`
            : 'This deletes the prompt and the standard error. This cannot be undone. The recording is kept:'}
        </p>
        {!isOwn && <code className="cut">{run.recording}</code>}
      </div>
      <div className="remove-run-foot">
        <button type="button" className="btn big edged" data-first onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn big danger"
          onClick={() => {
            onClose()
            void removeRun(run)
          }}
        >
          Delete
        </button>
      </div>
    </Dialog>
  )
}

/** Playhead records each run in a folder with the run's name; a person may have chosen another file. */
function isInOwnFolder({ recording, run }: LiveRun): boolean {
  return lastName(folderPart(recording)) === run
}
