import { useMemo } from 'react'
import type { Parallelism, TimeSplit as Split } from '#contract/analysis.ts'
import type { Result } from '#contract/methods.ts'
import { LiveAnswer } from '../../stores/live-answer.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import { formatCount, formatPercent, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { Sourced } from '../../ui/provenance.tsx'
import { Failed } from '../inspector/failed.tsx'
import { Unknown } from '../summary/figures.tsx'
import type { AnalysisScope } from './analysis-range.ts'

const parts = [
  { part: 'modelMs', name: 'Model', why: 'Time of the turns without a call, a wait, or a call of unknown length.' },
  {
    part: 'toolsMs',
    name: 'Tools',
    why: 'Time in which a call was running. A call may include waiting for a permission.'
  },
  {
    part: 'waitingMs',
    name: 'Waiting for you',
    why: 'Time between the end of a turn and the next prompt, and of questions.'
  },
  { part: 'unknownMs', name: 'Unknown', why: 'Time outside of turns, and around calls of unknown length.' }
] as const

/** Where the time of the range went: a bar with a pattern for each part, and its key. */
export function TimeSplit({ scope }: { scope: AnalysisScope }) {
  const { host, id } = useLogParts()
  const { rows } = scope
  const answer = useLiveAnswer(
    useMemo(
      () =>
        new LiveAnswer<Result<'log.timeSplit'>>(
          () => host.call('log.timeSplit', { log: id, range: rows }),
          ({ counted, rows: all }) => counted >= all
        ),
      [host, id, rows]
    )
  )
  const { value, error } = answer
  if (error !== null) return <Failed what="The time split" message={error} onRetry={answer.retry} />
  return (
    <div className="split rigid" aria-busy={answer.isPartial}>
      {value?.split == null ? (
        <p className="t3 caption">
          {answer.isPartial ? 'Adding up times…' : 'The log does not state two times here, so there is no time split.'}
        </p>
      ) : (
        <SplitBar split={value.split} />
      )}
      {value !== null && <SplitKey value={value} />}
    </div>
  )
}

function SplitBar({ split }: { split: Split }) {
  const words = parts.map(({ part, name }) => {
    return `${name} about ${formatShortDuration(split[part])}, ${formatPercent(split[part] / split.wallMs)}`
  })
  const name = `Time split of ${formatShortDuration(split.wallMs)}, derived from the times of records: ${words.join('; ')}`
  return (
    <div className="split-bar" role="img" aria-label={name} title={name}>
      {parts.map(({ part }) => split[part] > 0 && <i key={part} className={part} style={{ flexGrow: split[part] }} />)}
    </div>
  )
}

function SplitKey({ value: { split, parallelism, calls, unknownLengths } }: { value: Result<'log.timeSplit'> }) {
  return (
    <div className="split-key">
      {split !== null &&
        parts.map(({ part, name, why }) => (
          <span key={part} className={split[part] === 0 ? 't3' : undefined}>
            <i className={part} aria-hidden="true" />
            {name}{' '}
            <Sourced source="derived" why={`${why} From the times of records.`}>
              <b className="num">{split[part] === 0 ? '0 s' : formatShortDuration(split[part])}</b>{' '}
              {formatPercent(split[part] / split.wallMs)}
            </Sourced>
          </span>
        ))}
      <span className="grow" />
      {unknownLengths > 0 && (
        <span>
          <Sourced source="counted" why="They are ticks in the waterfall, and in no sum of times.">
            {formatCount(unknownLengths)} of {formatPlural(calls, 'call')} of unknown length
          </Sourced>
        </span>
      )}
      <AtOnce parallelism={parallelism} />
    </div>
  )
}

/** How much ran at the same time: "parallelism 1.8, up to 3 calls, 2 subagents at once". */
function AtOnce({ parallelism: { selfMs, busyMs, mostCalls, mostSubagents } }: { parallelism: Parallelism }) {
  if (busyMs === 0) return null
  const factor = selfMs / busyMs
  const most = [
    `${formatPlural(mostCalls, 'call')}`,
    ...(mostSubagents > 0 ? [formatPlural(mostSubagents, 'subagent')] : [])
  ]
  return (
    <span>
      up to{' '}
      <Sourced source="derived" why="By the times of the calls.">
        {most.join(', ')}
      </Sourced>{' '}
      at once · parallelism{' '}
      {Number.isFinite(factor) ? (
        <Sourced source="derived" why="The self times of all calls, by the time in which any of them ran.">
          {factor.toFixed(1)}
        </Sourced>
      ) : (
        <Unknown why="No call has a known length." />
      )}
    </span>
  )
}
