import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { keepFocus } from './button.tsx'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  /** A count after the label; not part of the tab's name. */
  readonly count?: string | undefined
}

/** Tabs and the selected panel. Arrow keys, Home and End move between the tabs. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
  bar
}: {
  label: string
  tabs: readonly Tab<Id>[]
  selected: Id
  onSelect: (id: Id) => void
  /** Content of the selected panel. */
  children: ReactNode
  /** At the end of the tab bar. */
  bar?: ReactNode
}) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === selected)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const position = (next + tabs.length) % tabs.length
    const tab = tabs[position]
    if (tab === undefined) return
    onSelect(tab.id)
    const button = list.current?.children[position]
    if (button instanceof HTMLElement) button.focus()
  }
  return (
    <>
      <div className="tab-bar panel-head hstack rigid">
        <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              className="tab"
              id={`${base}-tab-${tab.id}`}
              aria-label={tab.label}
              aria-description={tab.count}
              aria-selected={tab.id === selected}
              aria-controls={tab.id === selected ? `${base}-panel` : undefined}
              tabIndex={tab.id === selected ? 0 : -1}
              onMouseDown={keepFocus}
              onClick={() => onSelect(tab.id)}
            >
              {tab.label}
              {tab.count !== undefined && <span className="num t3 regular">{tab.count}</span>}
            </button>
          ))}
        </div>
        {bar}
      </div>
      <div
        className="tab-panel vstack fill"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-tab-${selected}`}
        tabIndex={-1}
      >
        {children}
      </div>
    </>
  )
}
