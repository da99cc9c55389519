import './app.css'
import { type CSSProperties, useEffect } from 'react'
import { CompareDialog } from './features/compare/compare-dialog.tsx'
import { TodosOfBoth } from './features/compare/todos-of-both.tsx'
import { ExportDialog } from './features/export/export-dialog.tsx'
import { GoToDialog } from './features/go-to/go-to-dialog.tsx'
import { Inspector } from './features/inspector/inspector.tsx'
import { KeysDialog } from './features/keys/keys-dialog.tsx'
import { LibraryScreen } from './features/library/library-screen.tsx'
import { LibrarySidebar } from './features/library/library-sidebar.tsx'
import { useLogTitle } from './features/library/log-title.ts'
import { SessionPreview } from './features/library/session-preview.tsx'
import { ShownRun } from './features/live-runs/shown-run.tsx'
import { NewRunDialog } from './features/new-run/new-run-dialog.tsx'
import { MainPanel } from './features/views/main-panel.tsx'
import { Transport } from './features/views/transport.tsx'
import { CommandPalette } from './features/palette/command-palette.tsx'
import { RunsPanel } from './features/runs/runs-panel.tsx'
import { RefusedScreen } from './features/start/refused-screen.tsx'
import { StartScreen } from './features/start/start-screen.tsx'
import { StatusBar } from './features/status-bar/status-bar.tsx'
import { MyTasks } from './features/tasks/my-tasks.tsx'
import { TodoPanel } from './features/todos/todo-panel.tsx'
import { AppMessages } from './features/top-bar/app-messages.tsx'
import { TopBar } from './features/top-bar/top-bar.tsx'
import { Boundary } from './ui/boundary.tsx'
import { Splitter } from './ui/splitter.tsx'
import { AsksTold, useWaitingAsks } from './features/dialogue/asks-told.tsx'
import { useKeys } from './keyboard.ts'
import { useApp, useShared } from './stores/app-store.ts'
import { isPreviewOpen, type PanelSizes } from './stores/layout-store.ts'
import { givenIn } from './stores/given-files.ts'
import { useShownComparison } from './stores/use-compare.ts'
import { useLayout } from './stores/use-layout.ts'
import { LogStoreContext } from './stores/log-store.ts'
import { isLibraryEmpty, useLibrary, useLibraryShown } from './stores/use-library.ts'

/** The page: a log, the library, the start screen of a host without one, or the reason of a refusal. */
export function App() {
  const log = useApp((app) => (app.active === null ? undefined : app.logStores.get(app.active)))
  // Open logs are unknown before the host has answered; the start screen would flash.
  const met = useApp((app) => app.connection !== 'connecting')
  const refusal = useApp((app) => app.refusal)
  const key = log?.getState().key
  const path = useApp((app) => app.logs.find((status) => status.log === app.active)?.path)
  const fileName = useApp((app) => app.logs.find((status) => status.log === app.active)?.name)
  const name = useLogTitle(path) ?? fileName
  const library = useLibraryShown()
  const asksForLibrary = useLibrary(({ presence }) => presence === 'unknown')
  const isEmpty = useLibrary(isLibraryEmpty)
  const preview = useLayout(isPreviewOpen) && !isEmpty
  const { sizes, wide, setWide } = useLayout('sizes', 'wide', 'setWide')
  const waiting = useWaitingAsks()
  useTheme()
  useDroppedFiles()
  useKeys()
  useEffect(() => {
    const waits = waiting === 0 ? '' : `(${waiting}) `
    document.title = `${waits}${name === undefined ? 'Playhead' : `${name} · Playhead`}`
  }, [name, waiting])
  if (refusal !== null) return <RefusedScreen why={refusal} />

  return (
    <LogStoreContext value={log ?? null}>
      <div
        className="app"
        data-screen={log !== undefined ? 'log' : library ? 'library' : 'start'}
        data-alone={library && !preview ? '' : undefined}
        data-wide={wide && log !== undefined ? '' : undefined}
        style={sizeStyle(sizes)}
      >
        <AsksTold />
        <div className="area-top">
          <Boundary part="top bar" of={key}>
            <TopBar />
          </Boundary>
        </div>
        <aside className="area-runs" aria-label="Logs">
          <Boundary part="list of logs" of={key}>
            {library ? <LibrarySidebar /> : <RunsPanel />}
          </Boundary>
          <Splitter panel="runs" edge="right" label="Width of the logs" />
        </aside>
        <main className="area-main vstack fill">
          <AppMessages />
          {log === undefined ? (
            library ? (
              <Boundary part="library" of={key}>
                <LibraryScreen />
              </Boundary>
            ) : (
              met && !asksForLibrary && <StartScreen />
            )
          ) : (
            <ShownRun>
              <MainPanel />
            </ShownRun>
          )}
        </main>
        {library && preview && (
          <aside className="area-side vstack fill" aria-label="Details">
            <Splitter panel="preview" edge="left" label="Width of the preview" />
            <Boundary part="preview" of={key}>
              <SessionPreview />
            </Boundary>
          </aside>
        )}
        {log !== undefined && (
          <>
            <aside className="area-side vstack fill" aria-label="Details">
              <Splitter panel="side" edge="left" label="Width of the inspector" />
              <Boundary part="inspector" of={key}>
                <ShownRun>
                  <Inspector widening={{ wide, onWiden: setWide }} />
                </ShownRun>
              </Boundary>
              <div className="area-todos vstack rigid">
                <Splitter panel="todos" edge="top" label="Height of the todos" />
                <Boundary part="todo panel" of={key}>
                  <Todos />
                </Boundary>
              </div>
            </aside>
            <Transport />
          </>
        )}
        <div className="area-status">
          <Boundary part="status bar" of={key}>
            <StatusBar />
          </Boundary>
        </div>
      </div>
      <KeysDialog />
      <NewRunDialog />
      <CommandPalette />
      {log !== undefined && <CompareDialog />}
      {log !== undefined && <GoToDialog />}
      {log !== undefined && <ExportDialog key={key} />}
    </LogStoreContext>
  )
}

/** The todo list at the playhead, or those of both sessions that are compared. */
function Todos() {
  const compared = useShownComparison()
  return compared === null ? (
    <TodoPanel>
      <MyTasks />
    </TodoPanel>
  ) : (
    <TodosOfBoth stores={compared.stores}>
      <MyTasks />
    </TodosOfBoth>
  )
}

/** Panel sizes set by a person. The style sheet has defaults and limits. */
function sizeStyle(sizes: PanelSizes): CSSProperties {
  return Object.fromEntries(Object.entries(sizes).map(([panel, size]) => [`--set-${panel}`, `${size}px`]))
}

function useTheme(): void {
  const theme = useApp((app) => app.theme)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
}

/** Files can be dropped anywhere. Without this handler the browser would navigate to them. */
function useDroppedFiles(): void {
  const openFiles = useApp((app) => app.openFiles)
  const opens = useShared() === null
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      const { dataTransfer } = event
      if (opens && dataTransfer !== null && dataTransfer.files.length > 0) void openFiles(givenIn(dataTransfer))
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [openFiles, opens])
}
