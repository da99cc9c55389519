import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Agent } from '#contract/live-runs.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { FieldError } from './form-field.tsx'

/** The program of an agent, which can be replaced. `children`: further actions. */
export function AgentCommand({ agent, children }: { agent: Agent; children?: ReactNode }) {
  const setCommand = useLiveRuns((state) => state.setCommand)
  const [editing, setEditing] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [setting, setSetting] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  useEffect(() => {
    if (wasEditing.current && !editing) opener.current?.focus()
    wasEditing.current = editing
  }, [editing])
  const edit = () => {
    setTyped(agent.chosen ?? agent.command ?? '')
    setProblem(null)
    setEditing(true)
  }
  const set = async (command: string | null) => {
    setSetting(true)
    const why = await setCommand(agent.agent, command)
    setSetting(false)
    setProblem(why)
    if (why === null) setEditing(false)
  }
  if (!editing) {
    return (
      <div className="agent-command hstack caption t3">
        {agent.command !== null && (
          <code className="cut" title={agent.command}>
            {agent.command}
          </code>
        )}
        {children}
        <button ref={opener} type="button" className="link" onClick={edit}>
          Use another command
        </button>
        {agent.chosen !== null && (
          <button type="button" className="link" disabled={setting} onClick={() => void set(null)}>
            Use {agent.program} from PATH
          </button>
        )}
      </div>
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // Enter would submit the surrounding form.
      event.preventDefault()
      if (typed.trim() !== '') void set(typed.trim())
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setEditing(false)
    }
  }
  return (
    <div className="agent-command-edit" onKeyDown={onKeyDown}>
      <div className={problem === null ? 'field' : 'field bad'}>
        <input
          type="text"
          className="mono"
          aria-label={`Command for ${agent.title}`}
          aria-invalid={problem !== null}
          placeholder={`path, or name on PATH, for example ${agent.program}`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          maxLength={4096}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(null)
          }}
        />
      </div>
      <button
        type="button"
        className="btn edged"
        disabled={setting || typed.trim() === ''}
        onClick={() => void set(typed.trim())}
      >
        {setting ? 'Setting…' : 'Set'}
      </button>
      <button type="button" className="btn" onClick={() => setEditing(false)}>
        Cancel
      </button>
      {/* The agent's field shows a problem of the program itself. */}
      {problem !== null && problem !== agent.problem && <FieldError text={problem} />}
    </div>
  )
}
