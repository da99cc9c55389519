import { folderPath } from '#core/paths/path-names.ts'
import type { RecentLog } from '#contract/methods.ts'
import { useApp } from '../../stores/app-store.ts'
import { formatBytes, formatFullTime, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useLogTitle } from '../library/log-title.ts'
import { useRunName } from '../live-runs/run-name.ts'
import { LogCounts } from '../runs/log-counts.tsx'

/** Recent logs, latest first, with their counts. */
export function RecentList() {
  const recent = useApp((app) => app.recent)
  if (recent.length === 0) return null
  return (
    <section aria-label="Recent">
      <h2 className="start-title">Recent</h2>
      <ul className="vstack">
        {recent.map((log) => (
          <li key={log.path}>
            <RecentLine log={log} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RecentLine({ log }: { log: RecentLog }) {
  const openLog = useApp((app) => app.openLog)
  const runName = useRunName(log.path)
  const title = useLogTitle(log.path)
  const gone = log.bytes === null
  return (
    <button
      type="button"
      className="recent-line"
      disabled={gone}
      title={`${log.path}\nopened ${formatFullTime(log.openedAt)}`}
      onClick={() => void openLog(log.path)}
    >
      <Icon name={gone ? 'gone' : 'file'} tone="t3" />
      <span className="recent-name vstack">
        <span className="medium cut">{title ?? log.name}</span>
        {runName === null ? (
          <span className="mono caption t3 cut">{folderPath(log.path)}</span>
        ) : (
          <span className="caption t3 cut">recorded by Playhead</span>
        )}
      </span>
      <span className="hstack">
        {gone ? (
          <span className="s-malformed caption">file not found</span>
        ) : (
          <>
            <LogCounts malformed={log.malformed} violation={log.violation} />
            {log.todo !== null && log.todo.total > 0 && (
              <span
                className="num caption t2"
                title={`${log.todo.completed} of ${log.todo.total} todos completed at the end`}
              >
                {log.todo.completed}/{log.todo.total}
              </span>
            )}
            <span className="caption t3 recent-events">{formatPlural(log.events, 'event')}</span>
          </>
        )}
      </span>
      <span className="num caption t3 recent-size">{log.bytes === null ? '' : formatBytes(log.bytes)}</span>
    </button>
  )
}
