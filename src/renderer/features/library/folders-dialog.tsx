import { type FormEvent, useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { RootList } from './root-list.tsx'

/** The searched folders: those of the agents, and those that a person adds and removes. */
export function FoldersDialog() {
  const open = useApp((app) => app.dialog === 'folders')
  const setDialog = useApp((app) => app.setDialog)
  const roots = useLibrary(({ status }) => status?.roots ?? [])
  const { addFolder, removeFolder, lookAgain } = useLibrary('addFolder', 'removeFolder', 'lookAgain')
  const [path, setPath] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  if (!open) return null
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    const why = await addFolder(path.trim())
    setProblem(why)
    if (why === null) setPath('')
  }
  return (
    <Dialog title="Library folders" className="folders-dialog" onClose={() => setDialog('none')}>
      <div className="folders-body">
        <form onSubmit={(event) => void add(event)}>
          <LabelledField
            label="Add a folder that contains logs of any agent"
            placeholder="~/logs"
            value={path}
            error={problem}
            action={
              <button type="submit" className="btn primary big" disabled={path.trim() === ''}>
                Add
              </button>
            }
            onChange={(typed) => {
              setPath(typed)
              setProblem(null)
            }}
          />
        </form>
        <RootList roots={roots} onRemove={(root) => void removeFolder(root)} />
        <div className="nothing-actions">
          <button type="button" className="btn edged" onClick={() => void lookAgain()}>
            <Icon name="again" />
            Scan again
          </button>
        </div>
        <p className="t3">
          Playhead only reads these folders. Its index is kept in its cache folder, which you can delete at any time.
        </p>
      </div>
    </Dialog>
  )
}
