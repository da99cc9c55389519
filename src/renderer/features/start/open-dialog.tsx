import { useApp } from '../../stores/app-store.ts'
import { useLibraryShown } from '../../stores/use-library.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpenForm } from './open-form.tsx'

/** Opens another log. It also opens if a dropped file cannot be opened, or takes long to upload. */
export function OpenDialog() {
  const asked = useApp((app) => app.dialog === 'open')
  const typed = useApp((app) => app.openError !== null || app.candidates.length > 0 || app.sending !== null)
  const library = useLibraryShown()
  const shown = useApp((app) => app.active !== null) || library
  const { setDialog, cancelSending, dismissTyped } = useApp('setDialog', 'cancelSending', 'dismissTyped')
  if (!shown || !(asked || typed)) return null
  const close = () => {
    cancelSending()
    dismissTyped()
    setDialog('none')
  }
  return (
    <Dialog title="Open a log" className="open-dialog" onClose={close}>
      <OpenForm />
    </Dialog>
  )
}
