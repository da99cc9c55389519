import { useApp } from '../../stores/app-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { Icon } from '../../ui/icons.tsx'

/** Errors of the host when writing, until they are closed. */
export function HostProblems() {
  const { problems, dismissProblems: dismiss } = useApp('problems', 'dismissProblems')
  if (problems.length === 0) return null
  return (
    <div className="banner bad" role="alert">
      <Icon name="error" tone="s-malformed" />
      <span>{displayText(problems.join(' '))}</span>
      <span className="grow" />
      <IconButton small icon="close" label="Dismiss" onClick={dismiss} />
    </div>
  )
}
