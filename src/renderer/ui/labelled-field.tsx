import './labelled-field.css'
import { type ReactNode, useId } from 'react'
import { Icon } from './icons.tsx'

/** A line of text that is asked for: its label above, what is said of it below. The form around it says what Enter does. */
export function LabelledField({
  label,
  placeholder,
  value,
  onChange,
  error,
  errorCode,
  said,
  hint,
  action,
  autoFocus = false
}: {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** What is wrong with it; null: nothing is known to be. */
  error: ReactNode | null
  errorCode?: string | undefined
  /** What is said where nothing is wrong, or something is on its way. */
  said?: ReactNode
  /** At the end of the field. */
  hint?: ReactNode
  /** Beside the field. */
  action?: ReactNode
  autoFocus?: boolean
}) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="t2">
        {label}
      </label>
      <div className="field-line">
        <div className={error === null ? 'field big' : 'field big bad'}>
          <input
            id={id}
            type="text"
            className="mono"
            autoFocus={autoFocus}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={value}
            aria-invalid={error !== null}
            aria-describedby={`${id}-said`}
            onChange={(event) => onChange(event.target.value)}
          />
          {hint}
        </div>
        {action}
      </div>
      <div id={`${id}-said`} className="field-said" aria-live="polite">
        {said ??
          (error !== null && (
            <div className="field-error" data-code={errorCode}>
              <Icon name="malformed" size={12} />
              <p>{error}</p>
            </div>
          ))}
      </div>
    </>
  )
}
