import { useEffect, useId, useRef, useState } from 'react'
import type { Agent } from '#contract/live-runs.ts'

/** Why a call is refused, for the agent. */
export function RefuseForm({
  refusal,
  busy,
  onRefuse,
  onClose
}: {
  refusal: NonNullable<Agent['dialogue']>['refusal']
  busy: boolean
  onRefuse: (message: string, endTurn: boolean) => void
  onClose: () => void
}) {
  const [message, setMessage] = useState('')
  const [endTurn, setEndTurn] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="ask-more vstack"
      aria-label="Refuse"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onRefuse(message.trim(), endTurn)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <label htmlFor={id} className="t2">
        Message for the agent (optional){refusal.tellsMessage ? '' : ', sent as the next prompt'}
      </label>
      <textarea
        ref={field}
        id={id}
        className="dialogue-text"
        rows={2}
        maxLength={100_000}
        placeholder="Why not, or what to do instead"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className="hstack ask-buttons">
        <button type="submit" className="btn big danger" disabled={busy}>
          Refuse
        </button>
        {refusal.endsTurn && (
          <label className="hstack">
            <input type="checkbox" checked={endTurn} onChange={(event) => setEndTurn(event.target.checked)} />
            and end the turn
          </label>
        )}
        <span className="grow" />
        <button type="button" className="btn big" onClick={onClose}>
          Back
        </button>
      </div>
    </form>
  )
}
