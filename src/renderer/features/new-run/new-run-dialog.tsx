import { useApp } from '../../stores/app-store.ts'
import { useLibraryShown } from '../../stores/use-library.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NewRunForm } from './new-run-form.tsx'

/** The form for a new run as a dialog; the start screen contains the form itself. */
export function NewRunDialog() {
  const library = useLibraryShown()
  const open = useApp((app) => app.dialog === 'new-run' && (app.active !== null || library))
  const setDialog = useApp((app) => app.setDialog)
  const { goBack, leaveSession } = useNewRun('goBack', 'leaveSession')
  const isNew = useNewRun(({ draft }) => draft.resumes === null)
  if (!open) return null
  const close = () => {
    goBack()
    leaveSession()
    setDialog('none')
  }
  return (
    <Dialog title={isNew ? 'New run' : 'Go on with a session'} className="new-run-dialog" onClose={close}>
      <NewRunForm>
        <button type="button" className="btn big edged" onClick={close}>
          Cancel
        </button>
      </NewRunForm>
    </Dialog>
  )
}
