import './live-runs.css'
import { useState } from 'react'
import { deniedText } from '#core/bridge/denied-calls.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import { useApp, useLost } from '../../stores/app-store.ts'
import { canGoOn } from '../../stores/going-on.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatBytes, formatCount, formatElapsed, formatPlural, formatWhen } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useElapsed } from './elapsed.ts'
import { PruneRunsDialog } from './prune-runs-dialog.tsx'
import { RemoveRunDialog } from './remove-run-dialog.tsx'
import { RunIcon } from './run-icon.tsx'
import { agentName, exitText, runLook, runName, runNote } from './run-words.ts'

/** Ended runs that are listed at first. */
const firstOver = 5

/** Running and recent runs; nothing on a host without live runs. */
export function LiveRunList() {
  const can = useApp((app) => app.capabilities?.runs === true)
  const showRunForm = useApp((app) => app.showRunForm)
  const { runs, total, bytes, unreadable } = useLiveRuns('runs', 'total', 'bytes', 'unreadable')
  const { runsError, fault, load, loadMore } = useLiveRuns('runsError', 'fault', 'load', 'loadMore')
  const [all, setAll] = useState(false)
  const [removing, setRemoving] = useState<LiveRun | null>(null)
  const [pruning, setPruning] = useState(false)
  if (!can) return null
  const going = runs.filter(isOngoing)
  const over = runs.filter((run) => !isOngoing(run))
  const shown = all ? over : over.slice(0, firstOver)
  const unknown = Math.max(0, total - runs.length)
  return (
    <section aria-label="Live runs">
      <div className="runs-head">
        <h2>Live runs</h2>
        <IconButton small icon="add" label="Start a run" keys="r" onClick={showRunForm} />
      </div>
      {runsError !== null && (
        <p className="runs-empty field-error" role="alert">
          <Icon name="malformed" size={12} />
          <span>
            Live runs could not be listed: {runsError}{' '}
            <button type="button" className="link" onClick={() => void load()}>
              Try again
            </button>
          </span>
        </p>
      )}
      {runsError === null && going.length === 0 && <p className="runs-empty t3">No active runs</p>}
      <ul>
        {[...going, ...shown].map((run) => (
          <li key={run.run}>
            <RunLine run={run} onRemove={() => setRemoving(run)} />
            {fault?.run === run.run && (
              <p className="run-fault field-error" role="alert">
                <Icon name="malformed" size={12} />
                <span>{fault.message}</span>
              </p>
            )}
          </li>
        ))}
        {shown.length < over.length && (
          <li>
            <button type="button" className="track t3 run-more" onClick={() => setAll(true)}>
              <Icon name="down" size={14} />
              <span className="cut">Show all {formatCount(over.length + unknown)} finished runs</span>
            </button>
          </li>
        )}
        {shown.length === over.length && unknown > 0 && (
          <li>
            <button type="button" className="track t3 run-more" onClick={() => void loadMore()}>
              <Icon name="down" size={14} />
              <span className="cut">Show {formatCount(unknown)} older runs</span>
            </button>
          </li>
        )}
      </ul>
      {unreadable.length > 0 && (
        <p className="runs-empty t3" title={unreadable.map(({ run }) => run).join('\n')}>
          {formatPlural(unreadable.length, 'run')} cannot be read. Run “playhead runs” for details.
        </p>
      )}
      {over.length > 0 && (
        <p className="runs-room caption t3">
          <span className="grow">
            {formatPlural(total, 'run')} · {formatBytes(bytes)}
          </span>
          <button type="button" className="link" onClick={() => setPruning(true)}>
            Delete old runs…
          </button>
        </p>
      )}
      {pruning && <PruneRunsDialog onClose={() => setPruning(false)} />}
      {removing !== null && <RemoveRunDialog run={removing} onClose={() => setRemoving(null)} />}
    </section>
  )
}

function RunLine({ run, onRemove }: { run: LiveRun; onRemove: () => void }) {
  const { openRun, runAgain, goOn } = useApp('openRun', 'runAgain', 'goOn')
  const stop = useLiveRuns((state) => state.stop)
  const name = runName(run)
  const note = runNote(run)
  const going = isOngoing(run)
  const lost = useLost()
  return (
    <div className="run" data-live={going && !lost}>
      <button
        type="button"
        className="run-main"
        title={[run.prompt.slice(0, 500), run.cwd, note].filter((text) => text !== null).join('\n\n')}
        // A run that never started has no recording.
        disabled={run.state === 'failed'}
        onClick={() => void openRun(run)}
      >
        <RunIcon run={run} />
        <span className="run-name cut">{name}</span>
        <span className="run-issues num caption t2">
          {run.todo !== null && run.todo.total > 0 && `${run.todo.completed}/${run.todo.total}`}
        </span>
        <RunSub run={run} />
      </button>
      <span className="run-close on-hover">
        {going && run.own && run.state !== 'stopping' && !lost && (
          <IconButton small icon="stop" label={`Stop ${name}`} onClick={() => void stop(run.run)} />
        )}
        {!going && (
          <>
            {canGoOn(run.agent, run.sessionId) && (
              <IconButton small icon="go-on" label={`Go on: ${name}`} onClick={() => void goOn(run.recording)} />
            )}
            <IconButton small icon="again" label={`Run again: ${name}`} onClick={() => void runAgain(run)} />
            <IconButton small icon="remove" label={`Delete ${name}`} onClick={onRemove} />
          </>
        )}
      </span>
      {note !== null && (run.state === 'failed' || run.finishReason === 'error' || run.incomplete !== null) && (
        <p className="run-fault t2">{note}</p>
      )}
      {run.state === 'lost' && <LostRun run={run} />}
    </div>
  )
}

/** "Running · 0:42 · Claude Code", "Done · 2 calls denied · today 13:01 · Codex". */
function RunSub({ run }: { run: LiveRun }) {
  const elapsed = useElapsed(run)
  const size = useLiveRuns(({ sizes }) => sizes.get(run.run))
  const [now] = useState(() => Date.now())
  const exit = exitText(run)
  const lost = useLost()
  return (
    <span className="run-sub t3 caption cut">
      {runLook(run, lost).word}
      {!isOngoing(run) && run.denied !== null && ` · ${deniedText(run.denied)}`}
      {isOngoing(run) && elapsed !== null && (
        <>
          {' · '}
          <span className="num">{formatElapsed(elapsed)}</span>
        </>
      )}
      {!isOngoing(run) && ` · ${formatWhen(run.startedAt, now)}`}
      {!isOngoing(run) && size !== undefined && ` · ${formatBytes(size)}`}
      {` · ${agentName(run)}`}
      {!isOngoing(run) && exit !== '' && ` · ${exit}`}
    </span>
  )
}

/** A run whose Playhead ended before it, and its actions. */
function LostRun({ run }: { run: LiveRun }) {
  const seen = useLiveRuns((state) => state.seen.has(run.run))
  const { openRun, runAgain, goOn } = useApp('openRun', 'runAgain', 'goOn')
  // The start screen has its own list of them.
  const isOffered = useApp((app) => app.active === null)
  if (seen || isOffered) return null
  return (
    <p className="run-fault t2">
      {runNote(run)}{' '}
      <button type="button" className="link" onClick={() => void openRun(run)}>
        Open the recording
      </button>
      {canGoOn(run.agent, run.sessionId) && (
        <>
          {' · '}
          <button type="button" className="link" onClick={() => void goOn(run.recording)}>
            Go on…
          </button>
        </>
      )}
      {' · '}
      <button type="button" className="link" onClick={() => void runAgain(run)}>
        Run again
      </button>
    </p>
  )
}
