import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from '../../ui/icons.tsx'

/** The ids that connect a control with its label and its description. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': boolean
}

/** A line of the form: a label, a control, and below it an error or else a hint. */
export function FormField({
  label,
  problem,
  note,
  wide = true,
  children
}: {
  label: string
  problem?: string | undefined
  note?: ReactNode
  /** False if it shares its line with another field. */
  wide?: boolean
  children: (ids: FieldIds) => ReactNode
}) {
  const id = useId()
  return (
    <div className={wide ? 'form-field' : 'form-field half'}>
      <label htmlFor={id}>{label}</label>
      <div className="form-control">
        {children({ id, 'aria-describedby': `${id}-said`, 'aria-invalid': problem !== undefined })}
        <div id={`${id}-said`} className="form-said">
          {problem === undefined ? note : <FieldError text={problem} />}
        </div>
      </div>
    </div>
  )
}

/** A one-line text field. `beside`: further content of the field. */
export function LineInput({
  ids,
  value,
  onWrite,
  beside,
  ...more
}: {
  ids: FieldIds
  value: string
  onWrite: (text: string) => void
  beside?: ReactNode
} & Pick<ComponentProps<'input'>, 'className' | 'inputMode' | 'list' | 'maxLength' | 'placeholder' | 'readOnly'>) {
  return (
    <div className={ids['aria-invalid'] ? 'field big bad' : 'field big'}>
      <input
        {...ids}
        {...more}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onWrite(event.target.value)}
      />
      {beside}
    </div>
  )
}

export function FieldError({ text }: { text: string }) {
  return (
    <p className="field-error" role="alert">
      <Icon name="malformed" size={12} />
      <span>{text}</span>
    </p>
  )
}
