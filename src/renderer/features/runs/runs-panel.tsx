import { folderPart, lastName } from '#core/paths/path-names.ts'
import './runs-panel.css'
import { useMemo, useState } from 'react'
import type { LogStatus, RecentLog } from '#contract/methods.ts'
import { agentOf, unknownAgent } from '#core/formats/agents.ts'
import { useApp, useShared } from '../../stores/app-store.ts'
import { readPart, runSize } from '../../stores/run-size.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatBytes, formatPercent, formatPlural, formatWhen } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { DropOverlay } from '../start/drop-overlay.tsx'
import { OpenDialog } from '../start/open-dialog.tsx'
import { useGrowth } from '../live/growth.ts'
import { LiveDot } from '../live/live-dot.tsx'
import { LiveRunList } from '../live-runs/live-run-list.tsx'
import { useLogTitle } from '../library/log-title.ts'
import { ReviewPanel } from '../review/review-panel.tsx'
import { LogCounts } from './log-counts.tsx'
import { RunFiles } from './run-files.tsx'
import { TrackList } from './track-list.tsx'

/** Open logs, the tracks of the shown one, live runs, and recent logs. A rail in a narrow window. */
export function RunsPanel() {
  const { dialog, setDialog, showRunForm } = useApp('dialog', 'setDialog', 'showRunForm')
  const shown = useApp((app) => app.active !== null)
  const opens = useShared() === null
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  return (
    <>
      <SidePanel
        label="Logs"
        icon="open"
        showLabel="Show logs"
        rail={(show) => (
          <>
            {shown && opens && (
              <IconButton icon="add" label="Open another log" keys="Mod+o" onClick={() => setDialog('open')} />
            )}
            {startsRuns && <IconButton icon="session" label="Start a run" keys="r" onClick={showRunForm} />}
            {shown && (
              <>
                <IconButton icon="breakpoint-off" label="Show breakpoints" onClick={show} />
                <IconButton icon="bookmark" label="Show bookmarks" onClick={show} />
              </>
            )}
          </>
        )}
      >
        <div className="runs-list">
          <OpenLogs onAdd={shown && opens ? () => setDialog('open') : null} />
          <LiveRunList />
          {/* The start screen has its own list of them. */}
          {shown && <RecentLogs />}
        </div>
        {shown && <ReviewPanel />}
      </SidePanel>
      {opens && dialog !== 'keys' && <OpenDialog />}
      {opens && <DropOverlay />}
    </>
  )
}

/** Open logs; the shown one with its tracks. */
export function OpenLogs({ onAdd }: { onAdd: (() => void) | null }) {
  const shared = useShared() !== null
  const { logs, active } = useApp('logs', 'active')
  return (
    <>
      <div className="runs-head">
        <h2>{shared ? 'Log' : 'Open'}</h2>
        {onAdd !== null && <IconButton small icon="add" label="Open a log" keys="Mod+o" onClick={onAdd} />}
      </div>
      {logs.length === 0 ? (
        <p className="runs-empty t3">No open logs</p>
      ) : (
        <ul>
          {logs.map((log) => (
            <li key={log.log}>
              <OpenLog log={log} current={log.log === active} />
              {log.log === active && (
                <>
                  <TrackList />
                  <RunFiles log={log} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function OpenLog({ log, current }: { log: LogStatus; current: boolean }) {
  const { activate, closeLog } = useApp('activate', 'closeLog')
  const closes = useShared() === null
  const isLive = useGrowth(log.log) !== null && log.fileState === 'there'
  return (
    <div className="run" data-current={current} data-live={isLive}>
      <button
        type="button"
        className="run-main"
        aria-current={current ? 'true' : undefined}
        title={log.path}
        onClick={() => activate(log.log)}
      >
        {isLive ? (
          <span className="run-live">
            <LiveDot />
          </span>
        ) : (
          <Icon name={log.fileState === 'there' ? 'file' : 'gone'} tone="t3" />
        )}
        <RunName name={log.name} path={log.path} />
        <span className="run-issues">
          <LogCounts failedCalls={log.failedCalls} {...log.issues} growing={log.phase === 'reading'} />
        </span>
        <span className="run-sub t3 caption cut">{isLive ? `live · ${subText(log)}` : subText(log)}</span>
      </button>
      {closes && (
        <span className="run-close on-hover">
          <IconButton small icon="close" label={`Close ${log.name}`} onClick={() => void closeLog(log.log)} />
        </span>
      )}
    </div>
  )
}

/** The title of a session, or a log's name, with its folder if other logs have the same name. */
function RunName({ name, path }: { name: string; path: string }) {
  const title = useLogTitle(path)
  const shared = useApp(
    (app) => new Set([...app.logs, ...app.recent].filter((log) => log.name === name).map((log) => log.path)).size > 1
  )
  return (
    <span className="run-name cut">
      {shared && title === null && <span className="t3">{lastName(folderPart(path))}/</span>}
      {title ?? name}
    </span>
  )
}

function subText(log: LogStatus): string {
  const size = runSize(log)
  if (log.phase === 'failed') return 'reading stopped'
  if (log.fileState !== 'there') return log.fileState === 'gone' ? 'file not found' : 'file unreadable'
  if (log.phase === 'reading') {
    return `indexing ${formatPercent(readPart(size))} of ${formatBytes(size.bytes)}`
  }
  return `${agentIn(log)} · ${formatBytes(size.bytes)} · ${formatPlural(log.events, 'event')}`
}

function agentIn({ format, agent }: Pick<LogStatus, 'format'> & Pick<RecentLog, 'agent'>): string {
  return format === null ? 'unknown format' : agentOf(agent ?? unknownAgent).label
}

/** Recent logs that are in no other list. `beside`: "library" if a library is shown, which lists its own logs. */
export function RecentLogs({ beside }: { beside?: 'library' }) {
  const titles = useLibrary((state) => state.titles)
  const { recent, logs, liveRuns } = useApp('recent', 'logs', 'liveRuns')
  const recordings = useLiveRuns(({ runs }) => runs.length)
  // Recordings are listed above, as live runs.
  const listed = useMemo(
    () => new Set(recordings === 0 ? [] : liveRuns.getState().runs.map(({ recording }) => recording)),
    [recordings, liveRuns]
  )
  const openPaths = new Set(logs.map((log) => log.path))
  const inLibrary = (log: RecentLog) => beside === 'library' && (log.bytes === null || titles.get(log.path) != null)
  const others = recent.filter((log) => !openPaths.has(log.path) && !listed.has(log.path) && !inLibrary(log))
  if (others.length === 0) return null
  return (
    <section aria-label="Recent">
      <div className="runs-head">
        <h2>Recent</h2>
      </div>
      <ul>
        {others.map((log) => (
          <li key={log.path}>
            <RecentRun log={log} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RecentRun({ log }: { log: RecentLog }) {
  const openLog = useApp((app) => app.openLog)
  const [now] = useState(() => Date.now())
  const gone = log.bytes === null
  return (
    <div className="run">
      <button
        type="button"
        className="run-main"
        title={log.path}
        disabled={gone}
        onClick={() => void openLog(log.path)}
      >
        <Icon name={gone ? 'gone' : 'file'} tone="t3" />
        <RunName name={log.name} path={log.path} />
        <span className="run-issues" />
        <span className="run-sub t3 caption cut">
          {gone ? 'file not found' : `${agentIn(log)} · ${formatWhen(log.openedAt, now)}`}
        </span>
      </button>
    </div>
  )
}
