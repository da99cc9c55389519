import { lastName } from '#core/paths/path-names.ts'
import './compare.css'
import { useApp } from '../../stores/app-store.ts'
import { useLog } from '../../stores/log-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { displayText } from '../../ui/display-text.ts'
import { useLogTitle } from '../library/log-title.ts'

/** Recent logs that are offered. */
const maxRecent = 20

/** Chooses the session that the shown one is compared with. */
export function CompareDialog() {
  const open = useApp((app) => app.dialog === 'compare')
  const { logs, recent, setDialog, compareLogs } = useApp('logs', 'recent', 'setDialog', 'compareLogs')
  const here = useLog((log) => log.status.path)
  if (!open) return null
  const openLogs = logs.map(({ path }) => path).filter((path) => path !== here)
  const others = recent.map(({ path }) => path).filter((path) => path !== here && !openLogs.includes(path))
  const paths = [...openLogs, ...others.slice(0, maxRecent)]
  return (
    <Dialog title="Compare with…" className="compare-dialog" onClose={() => setDialog('none')}>
      <p className="t3">The chosen session is the baseline A. This session is B.</p>
      {paths.length === 0 && (
        <p className="t2">No other session is open. Open one first, or select two sessions in the library.</p>
      )}
      <ul className="compare-choices" aria-label="Sessions">
        {paths.map((path, index) => (
          <li key={path}>
            <button
              type="button"
              className="btn compare-choice"
              {...(index === 0 && { 'data-first': '' })}
              onClick={() => {
                setDialog('none')
                void compareLogs(path, here)
              }}
            >
              <ChoiceName path={path} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function ChoiceName({ path }: { path: string }) {
  const title = useLogTitle(path)
  return (
    <span className="vstack grow">
      <span className="cut" dir="auto">
        {displayText(title ?? lastName(path))}
      </span>
      <span className="t3 caption mono cut">
        <bdi>{displayText(path)}</bdi>
      </span>
    </span>
  )
}
