import './figure-grid.css'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { keepFocus } from './button.tsx'
import { Icon } from './icons.tsx'
import { ListGrid } from './list-grid.tsx'
import { useSize } from './use-size.ts'

export interface FigureColumn<Row, Id extends string> {
  readonly id: Id
  readonly label: string
  /** The full name of a short label. */
  readonly name?: string
  /** In px; of the first column the least, as it takes the rest. */
  readonly width: number
  /** Whether it is left out where not all columns have room. Of several, the last goes first. */
  readonly spare?: boolean
  readonly cell: (row: Row) => ReactNode
}

export interface Sorting<Id extends string> {
  readonly column: Id
  readonly descending: boolean
}

/** A table of any number of rows of one height, sorted by whoever has them. Only rows in view are rendered. */
export function FigureGrid<Row, Id extends string>({
  label,
  columns,
  count,
  rowAt,
  onShown,
  sorting,
  onSort,
  active,
  onActive,
  onChoose,
  onOpen,
  busy
}: {
  label: string
  columns: readonly FigureColumn<Row, Id>[]
  count: number
  /** Undefined: not loaded yet. */
  rowAt: (at: number) => Row | undefined
  /** The rows `first` … `last` (exclusive) are in view. */
  onShown: (first: number, last: number) => void
  sorting: Sorting<Id>
  onSort: (column: Id) => void
  /** The row that keys act on; -1: none. */
  active: number
  onActive: (at: number) => void
  /** Space, or a click. */
  onChoose: (row: Row) => void
  /** Enter, or a double click. */
  onOpen: (row: Row) => void
  busy: boolean
}) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const { width: room } = useSize(element)
  const shown = room === 0 ? columns : fitting(columns, room)
  const template = shown.map(({ width }, at) => (at === 0 ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' ')
  const style = { gridTemplateColumns: template, minWidth: widthOf(shown) }
  const onKey = ({ key }: KeyboardEvent) => {
    const row = rowAt(active)
    if (row === undefined || (key !== ' ' && key !== 'Enter')) return false
    if (key === ' ') onChoose(row)
    else onOpen(row)
    return true
  }
  const heads = (
    <div role="row" aria-rowindex={1} className="figure-heads list-head" style={style}>
      {shown.map(({ id: column, label: text, name = text }) => {
        const isSorted = column === sorting.column
        const direction = sorting.descending ? 'descending' : 'ascending'
        return (
          <span key={column} role="columnheader" aria-sort={isSorted ? direction : 'none'}>
            <button
              type="button"
              aria-label={name}
              title={`Sort by ${name.toLowerCase()}`}
              onMouseDown={keepFocus}
              onClick={() => onSort(column)}
            >
              {text}
              {isSorted && <Icon name={direction} size={12} />}
            </button>
          </span>
        )
      })}
    </div>
  )
  return (
    <ListGrid
      label={label}
      className="figure-grid"
      heads={heads}
      count={count}
      here={active}
      onMove={onActive}
      onKey={onKey}
      onShown={onShown}
      onElement={setElement}
      busy={busy}
      line={(at, { id, index, here }) => {
        const row = rowAt(at)
        return (
          <div
            role="row"
            id={id}
            aria-rowindex={index}
            aria-selected={here}
            className="figure-row"
            style={style}
            onClick={() => {
              onActive(at)
              if (row !== undefined) onChoose(row)
            }}
            onDoubleClick={() => row !== undefined && onOpen(row)}
          >
            {shown.map(({ id: column, cell }) => (
              <span key={column} role="gridcell">
                {row === undefined ? '…' : cell(row)}
              </span>
            ))}
          </div>
        )
      }}
    />
  )
}

type Widths = readonly Pick<FigureColumn<unknown, string>, 'width'>[]

function widthOf(columns: Widths): number {
  return columns.reduce((sum, { width }) => sum + width, 0)
}

/** The columns that fit into `room` px, without as many of the spare ones as needed. */
function fitting<Column extends Pick<FigureColumn<never, string>, 'width' | 'spare'>>(
  columns: readonly Column[],
  room: number
): readonly Column[] {
  const last = columns.findLastIndex(({ spare }) => spare === true)
  if (widthOf(columns) <= room || last < 0) return columns
  return fitting(columns.toSpliced(last, 1), room)
}
