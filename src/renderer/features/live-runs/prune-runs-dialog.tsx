import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatBytes, formatPlural } from '../../ui/format.ts'

const dayMs = 86_400_000

/** Deletes runs by age or number. It first lists them, because this cannot be undone. */
export function PruneRunsDialog({ onClose }: { onClose: () => void }) {
  const { removable, remove, load } = useLiveRuns('removable', 'remove', 'load')
  const [by, setBy] = useState<'age' | 'number'>('age')
  const [days, setDays] = useState('90')
  const [keep, setKeep] = useState('200')
  /** The answer to `asked`, which may differ from the current input. */
  const [answer, setAnswer] = useState<{ asked: string; plan: Result<'run.removable'> | null; fault: string | null }>()
  const [openedAt] = useState(() => Date.now())
  const given = by === 'age' ? days : keep
  const number = /^\d{1,6}$/.test(given) ? Number(given) : null
  const asked = `${by} ${number}`
  const { plan, fault } = answer?.asked === asked ? answer : { plan: null, fault: null }
  useEffect(() => {
    if (number === null) return
    let isWanted = true
    const endedBefore = by === 'age' ? openedAt - number * dayMs : null
    removable({ keep: by === 'age' ? null : number, endedBefore }).then(
      (found) => isWanted && setAnswer({ asked, plan: found, fault: null }),
      (error: unknown) => isWanted && setAnswer({ asked, plan: null, fault: messageOf(error) })
    )
    return () => {
      isWanted = false
    }
  }, [asked, by, number, openedAt, removable])
  const count = plan?.runs.length ?? 0
  const prune = async () => {
    onClose()
    await remove(plan?.runs ?? [], false)
    await load()
  }
  return (
    <Dialog title="Delete old runs" className="remove-run" onClose={onClose}>
      <div className="remove-run-said">
        <div className="prune-limits" role="radiogroup" aria-label="Which runs">
          <label className="hstack">
            <input type="radio" name="prune-by" checked={by === 'age'} onChange={() => setBy('age')} />
            Ended more than
            <span className="field">
              <input
                inputMode="numeric"
                aria-label="Days"
                value={days}
                onChange={(event) => setDays(event.target.value)}
                onFocus={() => setBy('age')}
              />
            </span>
            days ago
          </label>
          <label className="hstack">
            <input type="radio" name="prune-by" checked={by === 'number'} onChange={() => setBy('number')} />
            All but the newest
            <span className="field">
              <input
                inputMode="numeric"
                aria-label="Runs to keep"
                value={keep}
                onChange={(event) => setKeep(event.target.value)}
                onFocus={() => setBy('number')}
              />
            </span>
          </label>
        </div>
        <p className="medium" role="status">
          {number === null
            ? 'Enter a number.'
            : (fault ??
              (plan === null
                ? 'Checking runs…'
                : `This deletes ${formatPlural(count, 'run')}, ${formatBytes(plan.bytes)}.`))}
        </p>
        {plan !== null && plan.spared.length > 0 && (
          <p className="t2">
            {formatPlural(plan.spared.length, 'older run is', 'older runs are')} kept: in progress, lost, unreadable, or
            with bookmarks or breakpoints.
          </p>
        )}
        <p className="t2">Their recordings, prompts and standard error are deleted. This cannot be undone.</p>
      </div>
      <div className="remove-run-foot">
        <button type="button" className="btn big edged" data-first onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn big danger" disabled={count === 0} onClick={() => void prune()}>
          Delete {formatPlural(count, 'run')}
        </button>
      </div>
    </Dialog>
  )
}
