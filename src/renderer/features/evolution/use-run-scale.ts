import { useMemo } from 'react'
import { type EventScale, evenScale, TimeScale } from '#core/replay/event-scale.ts'
import type { RunScaleKind } from '../../stores/layout-store.ts'
import type { LogState } from '../../stores/log-store.ts'

/** The line the run of `log` is drawn on. Made anew whenever the log has grown. */
export function useRunScale({ columns, timeScale, version }: LogState, kind: RunScaleKind): RunScale {
  return useMemo(() => {
    timeScale.extend()
    if (kind === 'events') return { scale: evenScale(columns.events), version }
    if (kind === 'short-time') return { scale: timeScale, version }
    const whole = new TimeScale(columns, Infinity)
    whole.extend()
    return { scale: whole, version }
  }, [columns, timeScale, version, kind])
}

/** A scale as it is at a version of the columns, which grow in place, and some scales with them. */
export interface RunScale {
  readonly scale: EventScale
  readonly version: number
}
