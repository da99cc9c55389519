import type { QueryError } from '#core/query/parse-query.ts'
import { Icon } from '../../ui/icons.tsx'

interface QueryErrorTextProps {
  readonly id: string
  readonly text: string
  readonly error: QueryError
}

/** Characters of a query that are shown on each side of an error. */
const around = 40

/** An error in a query, below its place. */
export function QueryErrorText({ id, text, error: { message, from, to } }: QueryErrorTextProps) {
  const start = Math.max(0, from - around)
  return (
    <div id={id} className="query-error" role="alert">
      <pre className="mono" aria-hidden="true">
        {text.slice(start, from)}
        <b>{text.slice(from, to)}</b>
        {text.slice(to, to + around)}
        {'\n'}
        <b>{' '.repeat(from - start) + '^'.repeat(Math.max(1, Math.min(to - from, around)))}</b>
      </pre>
      <p>
        <Icon name="error" size={14} />
        <span>{message}</span>
      </p>
    </div>
  )
}
