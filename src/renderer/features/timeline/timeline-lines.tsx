import type { RowIssue } from '#contract/methods.ts'
import type { SeverityName } from '../../stores/log-columns.ts'
import { formatDuration } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { IssueWords } from './issue-words.tsx'
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
        {issue === undefined ? <UnreadSummary /> : <IssueWords issue={issue} count={count} />}
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
