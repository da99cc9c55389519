import type { AgentEventBase } from './agent-event.ts'

/** The time that the record of an event states, in ms since the epoch; null: none, or one carried from another record. */
export function statedTime({
  timestamp,
  timestampFrom = 'record'
}: Pick<AgentEventBase, 'timestamp' | 'timestampFrom'>): number | null {
  return timestampFrom === 'record' && timestamp !== 0 && Number.isFinite(timestamp) ? timestamp : null
}

/**
 * When something began and ended: the earliest and the latest time that records of its events state. Times go back in
 * real logs, so these need not be the first and the last. All that tells of a session's times uses this.
 */
export class StatedTimes {
  begin: number | null = null
  end: number | null = null

  /** Null: none is stated. */
  add(at: number | null): void {
    if (at === null) return
    this.begin = earliest(this.begin, at)
    this.end = latest(this.end, at)
  }

  /** From begin to end, in ms; null: fewer than two times are stated. */
  get wallMs(): number | null {
    return wallMs(this.begin, this.end)
  }
}

export function earliest(one: number | null, other: number | null): number | null {
  return one === null || (other !== null && other < one) ? other : one
}

export function latest(one: number | null, other: number | null): number | null {
  return one === null || (other !== null && other > one) ? other : one
}

/** From `begin` to `end`, in ms; null if they do not differ: a single time tells no length. */
export function wallMs(begin: number | null, end: number | null): number | null {
  return begin !== null && end !== null && end > begin ? end - begin : null
}
