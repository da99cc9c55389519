import { type FormEvent, useId, useState } from 'react'
import { type Breakpoint, type BreakpointRule, todoFates } from '#core/replay/review.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { RowCounts } from '../../stores/row-counts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, todoLook } from '../../ui/icons.tsx'
import { toggled } from '../filter/filter-choices.ts'
import { kindGroups } from '../filter/filter-words.ts'
import { KindOptions } from '../filter/kind-options.tsx'
import { namedTools, NameList } from '../filter/name-list.tsx'
import { statusWords } from '../todos/status-words.ts'
import { type BreakpointDraft, draftOf, ruleOf } from './breakpoint-draft.ts'

/** Edits a breakpoint; null for a new one. */
export function BreakpointDialog({ breakpoint, onClose }: { breakpoint: Breakpoint | null; onClose: () => void }) {
  const { reviewing } = useLogParts()
  const submit = (rule: BreakpointRule) => {
    if (breakpoint === null) reviewing.addBreakpoint(rule)
    else reviewing.editBreakpoint(breakpoint.id, { rule, enabled: true })
    onClose()
  }
  return (
    <Dialog
      title={breakpoint === null ? 'New breakpoint' : 'Edit breakpoint'}
      className="breakpoint-dialog"
      onClose={onClose}
    >
      <BreakpointForm
        first={draftOf(breakpoint?.rule ?? null)}
        submitLabel={breakpoint === null ? 'Add breakpoint' : 'Save breakpoint'}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function BreakpointForm({
  first,
  submitLabel,
  onSubmit,
  onCancel
}: {
  first: BreakpointDraft
  submitLabel: string
  onSubmit: (rule: BreakpointRule) => void
  onCancel: () => void
}) {
  const [draft, setDraft] = useState(first)
  const [error, setError] = useState<string | null>(null)
  const errorId = useId()
  const change = (part: Partial<BreakpointDraft>) => {
    setDraft({ ...draft, ...part })
    setError(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const rule = ruleOf(draft)
    if (typeof rule === 'string') setError(rule)
    else onSubmit(rule)
  }
  return (
    <form className="breakpoint-form vstack" onSubmit={submit}>
      <fieldset className="breakpoint-type">
        <legend className="unseen">Stop at</legend>
        <label className="breakpoint-check hstack">
          <input type="radio" name="type" checked={draft.type === 'rows'} onChange={() => change({ type: 'rows' })} />
          Events
        </label>
        <label className="breakpoint-check hstack">
          <input type="radio" name="type" checked={draft.type === 'todo'} onChange={() => change({ type: 'todo' })} />A
          todo that reaches a status or is dropped
        </label>
      </fieldset>
      {draft.type === 'rows' ? (
        <RowsFields draft={draft} change={change} />
      ) : (
        <TodoFields draft={draft} change={change} />
      )}
      <div className="hstack">
        <p id={errorId} className="field-error grow" aria-live="polite">
          {error !== null && (
            <>
              <Icon name="malformed" size={12} />
              {error}
            </>
          )}
        </p>
        <button type="button" className="btn" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="btn primary">
          {submitLabel}
        </button>
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly draft: BreakpointDraft
  readonly change: (part: Partial<BreakpointDraft>) => void
}

/** Any of the kinds, any of the tools, and the text: all conditions must hold. */
function RowsFields({ draft, change }: FieldsProps) {
  const { columns } = useLogParts()
  const { status, settledRows } = useLog('status', 'settledRows', 'version')
  const [counter] = useState(() => new RowCounts())
  const counts = counter.of(columns, settledRows)
  const tools = namedTools(status.tools, counts.tool)
  return (
    <>
      <div className="breakpoint-text hstack">
        <TextLine
          label="Line contains"
          placeholder="any text"
          text={draft.text}
          onChange={(text) => change({ text })}
        />
        <label className="breakpoint-check hstack">
          <input type="checkbox" checked={draft.regex} onChange={() => change({ regex: !draft.regex })} />
          Regular expression
        </label>
        <label className="breakpoint-check hstack">
          <input
            type="checkbox"
            checked={draft.caseSensitive}
            onChange={() => change({ caseSensitive: !draft.caseSensitive })}
          />
          Match case
        </label>
      </div>
      <div className="breakpoint-groups">
        <fieldset className="filter-group">
          <legend>Event types (all if none selected)</legend>
          <KindOptions
            kinds={kindGroups.flatMap(({ kinds }) => kinds)}
            rows={counts.kind}
            chosen={draft.kinds}
            onToggle={(kind) => change({ kinds: toggled(draft.kinds, kind) })}
          />
        </fieldset>
        <fieldset className="filter-group">
          <legend>Tools (calls and results)</legend>
          {tools.length === 0 ? (
            <p className="t3">No tool calls in this log{status.phase === 'reading' ? ' so far' : ''}.</p>
          ) : (
            <NameList
              what="tools"
              named={tools}
              chosen={draft.tools}
              onToggle={(name) => change({ tools: toggled(draft.tools, name ?? '') })}
            />
          )}
        </fieldset>
      </div>
    </>
  )
}

function TodoFields({ draft, change }: FieldsProps) {
  return (
    <div className="breakpoint-todo">
      <TextLine label="Text contains" placeholder="any todo" text={draft.todo} onChange={(todo) => change({ todo })} />
      <fieldset className="filter-group">
        <legend>Changes to</legend>
        {todoFates.map((status) => {
          const look = todoLook(status)
          return (
            <label key={status} className="breakpoint-check hstack">
              <input type="radio" name="status" checked={draft.status === status} onChange={() => change({ status })} />
              <Icon name={look.icon} size={14} tone={look.tone} />
              {statusWords[status]}
            </label>
          )
        })}
      </fieldset>
    </div>
  )
}

interface TextLineProps {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** An optional text condition. */
function TextLine({ label, placeholder, text, onChange }: TextLineProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="t2">
        {label}
      </label>
      <div className="field">
        <input
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </>
  )
}
