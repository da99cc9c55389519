import './turn-line.css'
import { formatCount, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { TokensText } from '../../ui/tokens-text.tsx'
import { HiddenFlags, type RowFlags } from './row-flags.tsx'
import { termPart } from './row-terms.ts'
import { TimeCell } from './timeline-row.tsx'
import type { TurnView } from './turn-view.ts'

interface TurnLineProps {
  readonly view: TurnView
  /** 1-based, including the column heads. */
  readonly index: number
  readonly open: boolean
  /** Whether a filter prevents collapsing. */
  readonly fixed: boolean
  /** Whether the turn is collapsed and contains the playhead. */
  readonly selected: boolean
  readonly future: boolean
  /** The flags of its rows, if they are hidden. */
  readonly flags: RowFlags
}

/** The head of a turn: prompt, duration, tokens and failures. */
export function TurnLine({ view, index, open, fixed, selected, future, flags }: TurnLineProps) {
  const { turn, start, time, events, failed, issues, severity, durationMs, prompt, end, usage } = view
  const cost = end?.badges.find(({ text }) => text.startsWith('$'))?.text
  return (
    <div
      role="row"
      {...(!open && { id: `row-${start}` })}
      className={`turn-line${selected ? ' here' : ''}${future ? ' future' : ''}`}
      aria-rowindex={index}
      aria-selected={selected}
      data-turn={start}
      data-fixed={fixed ? '' : undefined}
    >
      <span role="gridcell" className="name hstack" {...(!fixed && { 'aria-expanded': open })}>
        {!fixed && <Icon name={open ? 'down' : 'right'} size={12} tone="t3" />}
        <span {...termPart(`turn:${turn + 1}`)}>Turn {formatCount(turn + 1)}</span>
      </span>
      <TimeCell time={time} />
      <span role="gridcell" className="what hstack">
        <span className="title cut" dir="auto">
          {prompt?.text ?? (prompt === null ? '' : '…')}
        </span>
        <span className="end hstack rigid t3 caption">
          <HiddenFlags {...flags} />
          {end !== null && end !== undefined && end.text !== 'done' && (
            <span className="fact bad" {...termPart(end.term)}>
              {end.text}
            </span>
          )}
          {failed > 0 && (
            <span className="fact bad" {...termPart('status:error', formatPlural(failed, 'failed call'))}>
              {formatCount(failed)} failed
            </span>
          )}
          {issues > 0 && (
            <span className={`s-${severity}`} {...termPart('has:issue')}>
              {formatPlural(issues, 'issue')}
            </span>
          )}
          <span className="wide">{formatPlural(events, 'event')}</span>
          {usage && <TokensText className="wide" totals={usage} />}
          {cost !== undefined && <span className="wide">{cost}</span>}
        </span>
      </span>
      <span role="gridcell" className="took" title="Time from the prompt to the last event of the turn">
        {durationMs > 0 ? formatShortDuration(durationMs) : ''}
      </span>
    </div>
  )
}
