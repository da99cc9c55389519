import './library-search.css'
import { isViewOf } from '#contract/settings.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { useSettings } from '../../stores/use-settings.ts'
import { Icon } from '../../ui/icons.tsx'
import { keyText, useTooltip, useWorkingKeys } from '../../ui/shown-keys.ts'
import { type PanelProps, PanelToggle } from '../filter/filter-toggle.tsx'
import { ViewsPanel } from '../filter/views-panel.tsx'
import { QueryField } from '../query/query-field.tsx'
import { sessionValuesOf } from '../query/query-values.ts'

/** Of the element with what is wrong with the query. */
export const queryErrorId = 'library-query-error'

/** The query for sessions and their texts. Escape stops the search, then clears it; the list scrolls back. */
export function LibrarySearch() {
  const { choice, queryError, search } = useLibrary('choice', 'queryError', 'search')
  const { choose, endSearch, find, selection } = useLibrary('choose', 'endSearch', 'find', 'selection')
  const facets = useLibrary(({ overview }) => overview?.facets)
  const { settings, history, remember } = useSettings('settings', 'history', 'remember')
  const [shortcut] = useWorkingKeys()('/')
  const tooltip = useTooltip()
  const found = search?.found?.searching === true ? search.found : null
  const leave = (key: string) => {
    if (key === 'Escape' && found !== null) return find.stop()
    if (key === 'Escape' && choice.text !== '') return endSearch()
    if (key === 'Enter') selection.move(1)
    document.querySelector<HTMLElement>('.session-list')?.focus({ preventScroll: true })
  }
  return (
    <div className="library-search" role="search">
      <QueryField
        label="Search all sessions"
        placeholder="Search all sessions: project:cli since:7d text"
        title={tooltip('Search all sessions', '/')}
        shortcut={shortcut === undefined ? undefined : keyText(shortcut)}
        text={choice.text}
        error={queryError}
        errorId={queryErrorId}
        asks="sessions"
        recent={history.queries.filter((query) => parseQuery(query, 'sessions').error === null)}
        views={settings.views.filter(isViewOf('sessions'))}
        valuesOf={(key) => sessionValuesOf(key, facets)}
        onChange={(text, how) => choose({ text }, how === 'begun')}
        onUsed={(query) => queryError === null && remember({ query })}
        onLeave={leave}
        after={
          found !== null && (
            <i
              className="find-progress"
              style={{ transform: `scaleX(${found.bytes === 0 ? 0 : found.bytesSearched / found.bytes})` }}
            />
          )
        }
      >
        <Icon name="search" tone="t3" />
      </QueryField>
    </div>
  )
}

/** Saves the query for sessions, and applies saved ones. */
export function LibraryViews() {
  const text = useLibrary(({ choice }) => choice.text)
  const { file, settings } = useSettings('file', 'settings')
  if (file === null) return null
  const isActive = settings.views.filter(isViewOf('sessions')).some(({ query }) => query === text.trim())
  return (
    <PanelToggle
      dialog="views"
      icon="views"
      label="Views"
      what="Saved views"
      keys="V"
      isActive={isActive}
      Panel={SessionViews}
    />
  )
}

function SessionViews(props: PanelProps) {
  const { choice, choose, queryError } = useLibrary('choice', 'choose', 'queryError')
  return (
    <ViewsPanel
      {...props}
      of="sessions"
      text={choice.text}
      isValid={queryError === null}
      onApply={(text) => choose({ text })}
    />
  )
}
