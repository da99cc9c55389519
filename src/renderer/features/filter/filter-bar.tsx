import './filter-bar.css'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { isNoFilter, noFilter } from '../../stores/row-filter.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { shownText } from './shown-text.ts'
import { filterParts } from './filter-words.ts'

/** The parts of the current filter, with a button to remove each. */
export function FilterBar() {
  const { columns, layout, filtering } = useLogParts()
  const values = useLog('status', 'find', 'filter', 'row', 'version')
  const { status, find, filter, row } = values
  if (isNoFilter(filter)) return null
  const hidden = columns.rows - layout.shown
  const playheadHidden = row >= 0 && layout.laid > row && layout.viewOf(row) < 0
  return (
    <section className="filter-bar rigid t2 caption" aria-label="Active filter">
      <Icon name="filter" size={12} tone="t3" />
      <ul className="filter-chips">
        {filterParts(filter, status.tracks, find.text).map(({ group, words, without }) => (
          <li key={group}>
            <button
              type="button"
              className="filter-chip hstack"
              aria-label={`Remove filter ${group}: ${words}`}
              title={`${group}: ${words}`}
              onClick={() => filtering.set(without)}
            >
              <span className="t3">{group}</span>
              <span className="cut">{words}</span>
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <span className="grow" />
      {playheadHidden && (
        <span className="filter-bar-note" title="The filter hides the row at the playhead">
          playhead hidden
        </span>
      )}
      <span className="filter-bar-count num" aria-live="polite">
        {shownText({ columns, layout, ...values })}
        <span className="t3 wide">, {formatCount(hidden)} hidden</span>
      </span>
      <button type="button" className="btn small" onClick={() => filtering.set(noFilter)}>
        Clear
      </button>
    </section>
  )
}
