import { useId, useState } from 'react'
import { hasOwnLimits } from '../../stores/limits-draft.ts'
import { modesOf } from '../../stores/new-run-store.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { LimitFields } from '../dialogue/limit-fields.tsx'

/** Whether a person can talk to the run, and what only such a run has: limits, and a mode that may become dangerous. */
export function TalkField() {
  const { draft, problems, change } = useNewRun('draft', 'problems', 'change')
  const agent = useLiveRuns(({ agents }) => agents?.find((known) => known.agent === draft.agent))
  const id = useId()
  // Those of the run that this one repeats or goes on from. The section stays open while they are changed.
  const [hadLimits] = useState(() => hasOwnLimits(draft.limits))
  const offers = agent?.dialogue ?? null
  if (agent === undefined) return null
  const choose = (interactive: boolean) => change({ interactive, mode: null, mayBecomeDangerous: false })
  // Why this version of the agent cannot be talked to.
  const tooOld = offers?.problem ?? null
  const isOn = draft.interactive && offers !== null && tooOld === null
  const modes = modesOf(agent, isOn)
  const chosen = modes.find((mode) => mode.id === draft.mode) ?? modes[0]
  const danger = modes.find(({ dangerous }) => dangerous)
  const canTurnDangerous = isOn && offers.dangerIsDecidedAtStart && danger !== undefined && chosen?.dangerous !== true
  return (
    <>
      <div className="form-field">
        <span id={id} className="form-label">
          Kind
        </span>
        <div className="form-control">
          <div className="talk-choices" role="radiogroup" aria-labelledby={id}>
            <Choice
              name={id}
              title="One prompt"
              note="Runs to its end. What needs permission is refused."
              checked={!isOn}
              onChoose={() => choose(false)}
            />
            <Choice
              name={id}
              title="Conversation"
              note={
                offers === null
                  ? `Playhead cannot talk to ${agent.title} yet.`
                  : (tooOld ??
                    ['Asks you for permission, and takes further prompts.', offers.lacks ?? ''].join(' ').trim())
              }
              checked={isOn}
              disabled={offers === null || tooOld !== null}
              onChoose={() => choose(true)}
            />
          </div>
          {canTurnDangerous && (
            <label className="hstack talk-danger">
              <input
                type="checkbox"
                checked={draft.mayBecomeDangerous}
                onChange={(event) => change({ mayBecomeDangerous: event.target.checked })}
              />
              Its mode may become “{danger.title}” later (dangerous)
            </label>
          )}
        </div>
      </div>
      {isOn && (
        <details
          className="talk-limits"
          open={hadLimits || Object.keys(problems).some((field) => field in draft.limits)}
        >
          <summary>Limits</summary>
          <div className="new-run-fields">
            <LimitFields
              draft={draft.limits}
              problems={problems}
              offers={offers}
              onChange={(limits) => change({ limits })}
            />
          </div>
        </details>
      )}
    </>
  )
}

function Choice({
  name,
  title,
  note,
  checked,
  disabled = false,
  onChoose
}: {
  name: string
  title: string
  note: string
  checked: boolean
  disabled?: boolean
  onChoose: () => void
}) {
  return (
    <label className="talk-choice choice-card vstack">
      <input type="radio" name={name} className="unseen" checked={checked} disabled={disabled} onChange={onChoose} />
      <span className="medium">{title}</span>
      <span className="caption t2">{note}</span>
    </label>
  )
}
