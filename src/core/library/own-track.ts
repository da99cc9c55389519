import type { AgentEvent } from '../events/agent-event.ts'

/**
 * Tells what the agent did whose log it is from what its subagents did. In the log of a subagent on its own all is of one track, which is
 * its own: whoever is met first has the log.
 */
export class OwnTrack {
  /** Null: not met so far. */
  #track: { readonly id: string | undefined } | null

  /** `known`: what was found of the beginning of the log, for a part that stands further on. */
  constructor(known: OwnTrack | null = null) {
    this.#track = known === null ? null : known.#track
  }

  /** Give every event, in log order. */
  has({ type, trackId }: Pick<AgentEvent, 'type' | 'trackId'>): boolean {
    if (this.#track === null) {
      // Neither says whose log it is: a session is told of without its track, and a line that is no JSON has none.
      if (type === 'session.started' || type === 'error') return true
      this.#track = { id: trackId }
    }
    return this.#track.id === trackId
  }
}
