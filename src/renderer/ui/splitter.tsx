import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type PanelName, panelLimits } from '../stores/layout-store.ts'
import { useLayout } from '../stores/use-layout.ts'

/** Step of an arrow key in px. */
const keyStep = 16

/** The `edge` of a positioned panel. Dragging or arrow keys resize the panel; a double click resets it. */
export function Splitter({ panel, edge, label }: { panel: PanelName; edge: 'left' | 'right' | 'top'; label: string }) {
  const resize = useLayout((layout) => layout.resize)
  const set = useLayout((layout) => layout.sizes[panel])
  const bar = useRef<HTMLDivElement>(null)
  const drag = useRef<{ from: number; size: number } | null>(null)
  const upright = edge !== 'top'
  const size = useSizeOfParent(bar, upright)
  const { least, most } = panelLimits[panel]
  /** Growth of the panel per px to the right or down. */
  const sign = edge === 'right' ? 1 : -1

  const place = (event: PointerEvent) => (upright ? event.clientX : event.clientY)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: place(event), size }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current !== null) resize(panel, drag.current.size + sign * (place(event) - drag.current.from))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const [less, more] = upright ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    if (event.key === less) resize(panel, size - sign * keyStep)
    else if (event.key === more) resize(panel, size + sign * keyStep)
    else if (event.key === 'Home') resize(panel, least)
    else if (event.key === 'End') resize(panel, most)
    else if (event.key === 'Enter') resize(panel, null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={bar}
      role="separator"
      tabIndex={0}
      className={`splitter splitter-${edge}`}
      aria-label={label}
      aria-orientation={upright ? 'vertical' : 'horizontal'}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Math.max(least, Math.min(most, Math.round(set ?? size)))}
      title={`${label} (double-click to reset)`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => (drag.current = null)}
      onDoubleClick={() => resize(panel, null)}
      onKeyDown={onKeyDown}
    />
  )
}

/** The panel's size in px, which a small window may limit. */
function useSizeOfParent(bar: { current: HTMLElement | null }, upright: boolean): number {
  const [size, setSize] = useState(0)
  useEffect(() => {
    const parent = bar.current?.parentElement
    if (!parent) return
    const observer = new ResizeObserver(() => setSize(upright ? parent.offsetWidth : parent.offsetHeight))
    observer.observe(parent)
    return () => observer.disconnect()
  }, [bar, upright])
  return size
}
