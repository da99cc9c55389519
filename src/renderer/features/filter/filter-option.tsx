import type { ReactNode } from 'react'
import { formatCount } from '../../ui/format.ts'

interface FilterOptionProps {
  readonly name: string
  /** How many rows of the log there are of it. */
  readonly rows: number
  readonly chosen: boolean
  readonly onChange: () => void
  /** Its icon. */
  readonly children?: ReactNode
}

/** One thing that can be asked for. */
export function FilterOption({ name, rows, chosen, onChange, children }: FilterOptionProps) {
  return (
    <label className="filter-option" data-none={rows === 0 && !chosen}>
      <input type="checkbox" checked={chosen} aria-label={`${name}, ${formatCount(rows)}`} onChange={onChange} />
      {children}
      <span className="cut grow" title={name}>
        {name}
      </span>
      <span className="num caption t3">{formatCount(rows)}</span>
    </label>
  )
}
