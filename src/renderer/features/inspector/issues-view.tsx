import type { RowIssue } from '#contract/methods.ts'
import { issueCodes } from '#core/formats/issue.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { Fact, Facts } from './facts.tsx'

/** What is wrong with a line: code, meaning, where, and in words. */
export function IssuesView({ issues, line }: { issues: readonly RowIssue[]; line: number }) {
  if (issues.length === 0) return <p className="t3">No issues on this line.</p>
  return (
    <ul className="issue-list">
      {issues.map((issue, position) => (
        <li key={position} className={`issue issue-${issue.severity}`}>
          <header>
            <Icon {...severityLook(issue.severity)} name={issue.severity} label={issue.severity} />
            <strong>{issue.code}</strong>
            <span className="cut">{meaningOf(issue.code)}</span>
          </header>
          <Facts>
            <Fact name="Where" value={issue.path ?? undefined} mono />
            <Fact name="What" value={issue.message} />
            <Fact name="Line" value={formatCount(line)} mono />
          </Facts>
        </li>
      ))}
    </ul>
  )
}

function meaningOf(code: string): string {
  const known = Object.entries(issueCodes).find(([name]) => name === code)
  return known?.[1].title ?? 'a code this version does not know'
}
