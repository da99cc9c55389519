import './filter-bar.css'
import { useId } from 'react'
import { isViewOf } from '#contract/settings.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import { partsOf } from '#core/query/query-choices.ts'
import { focusTimeline } from '../../keyboard.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { isNoFilter } from '../../stores/row-filter.ts'
import { useSettings } from '../../stores/use-settings.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { QueryErrorText } from '../query/query-error.tsx'
import { QueryField } from '../query/query-field.tsx'
import { useRowValues } from '../query/use-row-values.ts'
import { FilterPanel } from './filter-panel.tsx'
import { FilterToggle, type PanelProps, PanelToggle } from './filter-toggle.tsx'
import { shownText } from './shown-text.ts'
import { ViewsPanel } from './views-panel.tsx'

/** The query for the rows of the timeline, and the panel that writes it. */
export function FilterBar() {
  const { columns, layout, filtering } = useLogParts()
  const { filter, row } = useLog('filter', 'row', 'version')
  const status = useStatus('phase')
  const { text, error, search } = filter
  const tooltip = useTooltip()
  const errorId = useId()
  const playheadHidden = row >= 0 && layout.laid > row && layout.viewOf(row) < 0
  const { file, settings, history, remember } = useSettings('file', 'settings', 'history', 'remember')
  const views = settings.views.filter(isViewOf('rows'))
  const values = useRowValues(isNoFilter(filter) ? null : search.hits)
  return (
    <>
      <section className="filter-bar" aria-label="Filter rows">
        <QueryField
          label="Filter"
          placeholder="Filter rows: tool:Bash status:error"
          title={tooltip('Filter rows', 'F')}
          text={text}
          error={error}
          errorId={errorId}
          asks="rows"
          recent={history.queries.filter((query) => parseQuery(query, 'rows').error === null)}
          views={views}
          {...values}
          onChange={(changed, how) =>
            how === 'begun' ? filtering.begin(changed) : filtering.set(changed, how === 'typing')
          }
          onUsed={(query) => error === null && remember({ query })}
          onLeave={focusTimeline}
        >
          <FilterToggle what="rows" active={partsOf(filter.query).length} Panel={FilterPanel} />
        </QueryField>
        {file !== null && (
          <PanelToggle
            dialog="views"
            icon="views"
            label="Views"
            what="Saved views"
            keys="V"
            isActive={views.some(({ query }) => query === text.trim())}
            Panel={RowViews}
          />
        )}
        {playheadHidden && (
          <span className="filter-bar-note" title="The filter hides the row at the playhead">
            playhead hidden
          </span>
        )}
        <span className="filter-bar-count num" aria-live={search.searching ? 'off' : 'polite'}>
          {error === null ? shownText({ columns, layout, status, filter }) : 'rows as before'}
        </span>
        {search.searching && (
          <i className="find-progress" style={{ transform: `scaleX(${search.found === null ? 0 : search.part})` }} />
        )}
      </section>
      {error !== null && <QueryErrorText id={errorId} text={text} error={error} />}
      {search.error !== null && (
        <p className="query-error field-error" role="alert">
          <Icon name="error" size={14} />
          <span>{search.error.message}</span>
        </p>
      )}
    </>
  )
}

function RowViews(props: PanelProps) {
  const { filtering } = useLogParts()
  const { text, error } = useLog((log) => log.filter)
  return (
    <ViewsPanel {...props} of="rows" text={text} isValid={error === null} onApply={(query) => filtering.set(query)} />
  )
}
