import './banner.css'
import type { ReactNode } from 'react'
import type { IssueSeverity } from '#core/formats/issue.ts'
import { IconButton } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'

/** A message across a panel, and what to do about it. Assistive technology announces it if something failed. */
export function Banner({
  severity,
  icon = severity,
  role = severity === 'malformed' ? 'alert' : 'note',
  actions,
  onDismiss,
  children
}: {
  severity: IssueSeverity
  icon?: IconName
  role?: 'alert' | 'note' | 'none'
  actions?: ReactNode
  onDismiss?: () => void
  children: ReactNode
}) {
  return (
    <div className={`banner hstack rigid of-${severity}`} role={role}>
      <Icon name={icon} tone={`s-${severity}`} />
      <span className="grow">{children}</span>
      {actions}
      {onDismiss !== undefined && <IconButton small icon="close" label="Dismiss" onClick={onDismiss} />}
    </div>
  )
}
