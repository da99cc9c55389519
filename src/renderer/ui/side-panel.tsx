import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import type { IconName } from './icons.tsx'

interface SidePanelProps {
  readonly label: string
  /** The first button of the rail, which shows the panel. */
  readonly icon: IconName
  readonly showLabel: string
  /** The other buttons of the rail. */
  readonly rail: (show: () => void) => ReactNode
  readonly children: ReactNode
}

/** The left panel. In a narrow window it is a rail, which the panel overlays until Escape or a click outside. */
export function SidePanel({ label, icon, showLabel, rail, children }: SidePanelProps) {
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!open) return
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && panel.current?.parentElement?.contains(event.target) !== true) setOpen(false)
    }
    window.addEventListener('pointerdown', leave)
    return () => window.removeEventListener('pointerdown', leave)
  }, [open])
  return (
    <>
      <div className="runs-rail">
        <IconButton icon={icon} label={showLabel} pressed={open} onClick={() => setOpen(!open)} />
        {rail(() => setOpen(true))}
      </div>
      <nav
        className="runs-panel vstack"
        aria-label={label}
        data-open={open}
        ref={panel}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !open) return
          event.stopPropagation()
          setOpen(false)
        }}
      >
        {children}
      </nav>
    </>
  )
}
