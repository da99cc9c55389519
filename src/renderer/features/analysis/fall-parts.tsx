import { countText } from '#core/measure-text.ts'
import { useLogParts } from '../../stores/log-store.ts'
import type { EventRange } from '../../stores/ranging.ts'
import { formatCount, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Sourced } from '../../ui/provenance.tsx'
import type { RunAxis } from '../axis/run-axis.ts'
import { fallAxisHeight } from './fall-axis.ts'
import { callPitch, type FallRow } from './fall-rows.ts'
import type { FallTrack } from './fall-tracks.ts'
import { rangeName } from './range-bar.tsx'
import type { SentLine } from './sent-line.ts'
import type { SpanLine } from './span-line.ts'
import type { SpanWords } from './span-words.ts'

/** The name of a track, and how many calls found no line. */
export function TrackName({ track, label }: { track: FallTrack; label: string }) {
  const isMain = track.track === 0
  const name = isMain ? 'main' : label === '' ? `Subagent ${formatCount(track.track)}` : label
  return (
    <span
      role="rowheader"
      className="fall-name"
      style={{ paddingLeft: 12 + Math.min(3, track.depth) * 16 }}
      title={name}
    >
      {isMain ? <span className="fall-main" /> : <Icon name="agent" tone="k-tool" />}
      <span className="cut">{name}</span>
      {track.beyond > 0 && (
        <span className="fall-beyond t3 num">
          <Sourced source="counted" why="Calls that run at the same time as three others. They are in the last line.">
            +{formatCount(track.beyond)}
          </Sourced>
        </span>
      )}
    </span>
  )
}

/** What a track holds, in words. */
export function callsOf({ calls }: FallTrack): string {
  const count = calls.reduce((sum, { length }) => sum + length, 0)
  const failed = calls.reduce((sum, line) => sum + line.failedIn(0, line.length), 0)
  return [formatPlural(count, 'call'), ...(failed > 0 ? [`${formatCount(failed)} failed`] : [])].join(', ')
}

/** How many calls begin in a range, of the tracks that are shown. */
export function callsIn(rows: readonly FallRow[], { scale }: RunAxis, { from, to }: EventRange): number {
  const ends = [scale.placeOf(from), scale.placeOf(to + 1)] as const
  const ofLine = (line: SpanLine) => line.firstFrom(ends[1]) - line.firstFrom(ends[0])
  return rows.reduce((sum, { track }) => track.calls.reduce((all, line) => all + ofLine(line), sum), 0)
}

/** How much the main agent sent with its requests, from the least to the most. */
export function ContextName({ sent: { least, most } }: { sent: SentLine }) {
  return (
    <span role="rowheader" className="fall-name fall-context-name" title="Context of the main agent">
      <Icon name="views" tone="t2" />
      <span className="cut grow">Context</span>
      <span className="num t2">
        <Sourced source="stated" why="Tokens that the requests of the main agent sent, from the least to the most.">
          {least === most ? countText(most) : `${countText(least)} – ${countText(most)}`}
        </Sourced>
      </span>
    </span>
  )
}

/** What is marked: its edges, and how much it is. */
export function Selection({ range, axis, calls }: { range: EventRange; axis: RunAxis; calls: number }) {
  const { columns } = useLogParts()
  const [left, right] = [axis.xOfSeq(range.from), axis.xOfSeq(range.to)]
  const [begin, end] = [columns.timeOfSeq(range.from), columns.timeOfSeq(range.to)]
  const events = formatPlural(range.to - range.from + 1, 'event')
  return (
    <div className="fall-selection" style={{ left, width: Math.max(1, right - left) }}>
      <div className="fall-selection-bubble axis-bubble" role="status">
        <span className="num t2">{rangeName(range, columns)}</span>
        <span className="hstack">
          {begin !== null && end !== null && end > begin && (
            <b className="num">
              <Sourced source="stated" why="From the time of its first event to that of its last.">
                {formatShortDuration(end - begin)}
              </Sourced>
            </b>
          )}
          <Sourced source="counted">
            {events}, {formatPlural(calls, 'call')}
          </Sourced>
          <kbd>↵</kbd> zoom in
        </span>
      </div>
    </div>
  )
}

/** The edge of the chosen span, over its picture. */
export function ChosenSpan({
  rows,
  number,
  axis,
  top
}: {
  rows: readonly FallRow[]
  number: number
  axis: RunAxis
  top: number
}) {
  for (const row of rows) {
    for (const [line, { numbers, from, to }] of row.track.calls.entries()) {
      const at = numbers.indexOf(number)
      if (at < 0) continue
      const left = Math.max(-4, axis.xOfPlace(from[at] ?? 0))
      const end = to[at] ?? NaN
      const right = Math.min(axis.width + 4, Number.isNaN(end) ? left + 2 : axis.xOfPlace(end))
      if (right < 0 || left > axis.width) return null
      const y = fallAxisHeight + row.top + row.callsAt + line * callPitch - top
      if (y < fallAxisHeight) return null
      return <div className="fall-chosen" style={{ left, top: y, width: Math.max(3, right - left) }} />
    }
  }
  return null
}

/** What the pointer is on. */
export function SpanBubble({ words: { what, text, length, source, began, state } }: { words: SpanWords }) {
  return (
    <>
      <div className="hstack fall-bubble-head">
        <b>{what}</b>
        <span className="cut t2">{text}</span>
      </div>
      <div className="caption t2">
        <span
          className="num"
          data-source={source === '' ? 'unknown' : source.startsWith('stated') ? 'stated' : 'derived'}
          title={source}
        >
          {[length, source, began, state].filter((part) => part !== '').join(' · ')}
        </span>
      </div>
    </>
  )
}
