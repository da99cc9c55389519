import './find-field.css'
import { keepFocus } from '../../ui/button.tsx'

interface FindToggleProps {
  readonly label: string
  readonly keys: string
  readonly text: string
  readonly pressed: boolean
  readonly onClick: () => void
}

/** How the text is meant. The text stays the place that keys go to. */
export function FindToggle({ label, keys, text, pressed, onClick }: FindToggleProps) {
  return (
    <button
      type="button"
      className="btn small find-toggle"
      aria-label={label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys.replace(' ', '+')}
      title={`${label}  ${keys}`}
      onMouseDown={keepFocus}
      onClick={onClick}
    >
      {text}
    </button>
  )
}
