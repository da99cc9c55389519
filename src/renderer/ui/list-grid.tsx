import './row-list.css'
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'
import { useRowScroll } from './use-row-scroll.ts'

const lineHeight = 24
const sizes = { line: lineHeight, head: lineHeight }

/** What a line of the list has to render: it is a `row`. */
export interface ListLine {
  readonly id: string
  /** Its `aria-rowindex`: 1-based, with the column heads. */
  readonly index: number
  /** The keys act on it. */
  readonly here: boolean
}

/** A grid of any number of rows of one height with column heads. Only rows in view are rendered, and the one at hand stays in view. */
export function ListGrid({
  label,
  className,
  heads,
  count,
  here,
  line,
  onMove,
  onKey,
  hasEnds = true,
  onShown,
  onElement,
  busy
}: {
  label: string
  className: string
  /** The first `row`. */
  heads: ReactNode
  count: number
  /** The row that keys act on; -1: none. */
  here: number
  line: (at: number, row: ListLine) => ReactNode
  /** An arrow or page key was pressed. */
  onMove: (at: number, direction: 1 | -1) => void
  /** Another key was pressed; false if it has no meaning here. */
  onKey?: (event: KeyboardEvent) => boolean
  /** Whether Home and End move, too. */
  hasEnds?: boolean
  /** The rows `first` … `last` (exclusive) are rendered. */
  onShown?: (first: number, last: number) => void
  onElement?: (element: HTMLElement | null) => void
  busy?: boolean
}) {
  const { element, setElement, scroll, drawn, space } = useRowScroll(count, sizes)
  const { first, last, top, slots } = drawn
  useEffect(() => {
    scroll?.hold(here)
    if (here >= 0) scroll?.show(here, true)
  }, [scroll, here])
  useEffect(() => onShown?.(first, last), [onShown, first, last])
  useEffect(() => onElement?.(element), [onElement, element])
  const id = useId()
  const moveTo = (at: number, direction: 1 | -1) => onMove(Math.max(0, Math.min(count - 1, at)), direction)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((element?.clientHeight ?? 0) / lineHeight) - 2)
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const step = steps[event.key]
    if (step !== undefined) moveTo(here + step, step > 0 ? 1 : -1)
    else if (hasEnds && event.key === 'Home') moveTo(0, 1)
    else if (hasEnds && event.key === 'End') moveTo(count - 1, -1)
    else if (onKey?.(event) !== true) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={setElement}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-busy={busy}
      aria-activedescendant={here >= first && here < last ? `${id}-${here}` : undefined}
      tabIndex={0}
      className={`${className} row-list fill`}
      onKeyDown={onKeyDown}
    >
      {heads}
      <div className="list-space" role="presentation" style={{ height: space }}>
        <div className="list-drawn" role="presentation" style={{ transform: `translateY(${top}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
            const at = first + offset
            return (
              <Fragment key={at % slots}>{line(at, { id: `${id}-${at}`, index: at + 2, here: at === here })}</Fragment>
            )
          })}
        </div>
      </div>
    </div>
  )
}
