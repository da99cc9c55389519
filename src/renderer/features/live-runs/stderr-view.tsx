import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { TerminalText } from '../../content/terminal-text.tsx'
import { useApp } from '../../stores/app-store.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { StderrText } from '../../stores/stderr-text.ts'
import { formatBytes } from '../../ui/format.ts'

/** The standard error of a run, in its colors, updated while it runs. */
export function StderrView({
  run,
  following,
  onLeftEnd
}: {
  run: LiveRun
  /** Keep the end in view. */
  following: boolean
  /** Called when the person scrolls away from the end. */
  onLeftEnd: () => void
}) {
  const { host, connection } = useApp('host', 'connection')
  const { stderrBytes } = run
  const [stderr] = useState(() => new StderrText(host, run.run))
  useEffect(() => () => stderr.close(), [stderr])
  useEffect(() => stderr.readTo(stderrBytes), [stderr, stderrBytes, connection])
  useSyncExternalStore(stderr.changes.subscribe, stderr.changes.getVersion)
  return (
    <div className="stderr vstack fill">
      {stderr.error !== null && (
        <p className="stderr-note hstack s-malformed" role="alert">
          <span className="grow">Standard error could not be read: {stderr.error}</span>
          <button type="button" className="btn edged" onClick={() => stderr.retry()}>
            Try again
          </button>
        </p>
      )}
      {stderr.skipped > 0 && (
        <p className="stderr-note hstack t3">The first {formatBytes(stderr.skipped)} are not shown.</p>
      )}
      {stderr.text === '' ? (
        stderr.error === null && <p className="empty-note">{emptyText(run)}</p>
      ) : (
        <TerminalText label="Standard error" text={stderr.text} wrap fills atEnd={following} onLeftEnd={onLeftEnd} />
      )}
    </div>
  )
}

function emptyText(run: LiveRun): string {
  if (run.stderrBytes > 0) return 'Reading…'
  return isOngoing(run) ? 'No output so far.' : 'No output on standard error.'
}
