import './search-field.css'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { keepFocus } from './button.tsx'
import { keyText, useTooltip, useWorkingKeys } from './shown-keys.ts'
import { Icon } from './icons.tsx'

interface SearchQuery {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly query: SearchQuery
  readonly onChange: (change: Partial<SearchQuery>) => void
  /** Handles a key that the toggles do not use; false if it has no meaning. */
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>) => boolean
  /** `invalid`: the text is wrong, which is shown while a person types. */
  readonly error: { readonly message: string; readonly invalid: boolean } | null
  /** Progress of the search, 0 to 1; null without one. */
  readonly progress: number | null
  /** The result, between the text and the toggles. */
  readonly found?: ReactNode
  /** Shown instead of the shortcut while there is text. */
  readonly buttons: ReactNode
}

/** A search field with toggles for case and regular expressions, progress and errors. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, query, onChange, onKey, error, progress, found, buttons } = props
  const errorId = useId()
  const [shortcut] = useWorkingKeys()('/')
  const tooltip = useTooltip()
  const toggleCase = () => onChange({ caseSensitive: !query.caseSensitive })
  const toggleRegex = () => onChange({ regex: !query.regex })

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.altKey && event.code === 'KeyC') toggleCase()
    else if (event.altKey && event.code === 'KeyR') toggleRegex()
    else if (!onKey(event)) return
    event.preventDefault()
  }

  return (
    <div className="find" role="search">
      <div className={error === null ? 'find-field field' : 'find-field field bad'}>
        <Icon name="search" tone="t3" />
        <input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          title={tooltip(label, '/')}
          className={query.regex ? 'mono' : ''}
          maxLength={1000}
          spellCheck={false}
          autoComplete="off"
          aria-keyshortcuts={shortcut === undefined ? undefined : keyText(shortcut).replace(' ', '+')}
          aria-invalid={error?.invalid === true}
          {...(error !== null && { 'aria-describedby': errorId })}
          value={query.text}
          onChange={(event) => onChange({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
        {found}
        <Toggle label="Match case" keys="Alt C" text="Aa" pressed={query.caseSensitive} onClick={toggleCase} />
        <Toggle label="Regular expression" keys="Alt R" text=".*" pressed={query.regex} onClick={toggleRegex} />
        {query.text !== '' ? buttons : shortcut !== undefined && <kbd aria-hidden="true">{keyText(shortcut)}</kbd>}
        {progress !== null && <i className="find-progress" style={{ transform: `scaleX(${progress})` }} />}
      </div>
      {error !== null && (
        <p
          id={errorId}
          role="alert"
          className={error.invalid ? 'find-error field-error of-text' : 'find-error field-error'}
        >
          <Icon name="error" size={14} />
          <span>{error.message}</span>
        </p>
      )}
    </div>
  )
}

interface ToggleProps {
  readonly label: string
  readonly keys: string
  readonly text: string
  readonly pressed: boolean
  readonly onClick: () => void
}

/** A search option. A click keeps the focus in the text. */
function Toggle({ label, keys, text, pressed, onClick }: ToggleProps) {
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
