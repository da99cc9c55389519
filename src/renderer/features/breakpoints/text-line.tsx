import { useId } from 'react'

interface TextLineProps {
  readonly label: string
  /** What stands in it where there is no text. */
  readonly placeholder: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A text that is to be held, and what by. */
export function TextLine({ label, placeholder, text, onChange }: TextLineProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="t2">
        {label}
      </label>
      <div className="field">
        <input
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </>
  )
}
