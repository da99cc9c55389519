import './filter-panel.css'
import { type ComponentType, type RefObject, useRef } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'

interface PanelProps {
  readonly place: RefObject<HTMLDivElement | null>
  readonly onClose: () => void
}

/** Opens the panel that filters `what`, and shows the number of restrictions. */
export function FilterToggle({
  what,
  active,
  Panel
}: {
  what: 'rows' | 'sessions'
  active: number
  Panel: ComponentType<PanelProps>
}) {
  const open = useApp((app) => app.dialog === 'filter')
  const tooltip = useTooltip()
  const setDialog = useApp((app) => app.setDialog)
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place} className="filter-place">
      <button
        type="button"
        className="btn filter-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={active === 0 ? 'Filter' : `Filter, ${active} active`}
        title={tooltip(`Filter ${what}`, 'F')}
        data-active={active > 0}
        onClick={() => setDialog(open ? 'none' : 'filter')}
      >
        <Icon name="filter" />
        <span className="filter-button-word">Filter</span>
        {active > 0 && <span className="badge num">{active}</span>}
      </button>
      {open && <Panel place={place} onClose={() => setDialog('none')} />}
    </div>
  )
}
