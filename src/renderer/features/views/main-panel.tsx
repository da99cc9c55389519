import './main-panel.css'
import { useState, useSyncExternalStore } from 'react'
import type { MainView } from '../../stores/layout-store.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { useShownFindings } from '../../stores/shown-findings.ts'
import { keepFocus } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { AnalysisView } from '../analysis/analysis-view.tsx'
import { CompareView } from '../compare/compare-view.tsx'
import { useIsCompared } from '../../stores/use-compare.ts'
import { OpenAsks, TalkPanel } from '../dialogue/dialogue-panel.tsx'
import { EvolutionView } from '../evolution/evolution-view.tsx'
import { FilesView } from '../files/files-view.tsx'
import { FindingsPanel } from '../findings/findings-panel.tsx'
import { IssuesPanel } from '../issues/issues-panel.tsx'
import { LiveRunBar } from '../live-runs/live-run-bar.tsx'
import { RunDrawer, type RunTab } from '../live-runs/run-drawer.tsx'
import { useShownRun } from '../live-runs/shown-run.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { LogMessages } from '../top-bar/log-messages.tsx'
import { ViewBarContext } from './view-bar.tsx'

/** In error messages. */
const viewNames: Readonly<Record<MainView, string>> = {
  timeline: 'timeline',
  todos: 'view of the todos',
  analysis: 'analysis',
  files: 'view of the files',
  compare: 'comparison'
}

/** The middle of the page: the state of a live run, the timeline or the todos over time, and a drawer. */
export function MainPanel() {
  const { key } = useLogParts()
  const {
    view: chosen,
    setView,
    issuesOpen,
    setIssuesOpen,
    findingsOpen,
    setFindingsOpen
  } = useLayout('view', 'setView', 'issuesOpen', 'setIssuesOpen', 'findingsOpen', 'setFindingsOpen')
  const isCompared = useIsCompared()
  const view = chosen === 'compare' && !isCompared ? 'timeline' : chosen
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const run = useShownRun()
  const [runTab, setRunTab] = useState<RunTab | null>(null)
  // One drawer at a time.
  const showOfRun = (tab: RunTab | null) => {
    setRunTab(tab)
    if (tab === null) return
    setIssuesOpen(false)
    setFindingsOpen(false)
  }
  const tabs: readonly Tab<MainView>[] = [
    { id: 'timeline', label: 'Timeline' },
    { id: 'todos', label: 'Todos', count: useTodoFigure() },
    { id: 'analysis', label: 'Analysis' },
    { id: 'files', label: 'Files' },
    ...(isCompared ? [{ id: 'compare' as const, label: 'Compare' }] : [])
  ]
  return (
    <>
      {run !== null && (
        <Boundary part="state of the run" of={run.run}>
          <LiveRunBar run={run} tab={issuesOpen || findingsOpen ? null : runTab} onTab={showOfRun} />
        </Boundary>
      )}
      {run?.dialogue != null && (
        <Boundary part="requests of the run" of={run.run}>
          <OpenAsks key={run.run} run={run} />
        </Boundary>
      )}
      <LogMessages />
      <Tabs
        label="View"
        tabs={tabs}
        selected={view}
        onSelect={setView}
        bar={
          <>
            <IssuesToggle open={issuesOpen} onToggle={() => setIssuesOpen(!issuesOpen)} />
            <FindingsToggle open={findingsOpen} onToggle={() => setFindingsOpen(!findingsOpen)} />
            <span className="grow" />
            <div ref={setBar} className="view-bar hstack" />
          </>
        }
      >
        <ViewBarContext value={bar}>
          <Boundary part={viewNames[view]} of={view === 'compare' ? view : `${view} ${key}`}>
            {view === 'todos' ? (
              <EvolutionView />
            ) : view === 'analysis' ? (
              <AnalysisView />
            ) : view === 'files' ? (
              <FilesView />
            ) : view === 'compare' ? (
              <CompareView />
            ) : (
              <Timeline key={key} />
            )}
          </Boundary>
        </ViewBarContext>
      </Tabs>
      {run?.dialogue != null && (
        <Boundary part="prompts of the run" of={run.run}>
          <TalkPanel key={run.run} run={run} />
        </Boundary>
      )}
      {issuesOpen && (
        <div className="drawer vstack rigid">
          <Splitter panel="drawer" edge="top" label="Height of the issues" />
          <Boundary part="list of issues" of={key}>
            <IssuesPanel onClose={() => setIssuesOpen(false)} />
          </Boundary>
        </div>
      )}
      {findingsOpen && (
        <div className="drawer vstack rigid">
          <Splitter panel="drawer" edge="top" label="Height of the findings" />
          <Boundary part="list of findings" of={key}>
            <FindingsPanel onClose={() => setFindingsOpen(false)} />
          </Boundary>
        </div>
      )}
      {!issuesOpen && !findingsOpen && run !== null && runTab !== null && (
        <div className="drawer vstack rigid drawer-run">
          <Splitter panel="run" edge="top" label="Height of the run details" />
          <Boundary part="standard error" of={run.run}>
            <RunDrawer key={run.run} run={run} tab={runTab} onTab={showOfRun} />
          </Boundary>
        </div>
      )}
    </>
  )
}

function IssuesToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const tooltip = useTooltip()
  const issues = useLog((log) => log.status.issues)
  const count = issues.malformed + issues.violation + issues.notice
  return (
    <button
      type="button"
      className="tab drawer-toggle"
      aria-pressed={open}
      title={tooltip('Log issues', 'I')}
      onMouseDown={keepFocus}
      onClick={onToggle}
    >
      Log issues {count > 0 && <span className="num t3 regular">{formatCount(count)}</span>}
    </button>
  )
}

function FindingsToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const tooltip = useTooltip()
  const { list } = useShownFindings()
  return (
    <button
      type="button"
      className="tab drawer-toggle"
      aria-pressed={open}
      title={tooltip('Findings', 'D')}
      onMouseDown={keepFocus}
      onClick={onToggle}
    >
      Findings {list.length > 0 && <span className="num t3 regular">{formatCount(list.length)}</span>}
    </button>
  )
}

/** "3/7": progress of the list of the playhead's track, else of the main agent's. */
function useTodoFigure(): string | undefined {
  const { todos } = useLogParts()
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const seq = useLog((log) => log.seq)
  const track = useLog((log) => log.columns.track[log.row] ?? 0)
  const own = todos.indexAt(seq, track)
  const index = own < 0 ? todos.indexAt(seq, 0) : own
  return index < 0 ? undefined : `${formatCount(todos.completedAt(index))}/${formatCount(todos.totalAt(index))}`
}
