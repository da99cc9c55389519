import { useMemo } from 'react'
import { type EventScale, evenScale, longestGap, TimeScale } from '#core/replay/event-scale.ts'
import type { RunScaleKind } from '../../stores/layout-store.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'

/** The width of idle time as a share of the active time; never wider than its real share. */
const gapShare = 0.03
/** Further gaps are not counted. */
const maxGaps = 1000

/** The scale on which the session is drawn. Another one whenever the log has grown. */
export function useRunScale(kind: RunScaleKind): RunScale {
  const { columns, timeScale } = useLogParts()
  const { version, replacements } = useLog('version', 'replacements')
  const drawnGap = kind === 'short-time' ? gapWidth(timeScale) : 0
  // Replaced events may have other times, so all places are computed again.
  const { scale: time } = useMemo(() => {
    const longest = kind === 'whole-time' ? Infinity : longestGap
    return { scale: new TimeScale(columns, longest, drawnGap), replacements }
  }, [columns, kind, drawnGap, replacements])
  return useMemo(() => {
    timeScale.extend()
    if (kind === 'events') return { scale: evenScale(columns.events), version }
    time.extend()
    return { scale: time, version }
  }, [columns, timeScale, time, version, kind])
}

/** In ms, rounded to a power of two, so that it rarely changes while the log grows. */
function gapWidth(timeScale: TimeScale): number {
  timeScale.extend()
  const gaps = timeScale.gaps(0, Infinity, maxGaps).length
  const active = timeScale.total - gaps * longestGap
  return Math.min(longestGap, 2 ** Math.round(Math.log2(Math.max(1000, active) * gapShare)))
}

/** A scale at a version of the columns. Columns, and some scales, grow in place. */
export interface RunScale {
  readonly scale: EventScale
  readonly version: number
}
