import './row-menu.css'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { formatCount } from '../../ui/format.ts'
import { useClosing } from '../filter/use-closing.ts'
import { rowMembers, rowView } from './row-view.ts'
import { termsOfRow } from './row-terms.ts'

/** A row, and where its menu opens in the window. */
export interface RowMenuPlace {
  readonly row: number
  readonly x: number
  readonly y: number
}

interface RowMenuProps {
  readonly place: RowMenuPlace
  /** Shows the menu of the next row, or of the one before. */
  readonly onMove: (step: 1 | -1) => void
  readonly onClose: () => void
}

/** What can be done with a row, without moving the playhead to it. */
export function RowMenu({ place, onMove, onClose }: RowMenuProps) {
  const { row, x, y } = place
  const { columns, summaries, filtering, playing } = useLogParts()
  const status = useStatus(...rowMembers)
  const playhead = useLog((log) => log.row)
  const menu = useRef<HTMLDivElement>(null)
  useClosing(menu, menu, onClose)
  useLayoutEffect(() => {
    const element = menu.current
    if (element === null) return
    const { width, height } = element.getBoundingClientRect()
    element.style.left = `${Math.max(0, Math.min(x, window.innerWidth - width))}px`
    element.style.top = `${Math.max(0, Math.min(y, window.innerHeight - height))}px`
    element.querySelector<HTMLElement>('[role="menuitem"]:enabled')?.focus()
  }, [x, y, row])
  const act = (action: () => void) => () => {
    onClose()
    action()
  }
  const line = formatCount(columns.line[row] ?? 0)
  const call = columns.callOf(row)
  useEffect(
    () =>
      summaries.request(
        'row menu',
        [row, call].filter((of) => of >= 0)
      ),
    [summaries, row, call]
  )
  const termsOf = (of: number) =>
    of < 0 ? [] : termsOfRow(rowView({ columns, status, summaries }, of), summaries.get(of)?.issues[0])
  const terms = [...new Set([...termsOf(row), ...termsOf(call)])]
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={`Row of line ${line}`}
      className="row-menu"
      onKeyDown={(event) => onMenuKey(event, onMove, onClose)}
    >
      <p className="row-menu-head hstack caption t3" role="none">
        <span className="num grow">Line {line}</span>
        <kbd>Alt ↑ ↓</kbd> other row
      </p>
      <button
        type="button"
        role="menuitem"
        className="row-menu-item"
        disabled={row === playhead}
        title={
          row > playhead
            ? 'Plays to this row, or to the first breakpoint before it'
            : 'Moves back to this row, without playing'
        }
        onClick={act(() => playing.runTo(row))}
      >
        Run to here
      </button>
      {terms.map((term) => (
        <div key={term} role="none" className="hstack">
          <button
            type="button"
            role="menuitem"
            className="row-menu-item grow"
            aria-label={`Filter by ${term}`}
            onClick={act(() => filtering.addTerm(term, 'asked'))}
          >
            <code className="cut">{term}</code>
          </button>
          <button
            type="button"
            role="menuitem"
            className="row-menu-item t2"
            aria-label={`Exclude ${term}`}
            onClick={act(() => filtering.addTerm(term, 'without'))}
          >
            Exclude
          </button>
        </div>
      ))}
    </div>
  )
}

/** Up and Down move by line, Left and Right between filtering and excluding; Alt with Up and Down to another row. */
function onMenuKey(event: KeyboardEvent<HTMLElement>, onMove: RowMenuProps['onMove'], onClose: () => void): void {
  if (event.altKey) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    onMove(event.key === 'ArrowUp' ? -1 : 1)
    return event.preventDefault()
  }
  const lines = [...event.currentTarget.children].map((line) => [
    ...(line.matches('button') ? [line as HTMLElement] : line.querySelectorAll<HTMLElement>('button'))
  ])
  const open = lines.filter(([first]) => first?.matches(':enabled') === true)
  const at = open.findIndex((line) => line.some((button) => button === document.activeElement))
  const column = open[at]?.findIndex((button) => button === document.activeElement) ?? 0
  const places: Record<string, readonly [number, number]> = {
    ArrowUp: [(at - 1 + open.length) % open.length, column],
    ArrowDown: [(at + 1) % open.length, column],
    Home: [0, column],
    End: [open.length - 1, column],
    ArrowLeft: [at, 0],
    ArrowRight: [at, 1]
  }
  const place = places[event.key]
  if (event.key === 'Tab') onClose()
  else if (place === undefined) return
  else (open[place[0]]?.[place[1]] ?? open[place[0]]?.[0])?.focus()
  event.preventDefault()
}
