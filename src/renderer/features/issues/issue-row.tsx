import { issueCodes } from '#core/formats/issue.ts'
import type { ListedIssue } from '../../stores/issue-pages.ts'
import { useLog } from '../../stores/log-store.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatClock, formatCount } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { placeAndMessage } from './issue-text.ts'
import type { IssueLine } from './issue-lines.ts'

interface IssueRowProps {
  /** Index of the line, from 0. */
  readonly view: number
  readonly line: IssueLine
  /** Undefined for a code, and for an issue that is not loaded yet. */
  readonly issue: ListedIssue | undefined
  readonly active: boolean
}

/** A line of the list: a code with its meaning and count, or an issue. */
export function IssueRow({ view, line, issue, active }: IssueRowProps) {
  const { group } = line
  const common = { id: `issues-${view}`, role: 'treeitem', 'aria-selected': active, 'data-view': view } as const
  if (line.kind === 'issue') {
    return (
      <div {...common} className="issue-row" aria-level={2} aria-posinset={line.at + 1} aria-setsize={group.count}>
        {issue === undefined ? <span className="unread t3">…</span> : <Issue issue={issue} />}
      </div>
    )
  }
  const look = severityLook(group.severity)
  return (
    <div {...common} className="issue-code" aria-level={1} aria-expanded={line.open}>
      <Icon name={line.open ? 'down' : 'right'} tone="t3" size={12} />
      <Icon {...look} name={look.icon} size={14} label={group.severity} />
      <strong className={look.tone}>{group.code}</strong>
      <span className="t2 cut grow">{issueCodes[group.code].title}</span>
      <span className="num t2">{formatCount(group.count)}</span>
    </div>
  )
}

function Issue({ issue }: { issue: ListedIssue }) {
  const time = useLog((log) => log.columns.time[issue.row] ?? NaN)
  const { place, message } = placeAndMessage(issue)
  return (
    <>
      <span className="num line">{formatCount(issue.line)}</span>
      <span className="num time t2">{formatClock(time)}</span>
      <span className="cut" title={message}>
        {issue.file !== null && <span className="t3">{displayText(issue.file)} </span>}
        {displayText(message)}
      </span>
      <span className="num place t2 cut" title={place}>
        {displayText(place)}
      </span>
    </>
  )
}
