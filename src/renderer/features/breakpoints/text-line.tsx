import { useId } from 'react'

interface TextLineProps {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** An optional text condition. */
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
