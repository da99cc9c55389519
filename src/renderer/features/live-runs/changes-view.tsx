import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import type { Result } from '#contract/methods.ts'
import { PatchDiff } from '../../content/patch-diff.tsx'
import { useApp } from '../../stores/app-store.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { CopyButton } from '../../ui/button.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'

/** What changed in the folder of a run: in all turns, or in one. Read again when a turn ends. */
export function ChangesView({ run }: { run: LiveRun }) {
  const host = useApp((app) => app.host)
  const [turn, setTurn] = useState<number | null>(null)
  const [answer, setAnswer] = useState<{ turn: number | null; changes: Result<'run.changes'> } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const moment = `${run.state} ${run.dialogue?.turn ?? ''}`
  useEffect(() => {
    let isWanted = true
    host.call('run.changes', { run: run.run, turn }).then(
      (changes) => {
        if (!isWanted) return
        setAnswer({ turn, changes })
        setFault(null)
      },
      (error: unknown) => isWanted && setFault(messageOf(error))
    )
    return () => {
      isWanted = false
    }
  }, [host, run.run, turn, moment])
  if (fault !== null) return <p className="t2 changes-said">{fault}</p>
  if (answer === null) return <p className="t3 changes-said">Reading the changes…</p>
  const { turns, files, patch, isCut, isGivenUp } = answer.changes
  return (
    <div className="changes fill" aria-busy={answer.turn !== turn}>
      <div className="hstack changes-head">
        <label className="field choice">
          <span className="unseen">Turn</span>
          <select
            value={turn ?? ''}
            onChange={(event) => setTurn(event.target.value === '' ? null : Number(event.target.value))}
          >
            <option value="">All turns</option>
            {Array.from({ length: turns }, (_, at) => (
              <option key={at} value={at + 1}>
                Turn {formatCount(at + 1)}
              </option>
            ))}
          </select>
          <Icon name="down" size={12} tone="t2" />
        </label>
        <span className="t2">
          {files.length === 0
            ? isOngoing(run) && turns === 0
              ? 'The first turn is not over.'
              : 'No file changed.'
            : `${formatPlural(files.length, 'file')} changed. Others may have changed files too.`}
        </span>
        {patch !== '' && <CopyButton what="patch" text={() => patch} />}
      </div>
      {isGivenUp && (
        <p className="s-violation">Later changes are missing: looking at the folder took too long or too much room.</p>
      )}
      {isCut && <p className="t2">Some files have no diff below: the patch would be too long.</p>}
      {patch !== '' && <PatchDiff key={`${turn}`} patch={patch} layout="unified" />}
    </div>
  )
}
