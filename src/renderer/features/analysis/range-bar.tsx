import { printQuery } from '#core/query/print-query.ts'
import { type RunScaleKind } from '../../stores/layout-store.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { besideRanges, type EventRange, onlyRanges, rangesOf } from '../../stores/ranging.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { formatClock, formatCount, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Sourced } from '../../ui/provenance.tsx'
import type { Zoom } from '../axis/use-zoom.ts'

const axes: readonly { readonly kind: RunScaleKind; readonly name: string; readonly title: string }[] = [
  { kind: 'whole-time', name: 'Time', title: 'Over time' },
  { kind: 'short-time', name: 'Active time', title: 'Over time, with idle times over a minute shortened and hatched' },
  { kind: 'events', name: 'Events', title: 'Over events' }
]

/** The way from the whole session to the range in force, the axis, and the zoom. */
export function RangeBar({ zoom, hasTimes, turns }: { zoom: Zoom; hasTimes: boolean; turns: readonly EventRange[] }) {
  const { columns, filtering, ranging } = useLogParts()
  const query = useLog((log) => log.filter.query)
  useLog((log) => log.version)
  const { runScale, setRunScale } = useLayout('runScale', 'setRunScale')
  const ranges = rangesOf(query)
  const rest = printQuery(besideRanges(query))
  const shown = hasTimes ? runScale : 'events'
  return (
    <div className="range-bar hstack rigid">
      <nav aria-label="Range" className="range-crumbs hstack">
        <ol className="hstack">
          <li className="hstack">
            {ranges.length === 0 ? (
              <span aria-current="true" className="range-crumb hstack">
                Whole session <Length range={{ from: 0, to: columns.events - 1 }} />
              </span>
            ) : (
              <button type="button" className="link" onMouseDown={keepFocus} onClick={() => ranging.widenTo(0)}>
                Whole session
              </button>
            )}
            {ranges.length > 0 && <Length range={{ from: 0, to: columns.events - 1 }} />}
          </li>
          {ranges.map((range, at) => {
            const isLast = at === ranges.length - 1
            return (
              <li key={`${at} ${range.from} ${range.to}`} className="hstack">
                <Icon name="right" size={12} tone="t3" />
                {isLast ? (
                  <span aria-current="true" className="range-crumb edged hstack">
                    <span className="cut">{rangeName(range, columns, turns)}</span> <Length range={range} />
                    <IconButton
                      small
                      icon="close"
                      label="Widen the range"
                      keys="Escape"
                      onClick={() => ranging.widen()}
                    />
                  </span>
                ) : (
                  <button
                    type="button"
                    className="link"
                    onMouseDown={keepFocus}
                    onClick={() => ranging.widenTo(at + 1)}
                  >
                    {rangeName(range, columns, turns)}
                  </button>
                )}
                {!isLast && <Length range={range} />}
              </li>
            )
          })}
        </ol>
      </nav>
      {rest !== '' && (
        <span className="range-crumb range-rest edged hstack" role="group" aria-label="The rest of the query">
          <span className="mono cut" title={rest}>
            {rest}
          </span>
          <IconButton
            small
            icon="close"
            label={`Take ${rest} out of the query`}
            onClick={() => filtering.change(onlyRanges(query))}
          />
        </span>
      )}
      <span className="grow" />
      {!hasTimes && columns.events > 0 && (
        <span className="t3" role="note">
          This log does not state two times
        </span>
      )}
      <span className="segments" role="group" aria-label="Axis">
        {axes.map(({ kind, name, title }) => (
          <button
            key={kind}
            type="button"
            aria-pressed={kind === shown}
            title={hasTimes || kind === 'events' ? title : 'The log states no times'}
            disabled={!hasTimes && kind !== 'events'}
            onMouseDown={keepFocus}
            onClick={() => setRunScale(kind)}
          >
            {name}
          </button>
        ))}
      </span>
      <IconButton small icon="zoom-out" label="Zoom out" keys="-" disabled={!zoom.zoomed} onClick={() => zoom.by(2)} />
      <IconButton small icon="zoom-in" label="Zoom in" keys="+" onClick={() => zoom.by(0.5)} />
      <IconButton
        small
        icon="whole"
        label="Show the whole range"
        keys="0"
        disabled={!zoom.zoomed}
        onClick={zoom.reset}
      />
    </div>
  )
}

/** "Turn 6", else its times, else its events. */
export function rangeName({ from, to }: EventRange, columns: LogColumns, turns: readonly EventRange[] = []): string {
  const turn = turns.findIndex((each) => each.from === from && each.to === to)
  if (turn >= 0) return `Turn ${formatCount(turn + 1)}`
  const [begin, end] = [from, Math.min(to, columns.events - 1)].map((seq) => formatClock(columns.timeOfSeq(seq) ?? NaN))
  if (begin === undefined || begin === '' || end === undefined || end === '') {
    return `Events ${formatCount(from + 1)} – ${formatCount(to + 1)}`
  }
  return `${begin} – ${end}`
}

/** The time from the first to the last event of a range, if both are known; else its number of events. */
function Length({ range }: { range: EventRange }) {
  const { columns } = useLogParts()
  const [begin, end] = [columns.timeOfSeq(range.from), columns.timeOfSeq(Math.min(range.to, columns.events - 1))]
  return (
    <span className="num t3">
      {begin === null || end === null || end <= begin ? (
        <Sourced source="counted">{formatPlural(Math.max(0, range.to - range.from + 1), 'event')}</Sourced>
      ) : (
        <Sourced source="stated" why="From the time of its first event to that of its last.">
          {formatShortDuration(end - begin)}
        </Sourced>
      )}
    </span>
  )
}
