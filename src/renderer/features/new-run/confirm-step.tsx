import { useEffect, useId, useRef } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { Icon } from '../../ui/icons.tsx'

/** A risk that the person must confirm before the run starts: permissions or little disk space. `asking`: the text. */
export function ConfirmStep({ asking }: { asking: string }) {
  const { cwd, agent } = useNewRun((state) => state.draft)
  const title = useApp(
    (app) => app.liveRuns.getState().agents?.find((known) => known.agent === agent)?.title ?? 'The agent'
  )
  const { asksForRoom, goBack } = useNewRun('asksForRoom', 'goBack')
  const startRun = useApp((app) => app.startRun)
  const back = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => back.current?.focus(), [])
  return (
    <div
      className="confirm-step"
      role="group"
      aria-label={asksForRoom ? 'Low disk space' : 'Confirm dangerous mode'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The surrounding dialog would close too.
        event.preventDefault()
        event.stopPropagation()
        goBack()
      }}
    >
      <div id={id} className="confirm-said">
        <Icon name="violation" tone="s-violation" />
        <div>
          <p className="medium">{asking}</p>
          {!asksForRoom && (
            <p className="t2">
              {title} starts in <code>{cwd.trim()}</code> but is not confined to it. What it does without asking can
              change, delete or upload anything your user account can access.
            </p>
          )}
        </div>
      </div>
      <div className="confirm-foot">
        <button ref={back} type="button" className="btn big edged" aria-describedby={id} onClick={goBack}>
          Back
        </button>
        <button type="button" className="btn big danger" onClick={() => void startRun(true)}>
          Start anyway
        </button>
      </div>
    </div>
  )
}
