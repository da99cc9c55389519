import { useState } from 'react'
import { useShared } from '../../stores/app-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { redactedText, sharedText } from './shared-text.ts'

/** A note that the page is a copy, and what was redacted, until it is closed. Nothing on other hosts. */
export function SharedNote() {
  const shared = useShared()
  const [seen, setSeen] = useState(false)
  if (shared === null || seen) return null
  return (
    <Banner severity={shared.redacted === null ? 'violation' : 'notice'} icon="shared" onDismiss={() => setSeen(true)}>
      {sharedText(shared)} {redactedText(shared)}
    </Banner>
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
