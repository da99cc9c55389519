import { useId, useState } from 'react'
import type { Agent, LiveRun, PermissionMode, RunDialogue } from '#contract/live-runs.ts'
import { runMode } from '#core/formats/agent-modes.ts'
import { useLost } from '../../stores/app-store.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { displayText } from '../../ui/display-text.ts'
import { Icon } from '../../ui/icons.tsx'

/** What the agent may do without asking. A dangerous mode is confirmed first. */
export function ModeChoice({
  run,
  dialogue,
  offers
}: {
  run: LiveRun
  dialogue: RunDialogue
  offers: Agent['dialogue']
}) {
  const setMode = useDialogue((state) => state.setMode)
  const [asking, setAsking] = useState<PermissionMode | null>(null)
  const lost = useLost()
  const modes = offers?.modes ?? []
  const shown = dialogue.wantedMode ?? dialogue.mode
  const wasDangerous = modes.find(({ id }) => id === run.mode)?.dangerous === true
  const canTurnDangerous = offers?.dangerIsDecidedAtStart !== true || run.mayBecomeDangerous === true || wasDangerous
  const change = async (id: string) => {
    if (!(await setMode(run.run, id, false))) setAsking(modes.find((mode) => mode.id === id) ?? null)
  }
  // Before the agents of the host are known, too.
  const known = modes.find(({ id }) => id === shown) ?? runMode(run.agent, shown, true)
  return (
    <>
      <label className="field choice mode-choice" title={known?.note}>
        <span className="unseen">Permissions</span>
        {known?.dangerous === true && <Icon name="violation" size={12} tone="s-violation" label="Dangerous" />}
        <select
          value={shown}
          disabled={lost || modes.length === 0}
          onChange={(event) => void change(event.target.value)}
        >
          {!modes.some(({ id }) => id === shown) && <option value={shown}>{known?.title ?? displayText(shown)}</option>}
          {modes.map(({ id, title, dangerous }) => (
            <option key={id} value={id} disabled={dangerous && !canTurnDangerous}>
              {dangerous ? `${title} (dangerous)` : title}
            </option>
          ))}
        </select>
        <Icon name="down" size={12} tone="t2" />
      </label>
      {asking !== null && (
        <ConfirmMode
          mode={asking}
          onClose={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null)
            void setMode(run.run, asking.id, true)
          }}
        />
      )}
    </>
  )
}

function ConfirmMode({
  mode,
  onClose,
  onConfirm
}: {
  mode: PermissionMode
  onClose: () => void
  onConfirm: () => void
}) {
  const id = useId()
  return (
    <Dialog title="Change to a dangerous mode?" className="remove-run" onClose={onClose}>
      <div className="remove-run-said" id={id}>
        <p className="medium">
          {mode.title}: {mode.note}
        </p>
        <p className="t2">
          The agent is not confined to its folder. It can change, delete or upload anything your user account can
          access, without asking.
        </p>
      </div>
      <div className="remove-run-foot">
        <button type="button" className="btn big edged" data-first aria-describedby={id} onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn big danger" onClick={onConfirm}>
          Change anyway
        </button>
      </div>
    </Dialog>
  )
}
