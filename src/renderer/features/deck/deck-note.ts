import { idleFromMs, pauseBetween } from '#core/replay/player.ts'
import type { LogState } from '../../stores/log-store.ts'
import { nextShownSeq } from '../../stores/shown-events.ts'
import { formatCount, formatDuration } from '../../ui/format.ts'
import { type IconName, severityLook } from '../../ui/icons.tsx'
import { breakpointName } from '../breakpoints/breakpoint-words.ts'

/** A shortened pause is announced if it lasts at least this long at the playback speed, in ms. */
const readableMs = 400
/** A pause shortened by less is not announced. */
const longPauseMs = 5000

export interface DeckNote {
  readonly text: string
  readonly icon?: IconName
  readonly tone?: string
}

/** Why play stopped, that a step had no effect, or that idle time is skipped. Null for none. */
export function deckNote(
  log: Pick<LogState, 'columns' | 'layout' | 'player' | 'review' | 'row' | 'stepNote'>
): DeckNote | null {
  const { columns, layout, player, review, row, stepNote } = log
  if (stepNote !== null) return { text: stepNote.text }
  const { held, playing, rate, seq, stop, to } = player
  const next = nextShownSeq(layout, columns, seq)
  if (held && next === 'unknown') return { text: 'Searching for matches…', icon: 'search' }
  if (held) return { text: 'Searching for breakpoints…', icon: 'breakpoint' }
  if (stop !== null && stop.row === row) {
    const breakpoint = review.breakpoints.find(({ id }) => id === stop.breakpoint)
    if (stop.reason === 'breakpoint') {
      const name = breakpoint === undefined ? 'a breakpoint' : breakpointName(breakpoint.rule)
      return { text: `Stopped: ${name}`, icon: 'breakpoint', tone: 'k-error' }
    }
    if (stop.reason === 'row') return { text: 'Stopped: run to here' }
    const severity = columns.severityAt(row)
    const look = severityLook(severity === 'none' ? 'notice' : severity)
    return { text: `Stopped: ${severity === 'none' ? 'issue' : severity}`, ...look }
  }
  if (to !== null) return { text: `Running to line ${formatCount(columns.line[to] ?? 0)}` }
  if (!playing || rate === 'step' || typeof next !== 'number') return null
  const { logMs, waitMs, shortened } = pauseBetween(seq, next, rate, { timeOf: (at) => columns.timeOfSeq(at) })
  if (!shortened || logMs === null || logMs < longPauseMs || waitMs / rate < readableMs) return null
  return {
    text: `${formatDuration(logMs)} ${logMs < idleFromMs ? 'pause shortened' : 'idle time skipped'}`,
    icon: 'gap'
  }
}
