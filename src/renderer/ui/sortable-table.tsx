import './sortable-table.css'
import { type ReactNode, useState } from 'react'
import { keepFocus } from './button.tsx'
import { formatCount } from './format.ts'
import { Icon } from './icons.tsx'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** The full name of a short label. */
  readonly name?: string
  /** The sort value; null if unknown, which always comes last. */
  readonly by: (row: Row) => number | string | null
  readonly cell: (row: Row) => ReactNode
  /** Whether it needs a wide column. */
  readonly wide?: boolean
}

/** The sorted column, and whether the largest comes first. */
interface Sorting {
  readonly column: string
  readonly descending: boolean
}

/** Rows shown at first. */
const firstRows = 8
/** In px: the minimum of the first column, which takes the remaining space, and the others. */
const widths = { first: 96, count: 64, wide: 76 }

/** A table sorted by its column headings: numbers descending, names ascending. */
export function SortableTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  sortedBy
}: {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** The column that sorts it at first, in descending order. */
  sortedBy: string
}) {
  const [sorting, setSorting] = useState<Sorting>({ column: sortedBy, descending: true })
  const [all, setAll] = useState(false)
  const by = columns.find(({ id }) => id === sorting.column)?.by
  const sorted = by === undefined ? rows : rows.toSorted((a, b) => compared(by(a), by(b), sorting.descending))
  const sort = ({ id, by: value }: Column<Row>) => {
    const isText = rows.some((row) => typeof value(row) === 'string')
    setSorting({ column: id, descending: sorting.column === id ? !sorting.descending : !isText })
  }
  return (
    <div className="figures-scroll">
      <table
        className="figures"
        aria-label={label}
        style={{ minWidth: widthsOf(columns).reduce((sum, width) => sum + width, widths.first) }}
      >
        <colgroup>
          <col />
          {widthsOf(columns).map((width, at) => (
            <col key={columns[at + 1]?.id} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => {
              const direction = sorting.descending ? 'descending' : 'ascending'
              const isSorted = column.id === sorting.column
              return (
                <th key={column.id} scope="col" aria-sort={isSorted ? direction : 'none'}>
                  <button
                    type="button"
                    aria-label={column.name}
                    title={`Sort by ${(column.name ?? column.label).toLowerCase()}`}
                    onMouseDown={keepFocus}
                    onClick={() => sort(column)}
                  >
                    {column.label}
                    {isSorted && <Icon name={direction} size={12} />}
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, all ? rows.length : firstRows).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, cell }) => (
                <td key={id}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!all && rows.length > firstRows && (
        <button type="button" className="link figures-more" onClick={() => setAll(true)}>
          Show all {formatCount(rows.length)}
        </button>
      )}
    </div>
  )
}

function widthsOf(columns: readonly { readonly wide?: boolean }[]): number[] {
  return columns.slice(1).map(({ wide }) => (wide === true ? widths.wide : widths.count))
}

function compared(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b)
  return descending ? -order : order
}
