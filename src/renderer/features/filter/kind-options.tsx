import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { FilterOption } from './filter-option.tsx'
import { kindNames, toggled } from './filter-words.ts'

interface KindOptionsProps {
  readonly kinds: readonly RowKind[]
  /** How many rows there are of each kind, in the order of `rowKinds`. */
  readonly rows: ArrayLike<number>
  readonly chosen: ReadonlySet<RowKind>
  readonly onChange: (chosen: ReadonlySet<RowKind>) => void
}

/** Kinds of rows that can be asked for. */
export function KindOptions({ kinds, rows, chosen, onChange }: KindOptionsProps) {
  return kinds.map((kind) => {
    const look = rowLook(kind, null)
    return (
      <FilterOption
        key={kind}
        name={kindNames[kind]}
        rows={rows[rowKinds.indexOf(kind)] ?? 0}
        chosen={chosen.has(kind)}
        onChange={() => onChange(toggled(chosen, kind))}
      >
        <Icon name={look.icon} size={14} tone={look.tone} />
      </FilterOption>
    )
  })
}
