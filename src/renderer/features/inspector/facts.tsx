import type { ReactNode } from 'react'
import { displayText } from '../../ui/display-text.ts'

/** Names and values in two columns, or four if they fit. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>
}

/** Nothing without a value. */
export function Fact({ name, value, mono = false }: { name: string; value: ReactNode; mono?: boolean }) {
  if (value === undefined) return null
  return (
    <div className="fact">
      <dt title={name}>{name}</dt>
      <dd className={mono ? 'mono' : undefined}>
        {value === '' ? <span className="t3">empty</span> : typeof value === 'string' ? displayText(value) : value}
      </dd>
    </div>
  )
}
