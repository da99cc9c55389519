import { useLibrary } from '../../stores/use-library.ts'
import { keepFocus } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'

/** Fewer sessions are read too fast to show progress. */
const fewest = 12

/** The progress of a scan that takes longer than a moment. Sessions that are read can be used. */
export function ScanBar() {
  const { status, pause } = useLibrary('status', 'pause')
  if (status === null || status.phase === 'idle') return null
  const { phase, done, all, isPaused, lookedAt } = status
  if (phase === 'looking' ? lookedAt !== null : all < fewest) return null
  const isLooking = phase === 'looking'
  const far = `${formatCount(done)} of ${formatCount(all)}`
  return (
    <div className="scan">
      <p>
        {isLooking ? (
          `Scanning for sessions${all > 0 || done > 0 ? `: ${formatCount(Math.max(all, done))} found` : ''}…`
        ) : (
          <>
            {phase === 'cards'
              ? 'Reading sessions, newest first: '
              : 'Counting calls, todos and tokens, newest first: '}
            <span className="num">{far}</span>
            {isPaused && <span className="t2"> · paused</span>}
          </>
        )}
      </p>
      {!isLooking && (
        <button type="button" className="btn small edged" onMouseDown={keepFocus} onClick={() => void pause(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      )}
      <div
        className="bar"
        role="progressbar"
        aria-label="Reading sessions"
        {...(!isLooking && { 'aria-valuemin': 0, 'aria-valuemax': all, 'aria-valuenow': done, 'aria-valuetext': far })}
      >
        <i style={{ width: isLooking || all === 0 ? '0' : `${(done / all) * 100}%` }} />
      </div>
    </div>
  )
}
