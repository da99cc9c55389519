import './top-bar.css'
import { useLog } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'

/** What concerns the whole log that is shown: reading stopped, or no format claims it. Nothing when all is well. */
export function Banner() {
  const error = useLog((log) => log.status.error)
  const note = useLog((log) => log.status.formatNote)
  const loadError = useLog((log) => log.loadError)
  const reload = useLog((log) => log.reload)
  if (error !== null) {
    return (
      <div className="banner bad" role="alert">
        <Icon name="error" tone="s-malformed" />
        <span>{error.message} What was read so far is shown.</span>
        <span className="grow" />
        <code className="t2">{error.code}</code>
      </div>
    )
  }
  if (loadError !== null) {
    return (
      <div className="banner bad" role="alert">
        <Icon name="error" tone="s-malformed" />
        <span>The rest of the timeline could not be loaded: {loadError}</span>
        <span className="grow" />
        <button type="button" className="btn edged" onClick={reload}>
          Load again
        </button>
      </div>
    )
  }
  if (note === null) return null
  return (
    <div className="banner" role="note">
      <Icon name="notice" tone="s-notice" />
      <span>{note}</span>
    </div>
  )
}
