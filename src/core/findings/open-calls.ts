import { dropOldest } from '../drop-oldest.ts'
import type { OpenCall } from './call.ts'
import { stateOf } from './track-states.ts'

/** Limit of open calls; above, the oldest half is forgotten. */
const maxOpen = 2000

interface Track {
  calls: number
  /** The last event that gave its agent something: a prompt or a result. -1: none. */
  given: number
  /** The last such event after which the agent said or called something. */
  acted: number
  /** `followsFailure` and `inTrouble` of `doneTraits`. */
  looks: number
}

/** The calls that have no result so far, and how far their agents went on. */
export class OpenCalls {
  private readonly calls = new Map<string, OpenCall>()
  private readonly tracks = new Map<string, Track>()

  get all(): Iterable<OpenCall> {
    return this.calls.values()
  }

  /** Number of calls of a track. */
  countOf(track: string): number {
    return this.tracks.get(track)?.calls ?? 0
  }

  start(id: string, call: OpenCall): void {
    const track = stateOf(this.tracks, call.track, newTrack)
    track.calls++
    track.acted = track.given
    // A reused id is another call.
    this.calls.delete(id)
    this.calls.set(id, call)
    if (this.calls.size > maxOpen) dropOldest(this.calls, maxOpen / 2)
  }

  /** The call of a result; undefined if it is not open. */
  end(id: string): OpenCall | undefined {
    const call = this.calls.get(id)
    if (call !== undefined) this.calls.delete(id)
    return call
  }

  /** A track was given a prompt or a result. */
  give(track: string, seq: number): void {
    stateOf(this.tracks, track, newTrack).given = seq
  }

  /** Why rules look at a call of this track that did its work, as bits of `doneTraits`. */
  looksOf(track: string): number {
    return this.tracks.get(track)?.looks ?? 0
  }

  setLooks(track: string, looks: number): void {
    stateOf(this.tracks, track, newTrack).looks = looks
  }

  /** A track said something. */
  act(track: string): void {
    const state = this.tracks.get(track)
    if (state !== undefined) state.acted = state.given
  }

  /**
   * The calls whose agent went on, in log order. Calls of one message are open at the same time, so an agent has gone on only
   * if it was given something after the call, and then acted.
   */
  get left(): readonly OpenCall[] {
    return [...this.calls.values()].filter(({ track, seq }) => seq < (this.tracks.get(track)?.acted ?? -1))
  }
}

function newTrack(): Track {
  return { calls: 0, given: -1, acted: -1, looks: 0 }
}
