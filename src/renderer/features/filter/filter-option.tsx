import type { ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'

/** Excluded members of a group. */
export interface Excluded<T> {
  readonly members: ReadonlySet<T>
  readonly onToggle: (member: T) => void
}

interface FilterOptionProps {
  readonly name: string
  /** The whole name, if `name` is shorter. */
  readonly title?: string
  /** The number of its rows in the log. */
  readonly rows: number
  readonly chosen: boolean
  readonly onChange: () => void
  /** Whether it is excluded; undefined if it cannot be. */
  readonly exclusion?: { readonly on: boolean; readonly onChange: () => void }
  /** Its icon. */
  readonly children?: ReactNode
}

/** An option of the filter, which can be included or excluded (key `x`). */
export function FilterOption({ name, title = name, rows, chosen, onChange, exclusion, children }: FilterOptionProps) {
  return (
    <div className="filter-option" data-none={rows === 0 && !chosen} data-out={exclusion?.on}>
      <label>
        <input
          type="checkbox"
          checked={chosen}
          aria-label={`${name}, ${formatCount(rows)}`}
          onChange={onChange}
          onKeyDown={(event) => event.key === 'x' && exclusion?.onChange()}
        />
        {children}
        <span className="cut grow" title={title}>
          {name}
        </span>
        <span className="num caption t3">{formatCount(rows)}</span>
      </label>
      {exclusion && (
        <IconButton icon="hidden" label={`Exclude ${name}`} small pressed={exclusion.on} onClick={exclusion.onChange} />
      )}
    </div>
  )
}
