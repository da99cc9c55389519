import './filter-panel.css'
import { type ComponentType, type ReactNode, type RefObject, useRef } from 'react'
import type { Dialog } from '../../stores/app-state.ts'
import { useApp } from '../../stores/app-store.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'

export interface PanelProps {
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
  return (
    <PanelToggle
      dialog="filter"
      icon="filter"
      label={active === 0 ? 'Filter' : `Filter, ${active} active`}
      what={`Filter ${what}`}
      keys="F"
      isActive={active > 0}
      Panel={Panel}
    >
      <span className="filter-button-word">Filter</span>
      {active > 0 && <span className="badge num">{active}</span>}
    </PanelToggle>
  )
}

interface PanelToggleProps {
  readonly dialog: Dialog
  readonly icon: IconName
  readonly label: string
  /** For the tooltip, with `keys`. */
  readonly what: string
  readonly keys: string
  readonly isActive: boolean
  readonly Panel: ComponentType<PanelProps>
  readonly children?: ReactNode
}

/** A button that opens a panel below it. */
export function PanelToggle({ dialog, icon, label, what, keys, isActive, Panel, children }: PanelToggleProps) {
  const open = useApp((app) => app.dialog === dialog)
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
        aria-label={label}
        title={tooltip(what, keys)}
        data-active={isActive}
        onClick={() => setDialog(open ? 'none' : dialog)}
      >
        <Icon name={icon} />
        {children}
      </button>
      {open && <Panel place={place} onClose={() => setDialog('none')} />}
    </div>
  )
}
