import './top-bar.css'
import { useEffect, useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatPlural } from '../../ui/format.ts'

/** Advice for a lasting failure: a restarted server may have a new address. Electron's host exits with its window. */
const adviceTexts = {
  browser: 'If Playhead was stopped, start it and open the address it prints.',
  electron: 'If this persists, close the window and start Playhead again.',
  shared: 'The log reader of this page has stopped.'
}

/** Messages about the app as a whole. Nothing if all is well. */
export function AppMessages() {
  const { problems, dismissProblems } = useApp('problems', 'dismissProblems')
  const { leftOut, dismissLeftOut } = useApp('leftOut', 'dismissLeftOut')
  return (
    <>
      <LostConnection />
      {problems.length > 0 && (
        <Banner severity="malformed" icon="error" onDismiss={dismissProblems}>
          {displayText(problems.join(' '))}
        </Banner>
      )}
      <div aria-live="polite">
        {leftOut > 0 && (
          <Banner severity="notice" onDismiss={dismissLeftOut}>
            {formatPlural(leftOut, 'file')} skipped: not a session log.
          </Banner>
        )}
      </div>
    </>
  )
}

/** When the connection is retried, and a button to retry now. Only its first words are announced, not the seconds. */
function LostConnection() {
  const isLost = useApp((app) => app.connection === 'lost')
  const advice = useApp((app) => adviceTexts[app.capabilities?.host ?? 'browser'])
  const reconnect = useApp((app) => app.reconnect)
  if (!isLost) return null
  const actions =
    reconnect === null ? (
      <button type="button" className="btn edged" onClick={() => location.reload()}>
        Reload page
      </button>
    ) : (
      <>
        <RetryText />
        <button type="button" className="btn edged" onClick={reconnect}>
          Reconnect now
        </button>
      </>
    )
  return (
    <Banner severity="malformed" icon="lost" role="none" actions={actions}>
      <span role="alert">
        <b className="medium">Connection lost.</b> {advice}
      </span>
    </Banner>
  )
}

/** "Trying again in 4 s". */
function RetryText() {
  const retryAt = useApp((app) => app.retryAt)
  const [now, setNow] = useState(() => performance.now())
  const left = retryAt === null ? 0 : Math.max(0, retryAt - now)
  useEffect(() => {
    if (retryAt === null) return
    const ms = Math.max(0, retryAt - performance.now())
    if (ms === 0) return
    const timer = setTimeout(() => setNow(performance.now()), ms % 1000 || 1000)
    return () => clearTimeout(timer)
  }, [retryAt, now])
  return (
    <span className="t2 connection-retry">
      {retryAt === null ? 'Trying now…' : `Trying again in ${Math.max(1, Math.ceil(left / 1000))} s`}
    </span>
  )
}
