import './top-bar.css'
import { type Theme, useApp } from '../../stores/app-store.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { FilterButton } from '../filter/filter-button.tsx'
import { FindField } from '../find/find-field.tsx'
import { useRunName } from '../live-runs/run-name.ts'
import { SharedBadge } from '../shared/shared-note.tsx'
import { folderOf } from './folder-of.ts'

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

/** Which log is shown, the find field with the filter beside it, and what concerns the whole page. */
export function TopBar() {
  const log = useApp((app) => app.logs.find((status) => status.log === app.active))
  const theme = useApp((app) => app.theme)
  const setTheme = useApp((app) => app.setTheme)
  const setDialog = useApp((app) => app.setDialog)
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  const askForRun = useApp((app) => app.askForRun)
  const runName = useRunName(log?.path)
  // That of a recording is Playhead's own.
  const folder = log === undefined || runName !== null ? '' : folderOf(log.path)
  return (
    <header className="top-bar">
      <div className="top-bar-crumbs" title={log?.path}>
        <Icon name="mark" tone="top-bar-mark" label="Playhead" />
        {log === undefined ? (
          <h1 className="medium">Playhead</h1>
        ) : (
          <>
            {folder !== '' && (
              <>
                <span className="t2 cut wide">{folder}</span>
                <span className="t3 wide">/</span>
              </>
            )}
            <h1 className="medium cut">{runName ?? log.name}</h1>
            <span className="badge wide" title={log.format === null ? 'No format claims this log' : 'Log format'}>
              {log.format ?? 'unknown format'}
            </span>
            <SharedBadge />
          </>
        )}
      </div>
      <div className="top-bar-find">
        {log !== undefined && (
          <>
            <FindField />
            <FilterButton />
          </>
        )}
      </div>
      <div className="top-bar-end">
        {startsRuns && (
          <button
            type="button"
            className="btn"
            aria-label="New run"
            title="New run  r"
            onMouseDown={keepFocus}
            onClick={askForRun}
          >
            <Icon name="add" />
            <span className="wide">New run</span>
          </button>
        )}
        <IconButton icon={`theme-${theme}`} label={`Theme: ${theme}`} onClick={() => setTheme(nextTheme[theme])} />
        <IconButton icon="keys" label="Keys" keys="?" onClick={() => setDialog('keys')} />
      </div>
    </header>
  )
}
