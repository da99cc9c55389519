import './timeline-row.css'
import './row-states.css'
import { memo } from 'react'
import { termText } from '#core/query/query-choices.ts'
import type { Bookmark, Breakpoint } from '#core/replay/review.ts'
import { formatClock, formatCount, formatMillis, formatShortDuration } from '../../ui/format.ts'
import { Icon, rowLook, severityLook } from '../../ui/icons.tsx'
import { displayText } from '../../ui/display-text.ts'
import type { FindText } from './find-pattern.ts'
import { IssueWords } from './issue-words.tsx'
import { JoinedResult } from './joined-result.tsx'
import type { RowMark } from '#core/formats/log-format.ts'
import { markReasons } from '../../ui/mark-reasons.ts'
import { type RowFlags, flagWords, FlagCell } from './row-flags.tsx'
import { RowSummaryText } from './row-summary.tsx'
import { durationTerm, labelTerm, termPart, trackTerm } from './row-terms.ts'
import { type RowView, sameView } from './row-view.ts'

interface TimelineRowProps {
  readonly view: RowView
  /** The second row of a pair: the call's result, or the text of a line that is not JSON. */
  readonly result: RowView | null
  /** The flags of the result. */
  readonly resultFlags: RowFlags
  readonly resultSelected: boolean
  /** Whether this is the second row of a pair that a person moved to a line of its own. */
  readonly apart: boolean
  /** 1-based, including the column heads. */
  readonly index: number
  readonly selected: boolean
  /** Whether it belongs to the same subagent as the selected row. */
  readonly near: boolean
  /** Whether it is after the playhead, once that has moved. */
  readonly future: boolean
  /** Whether the row's line matches the search. */
  readonly hit: boolean
  readonly find: FindText
  readonly bookmark: Bookmark | null
  readonly breakpoint: Breakpoint | null
  /** A few words about the finding that ends here; null: none. */
  readonly finding: string | null
}

const noFind: FindText = { text: '', regex: false, caseSensitive: false }

/** A row: an event, or a record without one. `data-row` states its number. */
export const TimelineRow = memo(function TimelineRow({
  view,
  result,
  resultFlags,
  resultSelected,
  apart,
  index,
  selected,
  near,
  future,
  hit,
  find,
  bookmark,
  breakpoint,
  finding
}: TimelineRowProps) {
  const issue = view.ownIssues > 0 ? view.summary?.issues[0] : undefined
  // The issue of the line says it, or that of a record before it on the line.
  const isSaid = view.isDamage && (issue !== undefined || result !== null)
  const joiner = apart ? joiners[view.kind] : undefined
  const words = (
    <>
      <Indent depth={view.depth} near={near} term={trackTerm(view)} />
      {joiner === undefined ? (
        <RowIcon view={view} />
      ) : (
        <span data-apart={view.row} {...termPart(termText('kind', view.kind), joiner)}>
          <RowIcon view={view} />
        </span>
      )}
      <span
        className="label cut"
        {...termPart(
          view.isDamage && issue !== undefined ? termText('issue', issue.code) : labelTerm(view),
          view.tool ?? undefined
        )}
      >
        {view.label}
      </span>
      {issue !== undefined && <IssueWords issue={issue} count={view.ownIssues} coded={!view.isDamage} />}
      {!isSaid && <RowSummaryText summary={view.summary} find={hit ? find : noFind} call={view.kind === 'tool'} />}
      {view.failed && (
        <span className="end hstack rigid t3 caption">
          <span className="fact bad" {...termPart('status:error')}>
            failed
          </span>
        </span>
      )}
      {view.mark !== null && <MarkWord mark={view.mark} />}
      {finding !== null && (
        <span className="end hstack rigid caption">
          <span className="fact finding-mark" title={`Finding: ${finding}`}>
            <span className="unseen">Finding: </span>
            {displayText(finding)}
          </span>
        </span>
      )}
    </>
  )
  return (
    <div
      role="row"
      id={`row-${view.row}`}
      className={rowClass(view, selected || resultSelected, future, hit)}
      aria-rowindex={index}
      aria-selected={selected}
      data-row={view.row}
      data-line={view.line}
      data-kind={view.kind}
      {...(view.seq >= 0 && { 'data-seq': view.seq })}
      {...(view.severity !== 'none' && { 'data-severity': view.severity })}
      {...(view.mark !== null && { 'data-mark': view.mark })}
      {...(view.failed && { 'data-failed': '' })}
    >
      <FlagCell bookmark={bookmark} breakpoint={breakpoint} hit={hit} />
      <span role="gridcell" className="line" {...(view.file !== undefined && { title: view.file })}>
        {formatCount(view.line)}
        {(bookmark ?? breakpoint) !== null && (
          <span className="unseen">{`, ${flagWords(bookmark, breakpoint).join(', ')}`}</span>
        )}
      </span>
      <TimeCell time={view.time} />
      {result === null ? (
        <span role="gridcell" className="what hstack">
          {words}
        </span>
      ) : (
        <span className="what joined hstack">
          <span role="gridcell" className="call-cell">
            {words}
          </span>
          <JoinedResult view={result} flags={resultFlags} selected={resultSelected} find={hit ? find : noFind} />
        </span>
      )}
      <span
        role="gridcell"
        className={`took ${durationClass(view.durationMs)}`}
        {...termPart(durationTerm(view.durationMs))}
      >
        {Number.isNaN(view.durationMs) ? '' : formatShortDuration(view.durationMs)}
      </span>
    </div>
  )
}, sameRow)

function sameRow(before: TimelineRowProps, after: TimelineRowProps): boolean {
  const sameState =
    before.index === after.index &&
    before.selected === after.selected &&
    before.resultSelected === after.resultSelected &&
    before.resultFlags.bookmark === after.resultFlags.bookmark &&
    before.resultFlags.breakpoint === after.resultFlags.breakpoint &&
    before.apart === after.apart &&
    before.near === after.near &&
    before.future === after.future &&
    before.hit === after.hit &&
    before.finding === after.finding &&
    before.bookmark === after.bookmark &&
    before.breakpoint === after.breakpoint &&
    (!after.hit || sameFind(before.find, after.find))
  return sameState && sameView(before.view, after.view) && sameResult(before.result, after.result)
}

function sameResult(before: RowView | null, after: RowView | null): boolean {
  return before === null || after === null ? before === after : sameView(before, after)
}

/** What a click on the icon of the second row of a pair does, by its kind. */
const joiners: Partial<Record<RowView['kind'], string>> = {
  'tool-result': 'Show the result in the row of its call  Enter',
  'tool-error': 'Show the result in the row of its call  Enter',
  unparsed: 'Show the text in the row of its error  Enter'
}

/** The severity of an issue that the row tells, else its kind. */
function RowIcon({ view: { kind, tool, failed, severity, ownIssues } }: { view: RowView }) {
  if (ownIssues > 0 && severity !== 'none') {
    const { icon, tone } = severityLook(severity)
    return (
      <span {...termPart(`issue:${severity}`)}>
        <Icon name={icon} tone={tone} label={severity} />
      </span>
    )
  }
  const { icon, tone } = rowLook(kind, tool)
  return <Icon name={icon} tone={failed ? 'k-error' : tone} />
}

function sameFind(before: FindText, after: FindText): boolean {
  return before.text === after.text && before.regex === after.regex && before.caseSensitive === after.caseSensitive
}

export function TimeCell({ time }: { time: number }) {
  return (
    <span role="gridcell" className="time">
      {formatClock(time)}
      <span className="millis">{formatMillis(time)}</span>
    </span>
  )
}

/** A guide per level of subagents, at most six. The last one is strong if the selected row has the same subagent. */
export function Indent({
  depth,
  near = false,
  term = null
}: {
  depth: number
  near?: boolean
  /** Of the subagent. */
  term?: string | null
}) {
  const levels = Math.min(6, depth)
  return Array.from({ length: levels }, (_, level) => (
    <i key={level} className={near && level === levels - 1 ? 'indent near' : 'indent'} {...termPart(term)} />
  ))
}

function rowClass({ kind, severity, mark }: RowView, selected: boolean, future: boolean, hit: boolean): string {
  const classes = ['row', `row-${kind}`]
  if (severity !== 'none') classes.push(`of-${severity}`)
  if (mark !== null) classes.push('marked')
  if (selected) classes.push('here')
  if (future) classes.push('future')
  if (hit) classes.push('hit')
  return classes.join(' ')
}

/** Faint below 1 s, darker from 1 s, heavier from 10 s. */
function durationClass(ms: number): string {
  if (ms >= 10_000) return 'slow'
  return ms >= 1000 ? 'mid' : ''
}

/** The word of a row that does not count, with the reason as tooltip. */
function MarkWord({ mark }: { mark: RowMark }) {
  return (
    <span className="badge edged" title={markReasons[mark]}>
      {mark}
    </span>
  )
}
