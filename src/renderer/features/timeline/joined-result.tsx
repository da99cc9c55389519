import './joined-result.css'
import { memo } from 'react'
import { formatCount } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import type { FindText } from './find-pattern.ts'
import { HiddenFlags, type RowFlags } from './row-flags.tsx'
import { RowSummaryText } from './row-summary.tsx'
import { labelTerm, termPart } from './row-terms.ts'
import type { RowView } from './row-view.ts'

interface JoinedResultProps {
  readonly view: RowView
  readonly flags: RowFlags
  readonly selected: boolean
  readonly find: FindText
}

/** A result on the line of its call, or the text of a line that is not JSON beside the error about it. A click on its icon gives it a line of its own; `data-apart` states its row. */
export const JoinedResult = memo(function JoinedResult({ view, flags, selected, find }: JoinedResultProps) {
  const look = rowLook(view.kind, null)
  const isText = view.kind === 'unparsed'
  return (
    <span
      role="gridcell"
      id={`row-${view.row}`}
      className={`joined-result hstack row-${view.kind}${selected ? ' here' : ''}`}
      aria-selected={selected}
      data-row={view.row}
      data-line={view.line}
      data-kind={view.kind}
      data-seq={view.seq}
    >
      <span
        data-apart={view.row}
        {...termPart(
          labelTerm(view),
          `Show the ${isText ? 'text' : 'result'} of line ${formatCount(view.line)} on its own row  Enter`
        )}
      >
        <Icon name={look.icon} size={14} tone={look.tone} label={isText ? 'Text' : 'Result'} />
      </span>
      <HiddenFlags {...flags} />
      <RowSummaryText summary={view.summary} find={find} call={false} />
    </span>
  )
}, sameResult)

function sameResult(before: JoinedResultProps, after: JoinedResultProps): boolean {
  const same = before.selected === after.selected && before.find === after.find
  const sameMarks = before.flags.bookmark === after.flags.bookmark && before.flags.breakpoint === after.flags.breakpoint
  return same && sameMarks && before.view.row === after.view.row && before.view.summary === after.view.summary
}
