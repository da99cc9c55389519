import { type FormEvent, useId, useState } from 'react'
import { parseQuery } from '#core/query/parse-query.ts'
import { queryTextOf } from '#core/query/rule-query.ts'
import type { Breakpoint } from '#core/replay/review.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryErrorText } from '../query/query-error.tsx'
import { QueryField } from '../query/query-field.tsx'
import { useRowValues } from '../query/use-row-values.ts'

const examples = [
  ['status:error', 'each failed call and its result'],
  ['tool:edit file:src/*', 'each edit in src'],
  ['todo:"tests"=done', 'where this item is done'],
  ['dur:>1m', 'each call longer than a minute']
] as const

interface BreakpointDialogProps {
  /** Null for a new one. */
  readonly breakpoint: Breakpoint | null
  readonly onClose: () => void
}

/** Edits the query of a breakpoint. */
export function BreakpointDialog({ breakpoint, onClose }: BreakpointDialogProps) {
  const isNew = breakpoint === null
  return (
    <Dialog title={isNew ? 'New breakpoint' : 'Edit breakpoint'} className="breakpoint-dialog" onClose={onClose}>
      <BreakpointForm breakpoint={breakpoint} onClose={onClose} />
    </Dialog>
  )
}

function BreakpointForm({ breakpoint, onClose }: BreakpointDialogProps) {
  const { reviewing } = useLogParts()
  const values = useRowValues(null)
  const [text, setText] = useState(breakpoint === null ? '' : queryTextOf(breakpoint.rule))
  const [stops, setStops] = useState(breakpoint?.stops ?? true)
  const [isSent, setSent] = useState(false)
  const id = useId()
  const { query, error } = parseQuery(text, 'rows')
  const missing = query === null && error === null ? { message: 'Enter a query.', from: 0, to: 0 } : null
  const shown = isSent ? (error ?? missing) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (query === null) return
    const rule = { type: 'query' as const, text: text.trim() }
    if (breakpoint === null) reviewing.addBreakpoint(rule, stops)
    else reviewing.editBreakpoint(breakpoint.id, { rule, stops, enabled: true })
    onClose()
  }
  return (
    <form className="breakpoint-form vstack" onSubmit={submit}>
      <label className="breakpoint-check hstack">
        <input type="checkbox" checked={!stops} onChange={() => setStops(!stops)} />
        List the rows, do not stop (logpoint)
      </label>
      <QueryField
        label="Stop where"
        placeholder='status:error or todo:"tests"=done'
        text={text}
        error={shown}
        errorId={id}
        asks="rows"
        recent={[]}
        {...values}
        onChange={(changed) => setText(changed)}
        onLeave={(key, form) => (key === 'Enter' ? form?.requestSubmit() : onClose())}
      />
      {shown !== null && <QueryErrorText id={id} text={text} error={shown} />}
      <ul className="breakpoint-examples">
        {examples.map(([example, meaning]) => (
          <li key={example}>
            <button type="button" className="link mono" onClick={() => setText(example)}>
              {example}
            </button>{' '}
            <span className="t2">{meaning}</span>
          </li>
        ))}
      </ul>
      <div className="hstack">
        <span className="grow" />
        <button type="button" className="btn" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="btn primary">
          {breakpoint === null ? 'Add breakpoint' : 'Save breakpoint'}
        </button>
      </div>
    </form>
  )
}
