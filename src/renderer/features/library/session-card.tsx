import { lastName } from '#core/paths/path-names.ts'
import './session-card.css'
import { memo } from 'react'
import { lastOf, type SessionCard as Card } from '#core/library/session-card.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatBytes, formatCount, formatFullTime, formatPlural } from '../../ui/format.ts'
import { sourceWords } from '../../ui/provenance.tsx'
import { Icon } from '../../ui/icons.tsx'
import {
  agentAndModel,
  callsFigure,
  costFigure,
  type Figure,
  findingsFigure,
  lastFigure,
  lengthFigure,
  missingText,
  sessionSentence,
  titleOf,
  tokensFigure
} from './session-words.ts'
import { useLost } from '../../stores/app-store.ts'
import { StateIcon } from './state-icon.tsx'

export interface CardProps {
  readonly card: Card
  /** The row in the grid. */
  readonly index: number
  readonly top: number
  readonly selected: boolean
  /** Whether the keys act on this card. */
  readonly here: boolean
  /** Whether its matches are listed below it. */
  readonly withHits: boolean
  readonly now: number
}

/** A session on two lines: state, title, place, agent and figures. */
export const SessionCard = memo(function SessionCard({ card, index, top, selected, here, withHits, now }: CardProps) {
  const lost = useLost()
  const last = lastFigure(card, now, lost)
  return (
    <div
      role="row"
      id={`session-row-${index}`}
      className={withHits ? 'card card-with-hits' : 'card'}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index}
      aria-selected={selected}
      aria-label={sessionSentence(card, now, lost)}
      data-session={card.id}
      data-state={card.state}
      data-here={here || undefined}
      title={card.problem ?? undefined}
    >
      <span role="gridcell">
        <StateIcon state={card.state} />
      </span>
      <span role="gridcell" className="card-session">
        <span className="card-title hstack">
          <span className="cut" dir="auto">
            {displayText(titleOf(card))}
          </span>
          {card.subagents > 0 && (
            <span className="mini rigid t3" title={formatPlural(card.subagents, 'subagent')}>
              <Icon name="agent" size={12} label="subagents" />
              {formatCount(card.subagents)}
            </span>
          )}
          {card.forks > 0 && (
            <span className="mini rigid t3" title={`Forked ${formatPlural(card.forks, 'time')}`}>
              <Icon name="fork" size={12} label="forks" />
              {formatCount(card.forks)}
            </span>
          )}
        </span>
        <span className="card-sub t2 caption">
          {card.project !== null && (
            <span className="cut" title={card.project}>
              {displayText(lastName(card.project))}
            </span>
          )}
          {card.branch !== null && (
            <span className="card-branch cut" title={card.branch}>
              {displayText(card.branch)}
            </span>
          )}
          <span className="cut">{displayText(agentAndModel(card))}</span>
          {card.problem !== null && <span className="card-problem s-violation cut">{displayText(card.problem)}</span>}
        </span>
      </span>
      <span role="gridcell" className="card-todos vstack">
        <CardTodos card={card} />
      </span>
      <FigureCell figure={callsFigure(card)} />
      <FigureCell className="card-findings" figure={findingsFigure(card)} />
      <FigureCell figure={lengthFigure(card)} />
      <FigureCell className="card-tokens" figure={tokensFigure(card)} />
      <FigureCell className="card-cost" figure={costFigure(card, formatBytes(card.bytes))} />
      <FigureCell figure={{ ...last, because: formatFullTime(lastOf(card)) }} />
    </div>
  )
})

function FigureCell({ figure, className }: { figure: Figure; className?: string }) {
  return (
    <span
      role="gridcell"
      className={`fig vstack ${className ?? ''}`}
      data-source={figure.source}
      title={figure.because}
    >
      <span>{figure.first}</span>
      <span className={figure.isBad === true ? 'bad' : 'low'}>{figure.second}</span>
      {figure.source !== undefined && (
        <span className="unseen">
          , {sourceWords(figure.source)}. {figure.because}
        </span>
      )}
    </span>
  )
}

/** With more items a segment would be too narrow. */
const maxSegments = 12

/** The final progress of its list: a segment per item, or one bar. */
function CardTodos({ card }: { card: Card }) {
  const { counts } = card
  if (counts === null) {
    return (
      <>
        <span>{missingText(card)}</span>
        <span />
      </>
    )
  }
  const { todosDone, todosTotal } = counts
  if (todosTotal === null) {
    return (
      <>
        <span>–</span>
        <span className="low">no list</span>
      </>
    )
  }
  const done = todosDone ?? 0
  const parts =
    todosTotal <= maxSegments
      ? Array.from({ length: todosTotal }, (_, at) => ({ isDone: at < done, size: 1 }))
      : [
          { isDone: true, size: done },
          { isDone: false, size: todosTotal - done }
        ].filter(({ size }) => size > 0)
  return (
    <>
      <span className="card-meter" role="img" aria-label={`${done} of ${formatPlural(todosTotal, 'todo')} done`}>
        {parts.map(({ isDone, size }, at) => (
          <i key={at} className={isDone ? 'todo-part completed' : 'todo-part'} style={{ flexGrow: size }} />
        ))}
      </span>
      <span className="low">
        {formatCount(done)}/{formatCount(todosTotal)}
      </span>
    </>
  )
}

/** A placeholder for a session that is being loaded. */
export function CardBars({ index, top }: { index: number; top: number }) {
  // Varied lengths, always in the same order.
  const widths = [62, 46, 54, 41, 57]
  const wide = widths[index % widths.length] ?? 50
  return (
    <div
      role="row"
      className="card card-bars"
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index}
      aria-busy="true"
      aria-label="Not read yet"
    >
      <span role="gridcell">
        <i style={{ width: 10 }} />
      </span>
      <span role="gridcell" className="card-session">
        <i style={{ width: `${wide}%` }} />
        <i style={{ width: `${wide - 20}%`, height: 6 }} />
      </span>
      <span role="gridcell" className="card-todos vstack">
        <i style={{ width: 72 }} />
      </span>
    </div>
  )
}
