import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { Icon } from '../../ui/icons.tsx'
import { FormField } from './form-field.tsx'
import { recentPrompts } from './recent-choices.ts'

const maxPrompts = 30

/** The prompt, and a choice of earlier prompts. */
export function PromptField() {
  const prompt = useNewRun(({ draft }) => draft.prompt)
  const problem = useNewRun(({ problems }) => problems.prompt)
  const { replaced, focusRequests } = useNewRun('replaced', 'focusRequests')
  const { change, replacePrompt, putBack } = useNewRun('change', 'replacePrompt', 'putBack')
  const area = useRef<HTMLTextAreaElement>(null)
  const [first] = useState(focusRequests)
  useEffect(() => {
    if (focusRequests !== first) area.current?.focus()
  }, [focusRequests, first])
  const writeAgain = () => area.current?.focus()
  return (
    <FormField label="Prompt" problem={problem}>
      {(ids) => (
        <>
          <div className={problem === undefined ? 'field area' : 'field area bad'}>
            <textarea
              ref={area}
              {...ids}
              rows={4}
              data-first
              placeholder="Describe the task"
              value={prompt}
              onChange={(event) => change({ prompt: event.target.value })}
            />
          </div>
          <div className="prompt-tools">
            <RecentPrompts
              current={prompt}
              onPick={(picked) => {
                replacePrompt(picked)
                writeAgain()
              }}
            />
            {replaced !== null && (
              <button
                type="button"
                className="link"
                title={replaced.slice(0, 1000)}
                onClick={() => {
                  putBack()
                  writeAgain()
                }}
              >
                Restore previous text
              </button>
            )}
          </div>
        </>
      )}
    </FormField>
  )
}

function RecentPrompts({ current, onPick }: { current: string; onPick: (prompt: string) => void }) {
  const runs = useLiveRuns((state) => state.runs)
  const prompts = useMemo(() => recentPrompts(runs, maxPrompts), [runs])
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  if (prompts.length === 0) return null
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <div
      className="recent-prompts"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        // The surrounding dialog would close too.
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <button
        ref={opener}
        type="button"
        className="link prompt-opener"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'down' : 'right'} size={12} />
        Recent prompts
      </button>
      {open && (
        <ul id={id} aria-label="Recent prompts">
          {prompts.map((prompt) => (
            <li key={prompt}>
              <button
                type="button"
                className="cut"
                title={prompt.slice(0, 1000)}
                aria-current={prompt === current.trim() ? 'true' : undefined}
                onClick={() => {
                  setOpen(false)
                  onPick(prompt)
                }}
              >
                {prompt.slice(0, 300)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
