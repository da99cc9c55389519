import './go-to-dialog.css'
import { type FormEvent, useId, useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useLog } from '../../stores/log-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatClock, formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'

/** Asks for a line, an event or a time and moves the playhead there. */
export function GoToDialog() {
  const open = useApp((app) => app.dialog === 'go-to')
  const setDialog = useApp((app) => app.setDialog)
  if (!open) return null
  const close = () => setDialog('none')
  return (
    <Dialog title="Go to" className="go-to-dialog" onClose={close}>
      <GoToForm onDone={close} />
    </Dialog>
  )
}

function GoToForm({ onDone }: { onDone: () => void }) {
  const goTo = useLog((log) => log.goTo)
  const whenLoaded = useLog((log) => log.whenLoaded)
  const status = useLog((log) => log.status)
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    whenLoaded(() => {
      const answer = goTo(text)
      if (answer.ok) onDone()
      else setError(answer.message)
    })
  }
  return (
    <form className="go-to-form" onSubmit={submit}>
      <label htmlFor={id} className="t2">
        Line, event or time
      </label>
      <div className={error === null ? 'field big' : 'field big bad'}>
        <input
          id={id}
          type="text"
          className="mono"
          autoComplete="off"
          spellCheck={false}
          placeholder="128, #40 or 12:04:33"
          value={text}
          aria-invalid={error !== null}
          aria-describedby={`${id}-help`}
          onChange={(event) => {
            setText(event.target.value)
            setError(null)
          }}
        />
        <kbd>Enter</kbd>
      </div>
      <div id={`${id}-help`} aria-live="polite">
        {error === null ? (
          <p className="t3">{rangeText(status)}</p>
        ) : (
          <p className="field-error">
            <Icon name="malformed" size={12} />
            {error}
          </p>
        )}
      </div>
    </form>
  )
}

function rangeText({
  lines,
  events,
  firstTimestamp,
  lastTimestamp
}: {
  lines: number
  events: number
  firstTimestamp: number | null
  lastTimestamp: number | null
}): string {
  const parts = [`lines 1 to ${formatCount(lines)}`]
  if (events > 0) parts.push(`events #0 to #${formatCount(events - 1)}`)
  if (firstTimestamp !== null && lastTimestamp !== null) {
    parts.push(`${formatClock(firstTimestamp)} to ${formatClock(lastTimestamp)}`)
  }
  return parts.join(' · ')
}
