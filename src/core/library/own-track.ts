import type { AgentEvent } from '../events/agent-event.ts'

/**
 * Separates events of the log's own agent from those of its subagents. The first event with a track decides: a
 * subagent's own log has only that subagent's track.
 */
export class OwnTrack {
  /** Null: not known yet. */
  #track: { readonly id: string | undefined } | null

  /** `known`: from the start of the log, for a later part. */
  constructor(known: OwnTrack | null = null) {
    this.#track = known === null ? null : known.#track
  }

  /** Call for every event, in log order. */
  has({ type, trackId }: Pick<AgentEvent, 'type' | 'trackId'>): boolean {
    if (this.#track === null) {
      // Both are without a track: `session.started`, and a line that is not JSON.
      if (type === 'session.started' || type === 'error') return true
      this.#track = { id: trackId }
    }
    return this.#track.id === trackId
  }
}
