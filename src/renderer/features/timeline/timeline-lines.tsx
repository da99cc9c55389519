import type { RowIssue } from '#contract/methods.ts'
import { termText } from '#core/query/query-choices.ts'
import type { SeverityName } from '../../stores/log-columns.ts'
import { formatCount, formatDuration } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { UnreadSummary } from './row-summary.tsx'
import { termPart } from './row-terms.ts'
import { Indent } from './timeline-row.tsx'

interface IssueLineProps {
  readonly row: number
  readonly line: number
  readonly index: number
  readonly depth: number
  readonly severity: SeverityName
  readonly count: number
  /** Undefined: not loaded yet. The worst first. */
  readonly issue: RowIssue | undefined
  readonly future: boolean
}

/** An issue of the row above: code, JSON path, message. */
export function IssueLine({ row, line, index, depth, severity, count, issue, future }: IssueLineProps) {
  const shown = issue?.severity ?? (severity === 'none' ? 'notice' : severity)
  const look = severityLook(shown)
  return (
    <div
      role="row"
      className={`issue-line of-${severity}${future ? ' future' : ''}`}
      aria-rowindex={index}
      data-row={row}
      data-line={line}
    >
      <span role="gridcell" className="what hstack">
        <Indent depth={depth} />
        <span {...termPart(`issue:${shown}`)}>
          <Icon name={look.icon} tone={look.tone} label={shown} />
        </span>
        {issue === undefined ? (
          <UnreadSummary />
        ) : (
          <>
            <span className={`code ${look.tone}`} {...termPart(termText('issue', issue.code))}>
              {issue.code}
            </span>
            {issue.path !== null && <span className={`path cut ${look.tone}`}>{issue.path}</span>}
            <span className="message cut">{issue.message}</span>
            {count > 1 && <span className="end hstack rigid t3 caption">+{formatCount(count - 1)} more</span>}
          </>
        )}
      </span>
    </div>
  )
}

/** Idle time before the row below, in ms, and the day if it changes. */
export function GapLine({ index, idle, day }: { index: number; idle: number; day: string | null }) {
  const words = [...(day === null ? [] : [day]), ...(idle > 0 ? [`${formatDuration(idle)} idle`] : [])]
  return (
    <div role="row" className="gap-line t3 caption" aria-rowindex={index}>
      <span role="gridcell" className="what hstack">
        <Icon name="gap" size={12} />
        {words.join(' · ')}
      </span>
    </div>
  )
}
