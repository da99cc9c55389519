import { useApp } from '../../stores/app-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'

/** A note that some of the opened files are not logs, until it is closed. */
export function LeftOut() {
  const { leftOut: count, dismissLeftOut: dismiss } = useApp('leftOut', 'dismissLeftOut')
  return (
    <div aria-live="polite">
      {count > 0 && (
        <div className="banner" role="note">
          <Icon name="notice" tone="s-notice" />
          <span>{formatPlural(count, 'file')} skipped: not a session log.</span>
          <span className="grow" />
          <IconButton small icon="close" label="Dismiss" onClick={dismiss} />
        </div>
      )}
    </div>
  )
}
