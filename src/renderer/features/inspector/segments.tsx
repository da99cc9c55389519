import { keepFocus } from '../../ui/button.tsx'

/** A choice between a few values. */
export function Segments<T extends string>({
  label,
  values,
  names,
  value,
  onChange
}: {
  label: string
  values: readonly T[]
  names: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}) {
  return (
    <span className="segments" role="group" aria-label={label}>
      {values.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onMouseDown={keepFocus}
          onClick={() => onChange(each)}
        >
          {names[each]}
        </button>
      ))}
    </span>
  )
}
