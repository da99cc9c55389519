import { useState } from 'react'
import { useShared } from '../../stores/app-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { redactedText, sharedText } from './shared-text.ts'

/** A note that the page is a copy, and what was redacted, until it is closed. Nothing on other hosts. */
export function SharedNote() {
  const shared = useShared()
  const [seen, setSeen] = useState(false)
  if (shared === null || seen) return null
  return (
    <div className={shared.redacted === null ? 'banner warning' : 'banner'} role="note">
      <Icon name="shared" tone={shared.redacted === null ? 's-violation' : 's-notice'} />
      <span>
        {sharedText(shared)} {redactedText(shared)}
      </span>
      <span className="grow" />
      <IconButton small icon="close" label="Dismiss" onClick={() => setSeen(true)} />
    </div>
  )
}

/** Beside the name of the log: a badge for a copy. */
export function SharedBadge() {
  const shared = useShared()
  if (shared === null) return null
  return (
    <span className="badge wide" title={`${sharedText(shared)} ${redactedText(shared)}`}>
      shared copy
    </span>
  )
}
