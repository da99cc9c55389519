import './go-to-dialog.css'
import { type FormEvent, useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatClock, formatCount } from '../../ui/format.ts'
import { LabelledField } from '../../ui/labelled-field.tsx'

/** Moves the playhead to a line, an event or a time. */
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
  const { loading, stepping } = useLogParts()
  const range = useLog((log) => rangeText(log.status))
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    loading.whenLoaded(() => {
      const problem = stepping.goTo(text)
      if (problem === null) onDone()
      else setError(problem)
    })
  }
  return (
    <form className="go-to-form vstack" onSubmit={submit}>
      <LabelledField
        label="Line, event or time"
        placeholder="128, #40 or 12:04:33"
        value={text}
        error={error}
        message={error === null ? <p className="t3">{range}</p> : undefined}
        hint={<kbd>Enter</kbd>}
        onChange={(typed) => {
          setText(typed)
          setError(null)
        }}
      />
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
