import type { RowIssue } from '#contract/methods.ts'
import { termText } from '#core/query/query-choices.ts'
import { formatCount } from '../../ui/format.ts'
import { severityLook } from '../../ui/icons.tsx'
import { termPart } from './row-terms.ts'

interface IssueWordsProps {
  readonly issue: RowIssue
  /** Issues of the row. */
  readonly count: number
  /** False: the row's label stands for the code. */
  readonly coded?: boolean
}

/** An issue: code, JSON path, message, and how many more there are. */
export function IssueWords({ issue: { code, severity, path, message }, count, coded = true }: IssueWordsProps) {
  const { tone } = severityLook(severity)
  return (
    <>
      {coded && (
        <span className={`code ${tone}`} {...termPart(termText('issue', code))}>
          {code}
        </span>
      )}
      {path !== null && <span className={`path cut ${tone}`}>{path}</span>}
      <span className="message cut">{message}</span>
      {count > 1 && <span className="end hstack rigid t3 caption">+{formatCount(count - 1)} more</span>}
    </>
  )
}
