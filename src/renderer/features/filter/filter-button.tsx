import './filter-panel.css'
import { useRef } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useLog } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { groupsInForce } from './filter-words.ts'

/** Opens the panel that chooses which rows the timeline shows; says how many groups of it are in force. */
export function FilterButton() {
  const open = useApp((app) => app.dialog === 'filter')
  const setDialog = useApp((app) => app.setDialog)
  const filter = useLog((log) => log.filter)
  const parts = groupsInForce(filter)
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place} className="filter-place">
      <button
        type="button"
        className="btn filter-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={parts === 0 ? 'Filter' : `Filter, ${parts} active`}
        title="Filter rows  F"
        data-active={parts > 0}
        onClick={() => setDialog(open ? 'none' : 'filter')}
      >
        <Icon name="filter" />
        <span className="filter-button-word">Filter</span>
        {parts > 0 && <span className="badge num">{parts}</span>}
      </button>
      {open && <FilterPanel place={place} filter={filter} onClose={() => setDialog('none')} />}
    </div>
  )
}
