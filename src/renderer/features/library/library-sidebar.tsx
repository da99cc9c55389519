import { folderPart, lastName, pathFromHome } from '#core/paths/path-names.ts'
import './library-sidebar.css'
import { useState } from 'react'
import type { SessionState } from '#core/library/session-card.ts'
import { useApp, useLost } from '../../stores/app-store.ts'
import { isViewOf } from '#contract/settings.ts'
import { choicesOf, termOf } from '#core/query/query-choices.ts'
import {
  hasTerm,
  type LibraryView,
  libraryViews,
  projectTerms,
  toggleOnly,
  viewOf,
  withView
} from '../../stores/library-choice.ts'
import { useSettings } from '../../stores/use-settings.ts'
import { useLibrary } from '../../stores/use-library.ts'
import type { LibraryFacets } from '#contract/library.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { LiveDot } from '../live/live-dot.tsx'
import { LiveRunList } from '../live-runs/live-run-list.tsx'
import { OpenLogs, RecentLogs } from '../runs/runs-panel.tsx'
import { DropOverlay } from '../start/drop-overlay.tsx'
import { OpenDialog } from '../start/open-dialog.tsx'
import { FoldersDialog } from './folders-dialog.tsx'
import { TotalsDialog } from './totals-dialog.tsx'
import { agentName } from './session-words.ts'

/** The restrictions of the list (view, agent, project), then open logs and live runs. A rail in a narrow window. */
export function LibrarySidebar() {
  const { dialog, setDialog, showRunForm } = useApp('dialog', 'setDialog', 'showRunForm')
  const hasLogs = useApp((app) => app.logs.length > 0)
  const startsRuns = useApp((app) => app.capabilities?.runs === true)
  return (
    <>
      <SidePanel
        label="Library"
        icon="library"
        showLabel="Show views and projects"
        rail={() => (
          <>
            <IconButton icon="open" label="Open a log" keys="Mod+o" onClick={() => setDialog('open')} />
            {startsRuns && <IconButton icon="session" label="Start a run" keys="r" onClick={showRunForm} />}
            <IconButton icon="density" label="Totals" onClick={() => setDialog('totals')} />
            <IconButton icon="folder" label="Library folders" onClick={() => setDialog('folders')} />
          </>
        )}
      >
        <Views />
        <SavedViews />
        <Agents />
        <Projects />
        {hasLogs && <OpenLogs onAdd={() => setDialog('open')} />}
        {startsRuns && <LiveRunList />}
        <RecentLogs beside="library" />
        <button type="button" className="library-folders hstack rigid t2" onClick={() => setDialog('totals')}>
          <Icon name="density" tone="t3" />
          <span>Totals…</span>
        </button>
        <button type="button" className="library-folders hstack rigid t2" onClick={() => setDialog('folders')}>
          <Icon name="add-folder" tone="t3" />
          <span>Library folders…</span>
        </button>
      </SidePanel>
      {dialog !== 'keys' && <OpenDialog />}
      <FoldersDialog />
      <TotalsDialog />
      <DropOverlay />
    </>
  )
}

const viewWords: Readonly<Record<LibraryView, { readonly name: string; readonly icon: IconName }>> = {
  all: { name: 'All sessions', icon: 'library' },
  live: { name: 'Live', icon: 'live' },
  failed: { name: 'Failed', icon: 'error' },
  todos: { name: 'Open todos', icon: 'todos' },
  forked: { name: 'Forked', icon: 'fork' }
}

function viewCount(view: LibraryView, { all, states, todosLeft, forked }: LibraryFacets): number {
  const ofState = (state: SessionState) => states[state] ?? 0
  return { all, live: ofState('live'), failed: ofState('error'), todos: todosLeft, forked }[view]
}

function Views() {
  const facets = useFacets()
  const { query, ask } = useLibrary('query', 'ask')
  const view = viewOf(query)
  const growing = useLibrary(({ status }) => status?.phase !== 'idle')
  const lost = useLost()
  if (facets?.all === 0 && !growing) {
    return (
      <Part title="Views">
        <li className="runs-empty t3">No sessions</li>
      </Part>
    )
  }
  return (
    <Part title="Views">
      {libraryViews.map((each) => {
        const { name, icon } = viewWords[each]
        // The number of live sessions is unknown without a connection.
        const count = facets === undefined || (lost && each === 'live') ? undefined : viewCount(each, facets)
        return (
          <Choice
            key={each}
            name={name}
            icon={icon}
            count={count}
            isLive={each === 'live' && (count ?? 0) > 0}
            current={view === each}
            onChoose={() => ask(withView(query, each))}
          />
        )
      })}
    </Part>
  )
}

function SavedViews() {
  const { choice, choose } = useLibrary('choice', 'choose')
  const { settings } = useSettings('settings')
  const views = settings.views.filter(isViewOf('sessions'))
  if (views.length === 0) return null
  return (
    <Part title="Saved">
      {views.map(({ name, query }) => (
        <Choice
          key={name}
          name={displayText(name)}
          title={query}
          icon="views"
          count={undefined}
          current={choice.text.trim() === query}
          onChoose={() => choose({ text: query })}
        />
      ))}
    </Part>
  )
}

function Agents() {
  const facets = useFacets()
  const { query, ask } = useLibrary('query', 'ask')
  const { asked } = choicesOf(query, 'agent')
  if (facets === undefined || facets.agents.length === 0) return null
  return (
    <Part title="Agents">
      {facets.agents.map(({ agent, count }) => {
        return (
          <Choice
            key={agent}
            name={agentName(agent)}
            icon="bash"
            count={count}
            current={asked.has(agent)}
            onChoose={() => ask(toggleOnly(query, termOf('agent', [agent])))}
          />
        )
      })}
    </Part>
  )
}

const fewProjects = 10
const moreProjects = 100

function Projects() {
  const facets = useFacets()
  const { query, ask } = useLibrary('query', 'ask')
  const [most, setMost] = useState(fewProjects)
  const [text, setText] = useState<string | null>(null)
  if (facets === undefined || facets.projects.length === 0) return null
  const wanted = (text ?? '').trim().toLowerCase()
  const matching = facets.projects.filter((each) => each.project.toLowerCase().includes(wanted))
  const shown = matching.slice(0, wanted === '' ? most : moreProjects)
  // The chosen project is always listed.
  const terms = projectTerms(facets.projects.map(({ project }) => project))
  const chosen = matching.find(({ project }) => hasTerm(query, terms.get(project)))
  const toggle = (path: string) => {
    const term = terms.get(path)
    if (term !== undefined) ask(toggleOnly(query, term))
  }
  if (chosen !== undefined && !shown.includes(chosen)) shown.push(chosen)
  const all = wanted === '' ? facets.projectsTotal : matching.length
  const names = new Map<string, number>()
  for (const { project: path } of facets.projects) names.set(lastName(path), (names.get(lastName(path)) ?? 0) + 1)
  return (
    <Part
      title="Projects"
      tools={
        <IconButton
          small
          icon="search"
          label="Search projects"
          pressed={text !== null}
          onClick={() => setText(text === null ? '' : null)}
        />
      }
    >
      {text !== null && (
        <li className="project-search">
          <div className="field">
            <input
              type="text"
              aria-label="Search projects"
              placeholder="Name or folder"
              autoFocus
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                const first = shown[0]
                if (event.key === 'Escape') setText(null)
                else if (event.key === 'Enter' && first !== undefined) toggle(first.project)
              }}
            />
          </div>
        </li>
      )}
      {shown.map(({ project: path, count }) => (
        <Choice
          key={path}
          name={displayText(lastName(path))}
          // The parent folder, for projects with the same name.
          beside={(names.get(lastName(path)) ?? 0) > 1 ? lastName(folderPart(pathFromHome(path))) : undefined}
          title={path}
          icon="folder"
          count={count}
          current={path === chosen?.project}
          onChoose={() => toggle(path)}
        />
      ))}
      {shown.length === 0 && <li className="runs-empty t3">No matching projects</li>}
      {all > shown.length && (
        <li>
          <button
            type="button"
            className="side-choice hstack rigid t3"
            disabled={shown.length >= facets.projects.length}
            onClick={() => setMost(most + moreProjects)}
          >
            <span className="icon" />
            {formatCount(all - shown.length)} more…
          </button>
        </li>
      )}
    </Part>
  )
}

function Part({ title, tools, children }: { title: string; tools?: React.ReactNode; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="runs-head">
        <h2>{title}</h2>
        {tools}
      </div>
      <ul>{children}</ul>
    </section>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly beside?: string | undefined
  readonly title?: string
  readonly icon: IconName
  readonly count: number | undefined
  readonly isLive?: boolean
  readonly current: boolean
  readonly onChoose: () => void
}

/** A restriction and its number of sessions. */
function Choice({ name, beside, title, icon, count, isLive = false, current, onChoose }: ChoiceProps) {
  const growing = useLibrary(({ status }) => status?.phase === 'looking' || status?.phase === 'cards')
  return (
    <li>
      <button
        type="button"
        className="side-choice hstack rigid t2"
        aria-current={current ? 'true' : undefined}
        title={title}
        onMouseDown={keepFocus}
        onClick={onChoose}
      >
        <Icon name={icon} />
        <span className="cut">{name}</span>
        {beside !== undefined && <span className="caption t3 cut beside">{displayText(beside)}</span>}
        <span className="grow" />
        {isLive && <LiveDot />}
        {count !== undefined && (
          <span className="num">
            {formatCount(count)}
            {growing ? '…' : ''}
          </span>
        )}
      </button>
    </li>
  )
}

function useFacets(): LibraryFacets | undefined {
  return useLibrary(({ overview }) => overview?.facets)
}
