import './new-run.css'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useApp, useLost } from '../../stores/app-store.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { Icon } from '../../ui/icons.tsx'
import { AgentField } from './agent-field.tsx'
import { ChangesField } from './changes-field.tsx'
import { ExtraField, ModeField, ModelField, TimeLimitField } from './choice-fields.tsx'
import { ConfirmStep } from './confirm-step.tsx'
import { FolderField } from './folder-field.tsx'
import { FieldError } from './form-field.tsx'
import { PromptField } from './prompt-field.tsx'
import { SessionField } from './session-field.tsx'
import { TalkField } from './talk-field.tsx'

/** The form for a new run. `children`: controls beside the start button. */
export function NewRunForm({ children }: { children?: ReactNode }) {
  const { asking, fault, starting, looking } = useNewRun('asking', 'fault', 'starting', 'looking')
  const startRun = useApp((app) => app.startRun)
  const lost = useLost()
  const chosen = useNewRun(({ draft }) => draft.agent)
  const agent = useLiveRuns((state) => state.agents?.find((known) => known.agent === chosen))
  const form = useFirstProblem()
  const starter = useFocusAfter(asking !== null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void startRun(false)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  const cannot = agent === undefined || agent.problem !== null || lost || looking
  return (
    <form ref={form} className="new-run vstack" aria-label="New run" noValidate onSubmit={submit} onKeyDown={onKeyDown}>
      <div className="new-run-fields">
        <SessionField />
        <AgentField />
        <FolderField />
        <PromptField />
        <TalkField />
        <ModeField />
        <ModelField />
        <TimeLimitField />
        <ExtraField />
        <ChangesField />
      </div>
      {asking !== null ? (
        <ConfirmStep asking={asking} />
      ) : (
        <footer className="new-run-foot hstack rigid">
          <div className="grow" aria-live="polite">
            {fault !== null ? (
              <FieldError text={fault} />
            ) : (
              <p className="t3">{looking ? 'Looking for the session…' : 'Recorded byte for byte.'}</p>
            )}
          </div>
          {children}
          <button
            ref={starter}
            type="submit"
            className="btn primary big"
            disabled={cannot || starting}
            title="Start run  Ctrl Enter"
          >
            <Icon name="play" size={14} />
            {starting ? 'Starting…' : 'Start run'}
          </button>
        </footer>
      )}
    </form>
  )
}

/** After a failed start because of a field, that field gets the focus. */
function useFirstProblem() {
  const form = useRef<HTMLFormElement>(null)
  const { problems, starting } = useNewRun('problems', 'starting')
  const shown = useRef(problems)
  useEffect(() => {
    const isNew = problems !== shown.current && Object.keys(problems).length > Object.keys(shown.current).length
    shown.current = problems
    if (isNew && !starting) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems, starting])
  return form
}

/** The focus returns to the button when the confirmation closes. */
function useFocusAfter(inTheWay: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(inTheWay)
  useEffect(() => {
    if (was.current && !inTheWay) button.current?.focus()
    was.current = inTheWay
  }, [inTheWay])
  return button
}
