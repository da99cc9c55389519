import { useMemo } from 'react'
import { type LogParts, useLogParts } from '../../stores/log-store.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatDuration, formatPlural, formatTime } from '../../ui/format.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import { statusWords } from '../todos/status-words.ts'
import { barAt, laneStory, type LaneStory, fateOfSpan } from './lane-story.ts'

/** An item at a point of the session: status, duration, start, end and history. */
export function LaneBubble({ lane, position }: { lane: number; position: number }) {
  const log = useLogParts()
  const { lanes } = log.todos
  const story = useMemo(() => laneStory(lanes, lane), [lanes, lane])
  const bar = barAt(lanes, lane, position)
  const status = fateOfSpan(bar)
  if (bar === undefined) return <p className="t3">not in a list yet</p>
  const began = momentOf(log, bar.from)
  const ended = bar.to === Infinity ? lastMoment(log) : momentOf(log, bar.to)
  const again = status !== null && isAgain(log, lane, bar.from)
  const words = status === null ? 'not in a list' : `${statusWords[status]}${again ? ' again' : ''}`
  return (
    <>
      <p className="lane-bubble-line hstack">
        {status !== null && <Icon name={todoLook(status).icon} tone={todoLook(status).tone} />}
        <b>{words}</b>
        <span className="t2">{spanWords(began, ended, bar.to === Infinity)}</span>
      </p>
      <p className="cut">{displayText(bar.text)}</p>
      <p className="lane-bubble-line hstack t2 caption num">
        <span>{momentWords(began)}</span>
        <span aria-hidden="true">→</span>
        <span>{bar.to === Infinity ? 'the end' : momentWords(ended)}</span>
      </p>
      <p className="t3">{storyWords(story)}</p>
    </>
  )
}

/** The time of a snapshot. */
interface Moment {
  readonly seq: number
  /** ms since the epoch; null if unknown. */
  readonly time: number | null
}

function momentOf({ todos, columns }: LogParts, snapshot: number): Moment {
  const seq = todos.seqAt(snapshot)
  return { seq, time: columns.timeOfSeq(seq) }
}

function lastMoment({ columns }: LogParts): Moment {
  const seq = columns.events - 1
  return { seq, time: columns.timeOfSeq(seq) }
}

function momentWords({ seq, time }: Moment): string {
  const event = `event ${formatCount(seq)}`
  return time === null ? event : `${formatTime(time)} ${event}`
}

function spanWords(began: Moment, ended: Moment, goesOn: boolean): string {
  const long =
    began.time === null || ended.time === null
      ? formatPlural(Math.max(0, ended.seq - began.seq), 'event')
      : formatDuration(Math.max(0, ended.time - began.time))
  return goesOn ? `for ${long}, until the end` : `for ${long}`
}

function isAgain({ todos: { lanes } }: LogParts, lane: number, from: number): boolean {
  const first = lanes.positionAt(lane, from)
  const state = lanes.stateAfter(lane, first)
  for (let position = first - 1; position >= 0; position--) if (lanes.stateAfter(lane, position) === state) return true
  return false
}

/** "in progress twice, 3 status changes, edited once". */
function storyWords({ times, statusChanges, edits, drops, gaps }: LaneStory): string {
  const words = [
    ...(times.in_progress > 0 ? [`in progress ${timesWord(times.in_progress)}`] : ['never in progress']),
    formatPlural(statusChanges, 'status change'),
    ...(edits > 0 ? [`edited ${timesWord(edits)}`] : []),
    ...(drops > 0 ? [`dropped ${timesWord(drops)}`] : []),
    ...(gaps > 0 ? [`absent ${timesWord(gaps)}`] : [])
  ]
  return words.join(', ')
}

function timesWord(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${formatCount(count)} times`
}
