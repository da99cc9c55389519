import type { RowIssue } from '#contract/methods.ts'
import { issueCodes, type IssueCode } from '#core/formats/issue.ts'
import { issueClause } from '#core/formats/issue-clauses.ts'
import { valueAtPath } from '#core/json-path.ts'
import { useLog } from '../../stores/log-store.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { Fact, Facts } from './facts.tsx'
import type { RowDetail } from './use-row-detail.ts'

/** Values up to this length in characters are shown. */
const shortValue = 80

/** The issues of a line: expected, found, and where. `onShow` goes to an issue's place in the line. */
export function IssuesView({
  detail,
  line,
  onShow
}: {
  detail: RowDetail
  line: number
  onShow: (issue: number) => void
}) {
  const format = useLog((log) => log.status.format)
  const { issues, event, record } = detail
  if (issues.length === 0) return <p className="t3">No issues on this line.</p>
  return (
    <ul className="issue-list vstack" aria-label="Issues of this line">
      {issues.map((issue, position) => (
        <li key={position} className={`issue of-${issue.severity}`}>
          <header className="hstack">
            <Icon {...severityLook(issue.severity)} name={issue.severity} label={issue.severity} />
            <strong>{displayText(issue.code)}</strong>
            {issue.path !== null && (
              <code className="cut" title={issue.path}>
                {displayText(issue.path)}
              </code>
            )}
            <span className="grow" />
            <span className="t2">{issue.severity}</span>
          </header>
          <Words issue={issue} format={format} hasEvent={event !== null} record={record} line={line} />
          <footer>
            <button type="button" className="link" onClick={() => onShow(position)}>
              Show in Raw
            </button>
          </footer>
        </li>
      ))}
    </ul>
  )
}

function Words({
  issue,
  format,
  hasEvent,
  record,
  line
}: {
  issue: RowIssue
  format: string | null
  hasEvent: boolean
  record: unknown
  line: number
}) {
  const code = knownCode(issue.code)
  if (code === null) {
    return (
      <Facts>
        <Fact name="Found" value={issue.message} />
        <Fact name="Line" value={formatCount(line)} mono />
      </Facts>
    )
  }
  const { asked, source, found, effect } = issueClause(format, { ...issue, code }, hasEvent)
  const value = issue.path === null ? undefined : valueAtPath(record, issue.path)
  return (
    <Facts>
      <Fact name="Meaning" value={issueCodes[code].title} />
      <Fact name="Asked" value={asked ?? undefined} />
      <Fact name="Found" value={withValue(found, value)} />
      <Fact name="Effect" value={effect} />
      <Fact name="Line" value={formatCount(line)} mono />
      <Fact name="Clause" value={source === null ? undefined : `${source.document}: “${source.section}”`} />
    </Facts>
  )
}

function knownCode(code: string): IssueCode | null {
  return Object.hasOwn(issueCodes, code) ? (code as IssueCode) : null
}

/** "A number: 7" for a short value. */
function withValue(found: string, value: unknown): string {
  if (value === undefined || typeof value === 'object') return found
  const written = JSON.stringify(value)
  return written === undefined || written.length > shortValue ? found : `${found}: ${written}`
}
