import type { RowIssue } from '#contract/methods.ts'
import type { RowMark } from '#core/formats/log-format.ts'
import type { SeverityName } from '../../stores/log-columns.ts'
import { formatCount, formatDuration, formatPlural } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { MarkWord } from './mark-word.tsx'
import { type Marks, markWords, RowMarks } from './row-marks.tsx'
import { UnreadSummary } from './row-summary.tsx'
import { Indent, TimeCell } from './timeline-row.tsx'

interface IssueLineProps {
  readonly row: number
  readonly line: number
  readonly index: number
  readonly depth: number
  readonly severity: SeverityName
  readonly count: number
  /** Undefined: not read yet. Worst first. */
  readonly issue: RowIssue | undefined
  readonly future: boolean
}

/** What is wrong with the row above: code, JSON path, message. */
export function IssueLine({ row, line, index, depth, severity, count, issue, future }: IssueLineProps) {
  const shown = issue?.severity ?? (severity === 'none' ? 'notice' : severity)
  const look = severityLook(shown)
  return (
    <div
      role="row"
      className={`issue-line is-${severity}${future ? ' future' : ''}`}
      aria-rowindex={index}
      data-row={row}
      data-line={line}
    >
      <span role="gridcell" className="what">
        <Indent depth={depth} />
        <Icon name={look.icon} tone={look.tone} label={shown} />
        {issue === undefined ? (
          <UnreadSummary />
        ) : (
          <>
            <span className={`code ${look.tone}`}>{issue.code}</span>
            {issue.path !== null && <span className={`path cut ${look.tone}`}>{issue.path}</span>}
            <span className="message cut">{issue.message}</span>
            {count > 1 && <span className="end">+{formatCount(count - 1)} more</span>}
          </>
        )}
      </span>
    </div>
  )
}

interface FoldLineProps {
  readonly row: number
  readonly line: number
  readonly time: number
  readonly index: number
  readonly depth: number
  readonly records: number
  /** The mark that all its records have. */
  readonly mark: RowMark | null
  readonly open: boolean
  readonly selected: boolean
  /** Of the same subagent as the row that is selected. */
  readonly near: boolean
  readonly future: boolean
  /** One of its records holds what is searched for. */
  readonly hit: boolean
  /** What a person noted of its records, where they are hidden. */
  readonly marks: Marks
  /** What kinds of records it holds. */
  readonly words: string
}

/** Neighbouring records without an event, folded into one line. */
export function FoldLine(props: FoldLineProps) {
  const { row, line, time, index, depth, records, mark, open, selected, near, future, hit, marks, words } = props
  const noted = markWords(marks.bookmark, marks.breakpoint)
  return (
    <div
      role="row"
      {...(!open && { id: `row-${row}` })}
      className={`row fold-line${selected ? ' here' : ''}${mark === null ? '' : ' marked'}${future ? ' future' : ''}${hit ? ' hit' : ''}`}
      aria-rowindex={index}
      aria-selected={selected}
      data-fold={row}
      data-line={line}
      data-kind="fold"
      {...(mark !== null && { 'data-mark': mark })}
    >
      <RowMarks {...marks} hit={hit} />
      <span role="gridcell" className="line">
        {formatCount(line)}
        {noted.length > 0 && <span className="unseen">{`, ${noted.join(', ')}`}</span>}
      </span>
      <TimeCell time={time} />
      <span role="gridcell" className="what" aria-expanded={open}>
        <Indent depth={depth} near={near} />
        <Icon name={open ? 'down' : 'right'} tone="k-record" />
        <span className="label">{formatPlural(records, 'record')}</span>
        <span className="summary cut">{words}</span>
        {mark !== null && <MarkWord mark={mark} />}
      </span>
    </div>
  )
}

/** How long the run was idle before the row below, in ms, and the day where it is another one. */
export function GapLine({ index, idle, day }: { index: number; idle: number; day: string | null }) {
  const words = [...(day === null ? [] : [day]), ...(idle > 0 ? [`${formatDuration(idle)} idle`] : [])]
  return (
    <div role="row" className="gap-line" aria-rowindex={index}>
      <span role="gridcell" className="what">
        <Icon name="gap" size={12} />
        {words.join(' · ')}
      </span>
    </div>
  )
}
