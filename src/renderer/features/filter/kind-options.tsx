import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { type Excluded, FilterOption } from './filter-option.tsx'
import { kindNames } from './filter-words.ts'

interface KindOptionsProps {
  readonly kinds: readonly RowKind[]
  /** Number of rows of each kind, in the order of `rowKinds`. */
  readonly rows: ArrayLike<number>
  readonly chosen: ReadonlySet<RowKind>
  readonly onToggle: (kind: RowKind) => void
  readonly without: Excluded<RowKind>
}

/** Kinds of rows to include or exclude. */
export function KindOptions({ kinds, rows, chosen, onToggle, without }: KindOptionsProps) {
  return kinds.map((kind) => {
    const look = rowLook(kind, null)
    return (
      <FilterOption
        key={kind}
        name={kindNames[kind]}
        rows={rows[rowKinds.indexOf(kind)] ?? 0}
        chosen={chosen.has(kind)}
        onChange={() => onToggle(kind)}
        exclusion={{ on: without.members.has(kind), onChange: () => without.onToggle(kind) }}
      >
        <Icon name={look.icon} size={14} tone={look.tone} />
      </FilterOption>
    )
  })
}
