import './labelled-field.css'
import { type ReactNode, useId } from 'react'
import { Icon } from './icons.tsx'

/** A text field with its label above and a message below. The surrounding form handles Enter. */
export function LabelledField({
  label,
  placeholder,
  value,
  onChange,
  error,
  errorCode,
  message,
  hint,
  action,
  autoFocus = false
}: {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** An error; null for none. */
  error: ReactNode | null
  errorCode?: string | undefined
  /** A message without an error, or progress. */
  message?: ReactNode
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
        {message ??
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
