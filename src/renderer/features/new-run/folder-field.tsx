import { lastName, lastNames } from '#core/paths/path-names.ts'
import { useMemo } from 'react'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { FormField, LineInput } from './form-field.tsx'
import { recentFolders } from './recent-choices.ts'

const maxFolders = 4

/** The working folder of the agent: a path, or a recent one. */
export function FolderField() {
  const cwd = useNewRun(({ draft }) => draft.cwd)
  const problem = useNewRun(({ problems }) => problems.cwd)
  const change = useNewRun((state) => state.change)
  const runs = useLiveRuns((state) => state.runs)
  const folders = useMemo(() => recentFolders(runs, maxFolders), [runs])
  // A session can only go on in its folder.
  const isFixed = useNewRun(({ draft }) => draft.resumes !== null)
  const others = isFixed ? [] : folders.filter((folder) => folder !== cwd.trim())
  return (
    <FormField
      label="Folder"
      problem={problem}
      note={
        others.length > 0 && (
          <p className="recent-folders t3">
            Recent:
            {others.map((folder) => (
              <button
                key={folder}
                type="button"
                className="link cut"
                title={folder}
                onClick={() => change({ cwd: folder })}
              >
                {nameOf(folder, folders)}
              </button>
            ))}
          </p>
        )
      }
    >
      {(ids) => (
        <LineInput
          ids={ids}
          className="mono"
          maxLength={4096}
          placeholder="/home/me/project"
          readOnly={isFixed && problem === undefined && cwd !== ''}
          value={cwd}
          onWrite={(text) => change({ cwd: text })}
        />
      )}
    </FormField>
  )
}

/** The folder's name, with its parent's name if another folder has the same one. */
function nameOf(folder: string, all: readonly string[]): string {
  const isShared = all.some((other) => other !== folder && lastName(other) === lastName(folder))
  return lastNames(folder, isShared ? 2 : 1) || folder
}
