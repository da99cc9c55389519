import './main-panel.css'
import { useState, useSyncExternalStore } from 'react'
import type { MainView } from '../../stores/layout-store.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { type LogState, useLog } from '../../stores/log-store.ts'
import { keepFocus } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { EvolutionView } from '../evolution/evolution-view.tsx'
import { IssuesPanel } from '../issues/issues-panel.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { Banner } from '../top-bar/banner.tsx'
import { ViewBarContext } from './view-bar.tsx'

/** The middle of the page: the rows of the log or its todos over time, and the issues in a drawer under either. */
export function MainPanel() {
  const key = useLog((log) => log.key)
  const view = useLayout((layout) => layout.view)
  const setView = useLayout((layout) => layout.setView)
  const issuesOpen = useLayout((layout) => layout.issuesOpen)
  const setIssuesOpen = useLayout((layout) => layout.setIssuesOpen)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const tabs: readonly Tab<MainView>[] = [
    { id: 'timeline', label: 'Timeline' },
    { id: 'todos', label: 'Todos', count: useTodoFigure() }
  ]
  return (
    <>
      <Banner />
      <Tabs
        label="View"
        tabs={tabs}
        selected={view}
        onSelect={setView}
        bar={
          <>
            <IssuesToggle open={issuesOpen} onToggle={() => setIssuesOpen(!issuesOpen)} />
            <span className="grow" />
            <div ref={setBar} className="view-bar" />
          </>
        }
      >
        <ViewBarContext value={bar}>
          <Boundary part={view === 'todos' ? 'view of the todos' : 'timeline'} of={`${view} ${key}`}>
            {view === 'todos' ? <EvolutionView /> : <Timeline key={key} />}
          </Boundary>
        </ViewBarContext>
      </Tabs>
      {issuesOpen && (
        <div className="drawer">
          <Splitter panel="drawer" edge="top" label="Height of the issues" />
          <Boundary part="list of issues" of={key}>
            <IssuesPanel onClose={() => setIssuesOpen(false)} />
          </Boundary>
        </div>
      )}
    </>
  )
}

function IssuesToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const issues = useLog((log) => log.status.issues)
  const count = issues.malformed + issues.violation + issues.notice
  return (
    <button
      type="button"
      className="drawer-toggle"
      aria-pressed={open}
      title="Issues of the log  I"
      onMouseDown={keepFocus}
      onClick={onToggle}
    >
      Issues {count > 0 && <span className="num t3 regular">{formatCount(count)}</span>}
    </button>
  )
}

/** "3/7": how far the list of the playhead's track is, or the main agent's. */
function useTodoFigure(): string | undefined {
  const todos = useLog((log) => log.todos)
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  return useLog((log) => todoFigure(log))
}

function todoFigure({ todos, columns, row, playhead }: LogState): string | undefined {
  const track = row < 0 ? 0 : (columns.track[row] ?? 0)
  const own = todos.indexAt(playhead, track)
  const index = own < 0 ? todos.indexAt(playhead, 0) : own
  return index < 0 ? undefined : `${formatCount(todos.completedAt(index))}/${formatCount(todos.totalAt(index))}`
}
