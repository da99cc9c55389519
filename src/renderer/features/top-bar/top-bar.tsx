import { folderPart, lastName } from '#core/paths/path-names.ts'
import './top-bar.css'
import type { Theme } from '../../stores/app-state.ts'
import { useApp } from '../../stores/app-store.ts'
import { canGoOn } from '../../stores/going-on.ts'
import { useRunOf } from '../../stores/use-live-runs.ts'
import { useLibrary, useLibraryShown } from '../../stores/use-library.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { FindField } from '../find/find-field.tsx'
import { LibraryFilter } from '../library/library-filter.tsx'
import { LibrarySearch, LibraryViews } from '../library/library-search.tsx'
import { useLogTitle } from '../library/log-title.ts'
import { SharedBadge } from '../shared/shared-note.tsx'

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

/** The shown log, the find field with the filter, and the controls of the whole page. */
export function TopBar() {
  const tooltip = useTooltip()
  const log = useApp((app) => app.logs.find((status) => status.log === app.active))
  const { theme, setTheme } = useApp('theme', 'setTheme')
  const { setDialog, showRunForm, leaveLog, goOn } = useApp('setDialog', 'showRunForm', 'leaveLog', 'goOn')
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  // The bar of a live run has its own button.
  const isRun = useRunOf(log?.path) !== undefined
  const goesOn = startsRuns && log !== undefined && !isRun && canGoOn(log.agent, log.sessionId)
  const exports = useApp((app) => app.capabilities?.exports === true)
  const title = useLogTitle(log?.path)
  const libraryShown = useLibraryShown()
  const hasLibrary = useLibrary(({ presence }) => presence === 'there')
  // The title of a session makes its folder redundant.
  const folder = log === undefined || title !== null ? '' : lastName(folderPart(log.path))
  return (
    <header className="top-bar">
      <div className="top-bar-crumbs hstack" title={log?.path}>
        <Icon name="mark" tone="top-bar-mark" label="Playhead" />
        {log !== undefined && hasLibrary && (
          <>
            <button
              type="button"
              className="btn top-bar-library"
              aria-label="Library"
              title={tooltip('Library', 'l')}
              onMouseDown={keepFocus}
              onClick={leaveLog}
            >
              <Icon name="library" />
              <span className="wide">Library</span>
            </button>
            <span className="t3">/</span>
          </>
        )}
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
            <h1 className="medium cut" dir="auto">
              {title ?? log.name}
            </h1>
            <span className="badge wide" title={log.format === null ? 'The log format is unknown' : 'Log format'}>
              {log.format ?? 'unknown format'}
            </span>
            <SharedBadge />
          </>
        )}
      </div>
      <div className="top-bar-find">
        {log !== undefined && <FindField />}
        {libraryShown && (
          <>
            <LibrarySearch />
            <LibraryFilter />
            <LibraryViews />
          </>
        )}
      </div>
      <div className="top-bar-end">
        {libraryShown && (
          <button
            type="button"
            className="btn"
            aria-label="Open log"
            title={tooltip('Open log', 'Mod+o')}
            onMouseDown={keepFocus}
            onClick={() => setDialog('open')}
          >
            <Icon name="open" />
            <span className="wide">Open log</span>
          </button>
        )}
        {log !== undefined && exports && (
          <button
            type="button"
            className="btn"
            aria-label="Export"
            title={tooltip('Export', 'd')}
            onMouseDown={keepFocus}
            onClick={() => setDialog('export')}
          >
            <Icon name="export" />
            <span className="wide">Export</span>
          </button>
        )}
        {goesOn && (
          <button
            type="button"
            className="btn"
            aria-label="Go on…"
            title={tooltip('Go on with the session', 'R')}
            onMouseDown={keepFocus}
            onClick={() => void goOn(log.path)}
          >
            <Icon name="go-on" />
            <span className="wide">Go on…</span>
          </button>
        )}
        {startsRuns && (
          <button
            type="button"
            className="btn"
            aria-label="New run"
            title={tooltip('New run', 'r')}
            onMouseDown={keepFocus}
            onClick={showRunForm}
          >
            <Icon name="add" />
            <span className="wide">New run</span>
          </button>
        )}
        <IconButton icon={`theme-${theme}`} label={`Theme: ${theme}`} onClick={() => setTheme(nextTheme[theme])} />
        <IconButton icon="keys" label="Keyboard shortcuts" keys="?" onClick={() => setDialog('keys')} />
      </div>
    </header>
  )
}
